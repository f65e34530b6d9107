/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/pool.h"

#include "base/clock.h"
#include "study/journal.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  LOST = 99, /* exit status of a worker that should do no more */
  TICK_MS = 50,
  MESSAGE = 1024
};

/* Of all workers and the caller. */
typedef struct shared {
  volatile sig_atomic_t stop; /* end after the step */
  atomic_llong next;          /* place in p->run of the next run */
  atomic_llong done, failed;
  atomic_int trouble; /* code that ends the sweep, 0: none; its sentence: */
  char message[MESSAGE];
  atomic_llong at[]; /* worker w does the run of this place, -1: none [workers] */
} shared;

typedef struct crew {
  const ns_pool *p;
  ns_ctx *c;
  shared *s;
  size_t bytes;
  pid_t *pid; /* [workers], 0: none */
  int alive;
  int bell[2];   /* a pipe whose writers are the workers: it closes when all have ended */
  double synced; /* when the journal was last brought to the disk */
  long long synced_done;
} crew;

/* ---- worker ---------------------------------------------------------------------------------- */

static void give_up(shared *s, int code, const char *message)
{
  int none = 0;
  if (atomic_compare_exchange_strong(&s->trouble, &none, code))
    snprintf(s->message, sizeof s->message, "%s", message);
  s->stop = 1;
}

static void count(shared *s, int failed)
{
  if (failed) atomic_fetch_add(&s->failed, 1);
  atomic_fetch_add(&s->done, 1);
}

static void write_record(const ns_pool *p, shared *s, const ns_record *r, ns_run_end end)
{
  char text[MESSAGE];
  int bad = ns_journal_append(p->journal, r);
  if (!bad) {
    if (end != NS_RUN_END_KILLED) count(s, end == NS_RUN_END_FAILED);
    return;
  }
  snprintf(text, sizeof text,
           "%s: cannot write the journal: %s; its contents are complete, run the same command "
           "again to continue",
           p->job.dir, strerror(bad));
  give_up(s, NS_OUTPUT, text);
}

/* Runs until there are no more. Returns the exit status of the worker. */
static int work(const ns_pool *p, shared *s, int w)
{
  ns_sweep_job job = p->job;
  ns_record r = {0};
  job.stop = &s->stop;
  while (!s->stop) {
    long long place = atomic_fetch_add(&s->next, 1);
    if (place >= p->nruns) break;
    ns_ctx c = {0};
    int failed, crashed;
    atomic_store(&s->at[w], place);
    int rc = ns_sweep_run(&job, &c, p->run[place], &r, &failed, &crashed);
    if (rc == NS_OK) write_record(p, s, &r, failed ? NS_RUN_END_FAILED : NS_RUN_END_COMPLETE);
    else if (rc != NS_STOPPED) give_up(s, rc, c.msg);
    atomic_store(&s->at[w], -1);
    if (crashed) return LOST; /* its memory may be spoilt */
  }
  ns_record_fini(&r);
  return 0;
}

static void worker(const crew *k, int w, pid_t parent)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(LOST);
  /* A Ctrl-C reaches the whole group; the caller decides what it means. */
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGUSR1, SIG_IGN);
  signal(SIGXCPU, SIG_DFL);
  signal(SIGALRM, SIG_IGN); /* of the caller, see urge() */
  close(k->bell[0]);
  _exit(work(k->p, k->s, w));
}

/* ---- caller ---------------------------------------------------------------------------------- */

static int start(crew *k, int w)
{
  pid_t parent = getpid();
  fflush(NULL);
  atomic_store(&k->s->at[w], -1);
  k->pid[w] = fork();
  if (k->pid[w] == 0) worker(k, w, parent);
  if (k->pid[w] < 0) {
    k->pid[w] = 0;
    return ns_fail(k->c, NS_NOMEM, "cannot start a process for the runs: %s", strerror(errno));
  }
  k->alive++;
  return NS_OK;
}

/* From outside: by hand, for want of memory, by a limit of the processor. */
static int was_killed(int status)
{
  int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == ns_status_exit(NS_NOMEM)) return 1;
  return sig == SIGKILL || sig == SIGXCPU || sig == SIGTERM || sig == SIGHUP || sig == SIGINT;
}

/* A worker has ended in the midst of a run: that run failed, or will be done again where it was
 * killed. */
