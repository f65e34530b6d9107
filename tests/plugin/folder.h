/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.h -- a temporary folder with plug-ins made for one test. */
#ifndef TESTS_PLUGIN_FOLDER_H
#define TESTS_PLUGIN_FOLDER_H

#include "plugin/loader.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[256]; /* of the test: the model's folder */

static NS_PRINTF(1, 2) char *in_folder(const char *fmt, ...)
{
  static char buf[8][512];
  static int k;
  char *s = buf[k++ % 8];
  int n = snprintf(s, sizeof *buf, "%s/", folder);
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(s + n, sizeof *buf - (size_t)n, fmt, ap);
  va_end(ap);
  return s;
}

static NS_PRINTF(1, 2) int shell(const char *fmt, ...)
{
  char cmd[2048];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(cmd, sizeof cmd, fmt, ap);
  va_end(ap);
  return system(cmd);
}

static void put(const char *name, const char *text)
{
  FILE *f = fopen(in_folder("%s", name), "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  fclose(f);
}

/* name.so from a text in C, by the compiler itself; the source does not stay. */
static void library(const char *name, const char *text)
{
  char *source = in_folder("%s.made.c", name);
  put(source + strlen(folder) + 1, text);
  ck_assert_int_eq(shell("cc -w -O0 -fPIC -shared -I'%s/include' -o '%s' '%s'",
                         getenv("TOP") ? getenv("TOP") : ".", in_folder("%s.so", name), source),
                   0);
  unlink(source);
}

/* Variables that tests change: put back, since tests may share a process (CK_FORK=no). */
static const char *const changed[] = {"PATH", "HOME", "XDG_CACHE_HOME", "CC", "NSSIM_CACHE_DIR"};
static char *before[sizeof changed / sizeof *changed];

static void folder_setup(void)
{
  for (size_t i = 0; i < sizeof changed / sizeof *changed; i++)
    before[i] = getenv(changed[i]) ? strdup(getenv(changed[i])) : NULL;
  snprintf(folder, sizeof folder, "%s/nssim-test-XXXXXX",
           getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  setenv("NSSIM_CACHE_DIR", in_folder("cache"), 1);
  unsetenv("CC");
}

static void folder_teardown(void)
{
  for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
    if (before[i]) setenv(changed[i], before[i], 1);
    else unsetenv(changed[i]);
    free(before[i]);
  }
  shell("rm -rf '%s'", folder);
}

/* Everything that a loader said, one message a line. */
typedef struct heard {
  ns_ctx c;
  char text[4096];
} heard;

static void hear(void *to, ns_severity sev, const char *msg)
{
  static const char *const kind[] = {"error", "warning", "note"};
  heard *h = to;
  size_t n = strlen(h->text);
  snprintf(h->text + n, sizeof h->text - n, "%s: %s\n", kind[sev], msg);
}

static void listen_to(heard *h)
{
  memset(h, 0, sizeof *h);
  h->c.report = hear;
  h->c.to = h;
}

#define ck_says(text, part) ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in: %s", part, \
  text)

#endif
