/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep_slurm.h"

#include "cli/provenance.h"
#include "io/textfile.h"

#include <ctype.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 200, PATH = 4096 };

typedef struct line {
  ns_arena *a;
  const char *word[WORDS_MAX];
  int n, lost;
} line;

static void add(line *l, const char *word)
{
  if (!word || l->n == WORDS_MAX) l->lost = 1;
  else l->word[l->n++] = word;
}

/* From anywhere the same file. */
static const char *absolute(ns_arena *a, const char *path)
{
  char *real = realpath(path, NULL);
  const char *kept = real ? ns_arena_text(a, real) : ns_arena_text(a, path);
  free(real);
  return kept;
}

static void add_paths(line *l, const char *option, const char *const *path, int n)
{
  for (int k = 0; k < n; k++) {
    add(l, option);
    add(l, absolute(l->a, path[k]));
  }
}

/* The command of a task, but its share; words as a shell takes them. NULL: out of memory. */
static const char *command(ns_arena *a, const ns_slurm_job *j)
{
  line l = {.a = a};
  char self[PATH], jobs[32];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n > 0) self[n] = 0;
  snprintf(jobs, sizeof jobs, "%lld", j->jobs);
  add(&l, n > 0 ? self : "nssim");
  add(&l, "sweep");
  add(&l, absolute(a, j->study));
  add(&l, "-o");
  add(&l, absolute(a, j->dir));
  add(&l, "-j");
  add(&l, jobs);
  if (j->options->model) add_paths(&l, "--model", &j->options->model, 1);
  add_paths(&l, "--allow-include", j->options->allow_include, j->options->nallow);
  add_paths(&l, "--plugin-path", j->options->plugin_path, j->options->nplugin_path);
  if (j->trajectories) {
    add(&l, "--trajectories");
    add(&l, j->trajectories + 1);
  }
  if (j->retry) add(&l, "--retry-failed");
  add(&l, "--progress=lines");
  return l.lost ? NULL : ns_provenance_words(a, l.n, l.word);
}

/* Letters that every Slurm takes. */
static const char *job_name(ns_arena *a, const ns_slurm_job *j)
{
  char *s = ns_arena_text(a, *j->name ? j->name : "nssim-sweep");
  for (char *p = s; p && *p; p++)
    if (!isalnum((unsigned char)*p) && !strchr("-_.", *p)) *p = '-';
  return s;
}

static int put(ns_ctx *c, ns_textfile *f, const ns_slurm_job *j, const char *name, const char *cmd,
               const char *dir)
{
  char head[2 * PATH + 600];
  snprintf(
      head, sizeof head,
      "#!/bin/sh\n"
      "# Written by nssim sweep --slurm: one task per share. Add the options of your cluster "
      "(account, partition, time).\n"
      "#SBATCH --job-name=%s\n"
      "#SBATCH --array=1-%lld\n"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --cpus-per-task=%lld\n"
      "#SBATCH --output=%s/slurm-%%A_%%a.out\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --requeue\n"
      "# Two minutes before its time limit a task saves its results and returns to the queue.\n"
      "#SBATCH --signal=USR1@120\n",
      name, j->tasks, j->jobs, dir);
  int rc = ns_textfile_puts(f, c, head);
  if (!rc) rc = ns_textfile_puts(f, c, "srun --cpus-per-task=\"$SLURM_CPUS_PER_TASK\" ");
  if (!rc) rc = ns_textfile_puts(f, c, cmd);
  snprintf(head, sizeof head,
           " --share \"$SLURM_ARRAY_TASK_ID/%lld\"\n"
           "status=$?\n"
           "if [ \"$status\" = 75 ]; then scontrol requeue \"$SLURM_JOB_ID\"; fi\n"
           "exit \"$status\"\n",
           j->tasks);
  return rc ? rc : ns_textfile_puts(f, c, head);
}

int ns_slurm_write(ns_ctx *c, ns_arena *a, const ns_slurm_job *j)
{
  char path[PATH];
  ns_textfile f;
  const char *name = job_name(a, j), *cmd = command(a, j), *dir = absolute(a, j->dir);
  if (!name || !cmd || !dir) return ns_nomem(c, "script for Slurm");
  if (strpbrk(dir, " \t\n\"'"))
    return ns_fail(c, NS_NOCREATE,
                   "%s: Slurm does not support blanks or quotes in the name of the folder; give "
                   "another one with -o",
                   dir);
  snprintf(path, sizeof path, "%s/slurm.sh", j->dir);
  int rc = ns_textfile_open(c, path, &f);
  if (rc) return rc;
  rc = ns_textfile_truncate(&f, c);
  if (!rc) rc = put(c, &f, j, name, cmd, dir);
  int closed = ns_textfile_close(&f, c);
  chmod(path, 0755);
  return rc ? rc : closed;
}

int ns_slurm_submit(ns_ctx *c, const char *dir)
{
  char path[PATH], word[] = "sbatch";
  char *argv[] = {word, path, NULL};
  pid_t pid;
  int status;
  snprintf(path, sizeof path, "%s/slurm.sh", dir);
  fflush(stdout);
  int e = posix_spawnp(&pid, word, NULL, NULL, argv, environ);
  if (e)
    return ns_fail(c, NS_OUTPUT, "sbatch: %s; %s is written, submit it on a machine with Slurm",
                   strerror(e), path);
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return ns_fail(c, NS_OUTPUT, "sbatch: %s", strerror(errno));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return NS_OK;
  return ns_fail(c, NS_OUTPUT, "sbatch refused %s (status %d)", path,
                 WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}