static void note_lost(crew *k, int w, int status)
{
  long long place = atomic_load(&k->s->at[w]);
  const ns_manifest *m = k->p->job.m;
  char why[256];
  ns_record r = {0};
  ns_run_end end = was_killed(status) ? NS_RUN_END_KILLED : NS_RUN_END_FAILED;
  if (place < 0) return;
  if (WIFSIGNALED(status))
    snprintf(why, sizeof why, "the process of the run was killed by SIG%s%s",
             sigabbrev_np(WTERMSIG(status)),
             WTERMSIG(status) == SIGKILL ? ", by a user or for lack of memory" : "");
  else
    snprintf(why, sizeof why, "the process of the run ended with status %d%s", WEXITSTATUS(status),
             m->study->uses_plugins ? ": a plug-in called exit()" : "");
  ns_journal_record(&r, m->key[k->p->run[place]], end, ns_status_exit(NS_PLUGIN), 0, why);
  if (ns_record_seal(&r)) write_record(k->p, k->s, &r, end);
  ns_record_fini(&r);
}

/* Bury those that have ended; as many are born again as are needed. */
static int tend(crew *k)
{
  int status, rc = NS_OK;
  for (int w = 0; w < k->p->workers; w++) {
    if (!k->pid[w] || waitpid(k->pid[w], &status, WNOHANG) != k->pid[w]) continue;
    k->pid[w] = 0;
    k->alive--;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    note_lost(k, w, status);
    if (!rc && !k->s->stop && atomic_load(&k->s->next) < k->p->nruns) rc = start(k, w);
  }
  return rc;
}

/* In batches: a crash of the machine may lose the last second, a kill nothing. */
static void sync_journal(crew *k, int at_once)
{
  long long done = atomic_load(&k->s->done);
  double t = ns_clock();
  if (done == k->synced_done || (!at_once && t - k->synced < 1)) return;
  fdatasync(k->p->journal);
  k->synced = t;
  k->synced_done = done;
}

/* A worker looks whether it is to end between steps; where a plug-in does not return, a timer has
 * to. */
static void urge(const crew *k)
{
  for (int w = 0; w < k->p->workers; w++)
    if (k->pid[w]) kill(k->pid[w], SIGALRM);
}

static void look(crew *k, ns_pool_state *s)
{
  *s = (ns_pool_state){
      .todo = k->p->nruns, .done = atomic_load(&k->s->done), .failed = atomic_load(&k->s->failed)};
  if (k->p->show) k->p->show(k->p->to, s);
}

static int supervise(crew *k, ns_pool_state *s)
{
  int rc = NS_OK;
  for (int w = 0; w < k->p->workers && w < k->p->nruns && !rc; w++) rc = start(k, w);
  close(k->bell[1]); /* new workers inherit no writing end: they are waited for by their numbers */
  while (k->alive) {
    struct pollfd p = {.fd = k->bell[0]};
    int rang = poll(&p, 1, TICK_MS) == 1;
    if (k->p->job.stop && *k->p->job.stop) k->s->stop = 1;
    if (rc) k->s->stop = 1;
    if (k->s->stop && k->p->job.m->study->uses_plugins) urge(k);
    int bad = tend(k);
    if (!rc) rc = bad;
    if (rang && k->alive) poll(NULL, 0, 1);
    sync_journal(k, 0);
    look(k, s);
  }
  sync_journal(k, 1);
  look(k, s);
  return rc;
}

int ns_pool_run(const ns_pool *p, ns_ctx *c, ns_pool_state *state)
{
  crew k = {.p = p,
            .c = c,
            .bytes = sizeof(shared) + (size_t)p->workers * sizeof(atomic_llong),
            .bell = {-1, -1}};
  *state = (ns_pool_state){.todo = p->nruns};
  k.pid = calloc((size_t)p->workers, sizeof *k.pid);
  k.s = mmap(NULL, k.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!k.pid || k.s == MAP_FAILED || pipe(k.bell)) {
    if (k.s != MAP_FAILED) munmap(k.s, k.bytes);
    free(k.pid);
    return ns_nomem(c, "processes of a sweep");
  }
  int rc = supervise(&k, state);
  close(k.bell[0]);
  int trouble = atomic_load(&k.s->trouble),
      stopped = p->job.stop && *p->job.stop && state->done < p->nruns;
  if (!rc && trouble) rc = ns_fail(c, trouble, "%s", k.s->message);
  else if (!rc && stopped) rc = NS_STOPPED;
  munmap(k.s, k.bytes);
  free(k.pid);
  return rc;
}
