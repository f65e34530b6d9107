/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plot/gnuplot.h"

#include "io/textfile.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int no_memory_file(ns_ctx *c)
{
  return ns_fail(c, NS_NOMEM, "no memory file for gnuplot: %s", strerror(errno));
}

FILE *ns_gnuplot_script(ns_ctx *c)
{
  int fd = memfd_create("script", MFD_CLOEXEC);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "w+");
  if (f) return f;
  no_memory_file(c);
  if (fd >= 0) close(fd);
  return NULL;
}

void ns_gnuplot_quote(FILE *script, const char *s)
{
  fputc('\'', script);
  for (; *s; s++) {
    unsigned char ch = (unsigned char)*s;
    if (ch == '\'') fputs("\342\200\231", script); /* gnuplot reads '' right only in some places */
    else fputc(ch < ' ' || ch == 127 ? ' ' : ch, script);
  }
  fputc('\'', script);
}

/* gnuplot with the three memory files as its streams; its pid or -1 with errno. */
static pid_t start(int in, int out, int err)
{
  /* -d: no settings of the user; "-": the script stands on standard input */
  char name[] = "gnuplot", plain[] = "-d", from[] = "-", *argv[] = {name, plain, from, NULL};
  posix_spawn_file_actions_t a;
  pid_t pid = -1;
  int e = posix_spawn_file_actions_init(&a);
  if (!e) {
    e = posix_spawn_file_actions_adddup2(&a, in, 0);
    if (!e) e = posix_spawn_file_actions_adddup2(&a, out, 1);
    if (!e) e = posix_spawn_file_actions_adddup2(&a, err, 2);
    if (!e) e = posix_spawnp(&pid, name, &a, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&a);
  }
  errno = e;
  return e ? -1 : pid;
}

static int missing(ns_ctx *c)
{
  if (errno != ENOENT && errno != EACCES)
    return ns_fail(c, NS_PLUGIN, "gnuplot cannot be started: %s", strerror(errno));
  return ns_fail(c, NS_PLUGIN,
                 "plots require gnuplot, which is not installed: install the package gnuplot-nox, "
                 "or export columns with `nssim info FILE --print QUANTITY`");
}

/* What gnuplot said, blanks instead of line ends. */
static int refused(ns_ctx *c, int err, int status)
{
  char text[600];
  ssize_t n = pread(err, text, sizeof text - 1, 0);
  text[n > 0 ? n : 0] = 0;
  for (char *s = text; *s; s++)
    if ((unsigned char)*s < ' ') *s = ' ';
  return ns_fail(c, NS_PLUGIN, "gnuplot failed (status %d): %s", status, text);
}

/* The picture from its memory file to its place. */
static int deliver(ns_ctx *c, int out, const char *path)
{
  ns_textfile f;
  char buf[16384];
  ssize_t n;
  off_t at = 0;
  int rc = ns_textfile_open(c, path, &f);
  if (rc) return rc;
  rc = ns_textfile_truncate(&f, c);
  while (!rc && (n = pread(out, buf, sizeof buf, at)) > 0) {
    rc = ns_textfile_put(&f, c, buf, (size_t)n);
    at += n;
  }
  int end = ns_textfile_close(&f, c);
  return rc ? rc : end;
}

static int run(ns_ctx *c, int in, int out, int err, const char *path)
{
  int status = 0;
  pid_t pid = start(in, out, err);
  if (pid < 0) return missing(c);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    errno = ENOENT;
    return missing(c);
  }
  if (status != 0 || lseek(out, 0, SEEK_END) <= 0) return refused(c, err, status);
  return deliver(c, out, path);
}

int ns_gnuplot_run(ns_ctx *c, FILE *script, const char *path)
{
  int out = memfd_create("picture", MFD_CLOEXEC), err = memfd_create("messages", MFD_CLOEXEC);
  int rc = out < 0 || err < 0 || fflush(script) != 0 || lseek(fileno(script), 0, SEEK_SET) != 0
               ? no_memory_file(c)
               : run(c, fileno(script), out, err, path);
  if (out >= 0) close(out);
  if (err >= 0) close(err);
  fclose(script);
  return rc;
}
