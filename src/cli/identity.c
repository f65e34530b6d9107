/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/identity.h"

#include "cli/version.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

typedef struct sha256_ctx sum;

static void add(sum *h, const void *bytes, size_t n) { sha256_update(h, n, bytes); }
static void add_text(sum *h, const char *s)
{
  add(h, s ? s : "", s ? strlen(s) + 1 : 1);
} /* with its end: texts do not run together */

static void end(sum *h, unsigned char digest[NS_DIGEST]) { sha256_digest(h, NS_DIGEST, digest); }

static int is_plugin(const ns_job *s, const char *path)
{
  const char *p;
  for (int k = 0; s->plugins && (p = ns_plugins_path(s->plugins, k)); k++)
    if (!strcmp(p, path)) return 1;
  return 0;
}

/* Content, not names: a folder may be moved. */
static void files(const ns_job *s, int plugins, unsigned char digest[NS_DIGEST])
{
  const ns_model *m = s->model;
  sum h;
  sha256_init(&h);
  for (int k = 0; k < m->nsources; k++)
    if (is_plugin(s, m->sources[k].path) == plugins) add_text(&h, m->sources[k].sha256);
  for (int k = 0; k < m->nparameters && !plugins; k++) {
    add_text(&h, m->parameters[k].name);
    add(&h, &m->parameters[k].value, sizeof m->parameters[k].value);
  }
  if (!plugins) add_text(&h, m->xml);
  end(&h, digest);
}

static void options(const ns_job *s, const char *format, unsigned char digest[NS_DIGEST])
{
  int n, every = ns_job_every(s);
  const char *const *pattern = ns_job_record(s, &n);
  const double times[] = {s->model->sim.t0, s->model->sim.ts.h};
  sum h;
  sha256_init(&h);
  add_text(&h, format);
  add(&h, times, sizeof times);
  if (ns_simulation_plan(s->sim)->replays) add(&h, &s->model->sim.T, sizeof s->model->sim.T);
  add(&h, &every, sizeof every);
  for (int k = 0; k < n; k++) add_text(&h, pattern[k]);
  end(&h, digest);
}

/* The program as it runs, and the libraries that its numbers come from. */
static int program(ns_ctx *c, unsigned char digest[NS_DIGEST])
{
  char piece[1 << 14], text[512];
  sum h;
  FILE *f = fopen("/proc/self/exe", "rb");
  if (!f)
    return ns_fail(c, NS_NOINPUT,
                   "/proc/self/exe: %s; a checkpoint must identify the program that writes it",
                   strerror(errno));
  sha256_init(&h);
  for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;) add(&h, piece, n);
  fclose(f);
  add_text(&h, ns_version_libraries(text, sizeof text));
  add_text(&h, gnu_get_libc_version());
  end(&h, digest);
  return NS_OK;
}

int ns_identity_of(ns_job *s, const char *format, ns_identity *id)
{
  files(s, 0, id->model);
  files(s, 1, id->plugins);
  options(s, format, id->options);
  return program(&s->ctx, id->binary);
}

const char *ns_identity_differs(const ns_identity *a, const ns_identity *b)
{
  if (memcmp(a->model, b->model, NS_DIGEST) != 0)
    return "of another model: its text, its files or its parameters differ (a later end is "
           "--t-end, not a change of the file)";
  if (memcmp(a->plugins, b->plugins, NS_DIGEST) != 0)
    return "of another plug-in: its file has changed since";
  if (memcmp(a->options, b->options, NS_DIGEST) != 0)
    return "of other options: what is recorded, how often, the format of the output, or the end of "
           "an event-driven run differs";
  if (memcmp(a->binary, b->binary, NS_DIGEST) != 0)
    return "of another program: another nssim or other libraries wrote it";
  return NULL;
}

void ns_identity_cpu(char *buf, size_t n)
{
  char line[512];
  FILE *f = fopen("/proc/cpuinfo", "r");
  snprintf(buf, n, "unknown");
  while (f && fgets(line, sizeof line, f)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon) continue;
    colon += 1 + strspn(colon + 1, " ");
    colon[strcspn(colon, "\n")] = '\0';
    snprintf(buf, n, "%s", colon);
    break;
  }
  if (f) fclose(f);
}
