/* SPDX-License-Identifier: GPL-3.0-or-later */
/* allocations -- run a program once for every allocation it makes, and fail that one.
 *
 * usage: allocations [-a] [-o] [-j N] [-t SECONDS] [-n MOST] SHIM PROGRAM [ARGUMENT...]
 *
 * A first run counts the allocations (libfailmalloc.c); then run k lets the k-th fail (-a: and
 * all after it; -o: only the program's own, not those of libraries). Demanded of each run:
 *   - it ends by itself, not by a signal, within -t seconds (10);
 *   - its status is 0 or one of the program's list; 0 only with the output of the first run, to
 *     the byte; any other with a sentence on standard error, 71 with one that says "memory";
 *   - the program's own code has freed all that it got.
 * With more than MOST (default: no limit) allocations, about MOST values of k are taken, evenly.
 * Prints a line for each broken demand (the first 20) and a summary; status 1 if there was any.
 * N runs at a time (2). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { TEXT = 1 << 20, REPORT_FD = 9, SHOWN = 20 };

typedef struct run {
  int status;                 /* as waitpid gives it */
  int late;                   /* killed after its limit */
  long calls, failed, blocks; /* -1: no report */
  char sites[256];
  int out, err; /* memory files of its output */
} run;

typedef struct setup {
  const char *shim;
  char **argv;
  int after, own;
  double limit; /* s */
} setup;

static void die(const char *what)
{
  fprintf(stderr, "allocations: %s: %s\n", what, strerror(errno));
  exit(2);
}

/* The environment with the shim's variables. */
static char **environment(const setup *s, long k, char *store, size_t size)
{
  static char *env[4096];
  size_t n = 0, at = 0;
  for (char **e = environ; *e && n < 4000; e++)
    if (strncmp(*e, "LD_PRELOAD=", 11) && strncmp(*e, "FAILMALLOC_", 11)) env[n++] = *e;
  const char *mode = s->after ? "after" : "once";
  char *text[5];
  for (int i = 0; i < 4 + s->own; i++) {
    text[i] = store + at;
    int len = i == 0   ? snprintf(store + at, size - at, "LD_PRELOAD=%s", s->shim)
              : i == 1 ? snprintf(store + at, size - at, "FAILMALLOC_AT=%ld", k)
              : i == 2 ? snprintf(store + at, size - at, "FAILMALLOC_MODE=%s", mode)
              : i == 4 ? snprintf(store + at, size - at, "FAILMALLOC_OWN=1")
                       : snprintf(store + at, size - at, "FAILMALLOC_FD=%d", REPORT_FD);
    at += (size_t)len + 1;
    env[n++] = text[i];
  }
  env[n] = NULL;
  return env;
}

static int wait_for(pid_t pid, double limit, int *late)
{
  int status, fd = pidfd_open(pid, 0);
  if (fd < 0) die("pidfd_open");
  *late = poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, (int)(1000 * limit)) == 0;
  if (*late) kill(pid, SIGKILL);
  waitpid(pid, &status, 0);
  close(fd);
  return status;
}

static void go(const setup *s, long k, run *r)
{
  static char store[8192];
  int report = memfd_create("report", 0);
  r->out = memfd_create("out", 0);
  r->err = memfd_create("err", 0);
  if (report < 0 || r->out < 0 || r->err < 0) die("memfd_create");
  posix_spawn_file_actions_t fa;
  posix_spawn_file_actions_init(&fa);
  posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&fa, r->out, 1);
  posix_spawn_file_actions_adddup2(&fa, r->err, 2);
  posix_spawn_file_actions_adddup2(&fa, report, REPORT_FD);
  pid_t pid;
  errno = posix_spawnp(&pid, s->argv[0], &fa, NULL, s->argv,
                       environment(s, k, store, sizeof store));
  if (errno) die(s->argv[0]);
  posix_spawn_file_actions_destroy(&fa);
  r->status = wait_for(pid, s->limit, &r->late);
  char line[512] = "";
  ssize_t n = pread(report, line, sizeof line - 1, 0);
  r->calls = r->failed = r->blocks = -1;
  r->sites[0] = 0;
  if (n > 0)
    sscanf(line, "calls %ld failed %ld blocks %ld sites %255[^\n]", &r->calls, &r->failed,
           &r->blocks, r->sites);
  close(report);
}

/* Text of a memory file, in a static buffer. */
static const char *text_of(int fd, size_t *n)
{
  static char text[TEXT];
  ssize_t got = pread(fd, text, sizeof text - 1, 0);
  *n = got < 0 ? 0 : (size_t)got;
  text[*n] = 0;
  return text;
}

static int same(int a, int b)
{
  struct stat x, y;
  char s[4096], t[4096];
  if (fstat(a, &x) || fstat(b, &y) || x.st_size != y.st_size) return 0;
  for (off_t at = 0; at < x.st_size;) {
    ssize_t n = pread(a, s, sizeof s, at);
    if (n <= 0 || pread(b, t, sizeof t, at) != n || memcmp(s, t, (size_t)n)) return 0;
    at += n;
  }
  return 1;
}

/* What is wrong with a run, NULL if nothing; text in `why`. */
static const char *judge(const run *r, const run *first, char *why, size_t size)
{
  static const int known[] = {1, 2, 65, 66, 69, 70, 71, 73, 74, 75};
  size_t n;
  if (r->late) return "did not end";
  if (WIFSIGNALED(r->status)) {
    snprintf(why, size, "killed by %s", strsignal(WTERMSIG(r->status)));
    return why;
  }
  int status = WEXITSTATUS(r->status), listed = status == 0;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) listed |= status == known[i];
  if (!listed) {
    snprintf(why, size, "status %d", status);
    return why;
  }
  if (r->calls < 0) return "ended without running the exit handlers";
  if (status == 0 && !same(r->out, first->out)) return "status 0, but another output";
  const char *err = text_of(r->err, &n);
  if (status != 0 && (n < 15 || !strchr(err, ' '))) {
    snprintf(why, size, "status %d without a sentence", status);
    return why;
  }
  if (status == 71 && !strstr(err, "memory")) return "status 71 without the word memory";
  if (r->blocks > 0) {
    snprintf(why, size, "%ld blocks not freed, got at %s", r->blocks, r->sites);
    return why;
  }
  return NULL;
}

static void show(long k, const run *r, const char *why)
{
  size_t n;
  char line[512], message[200];
  snprintf(message, sizeof message, "%.199s", text_of(r->err, &n));
  message[strcspn(message, "\n")] = 0;
  n = (size_t)snprintf(line, sizeof line, "FAIL allocation %ld: %s%s%s\n", k, why,
                       message[0] ? "; it said: " : "", message);
  if (write(1, line, n < sizeof line ? n : sizeof line - 1) < 0) exit(2);
}

typedef struct tally {
  long runs, bad, survived, fired;
} tally;

/* Worker w of nw: every nw-th of the chosen k. */
static tally work(const setup *s, const run *first, int w, int nw, double stride)
{
  tally t = {0};
  for (long i = w;; i += nw) {
    char why[400];
    run r;
    long k = 1 + (long)((double)i * stride);
    if (k > first->calls) return t;
    go(s, k, &r);
    const char *bad = judge(&r, first, why, sizeof why);
    if (bad && t.bad++ < SHOWN / nw) show(k, &r, bad);
    t.runs++;
    t.fired += r.failed > 0;
    t.survived += WIFEXITED(r.status) && WEXITSTATUS(r.status) == 0;
    close(r.out);
    close(r.err);
  }
}

int main(int argc, char **argv)
{
  setup s = {.limit = 10};
  int c, nw = 2, pipes[2];
  long max = 0;
  while ((c = getopt(argc, argv, "+aoj:t:n:")) != -1) switch (c) {
    case 'a': s.after = 1; break;
    case 'o': s.own = 1; break;
    case 'j': nw = atoi(optarg); break;
    case 't': s.limit = atof(optarg); break;
    case 'n': max = atol(optarg); break;
    default: return 2;
    }
  if (argc - optind < 2)
    return fputs("usage: allocations [-a] [-o] [-j N] [-t S] [-n MOST] SHIM PROGRAM [ARG...]\n",
                 stderr),
           2;
  s.shim = argv[optind];
  s.argv = argv + optind + 1;

  run first;
  size_t n;
  go(&s, 0, &first);
  if (first.status != 0 || first.calls <= 0 || first.blocks != 0) {
    printf("FAIL without a failing allocation: wait status %d, %ld allocations, %ld blocks not "
           "freed, got at %s\n%s",
           first.status, first.calls, first.blocks, first.sites, text_of(first.err, &n));
    return 1;
  }
  double stride = max > 0 && first.calls > max ? (double)first.calls / (double)max : 1;
  if (pipe(pipes)) die("pipe");
  fflush(stdout);
  for (int w = 0; w < nw; w++) {
    pid_t pid = fork();
    if (pid < 0) die("fork");
    if (pid == 0) {
      tally t = work(&s, &first, w, nw, stride);
      _exit(write(pipes[1], &t, sizeof t) != sizeof t);
    }
  }
  close(pipes[1]);
  tally all = {0}, t;
  int workers = 0;
  while (read(pipes[0], &t, sizeof t) == sizeof t) {
    all.runs += t.runs;
    all.bad += t.bad;
    all.fired += t.fired;
    all.survived += t.survived;
    workers++;
  }
  while (wait(NULL) > 0) {
  }
  printf("%ld allocations; %ld runs, each with one %s: %ld failed to fire, %ld ended well all the "
         "same, %ld broke a rule\n",
         first.calls, all.runs, s.after ? "and all later ones failing" : "failing",
         all.runs - all.fired, all.survived, all.bad);
  return workers != nw || all.bad > 0 || all.runs == 0;
}
