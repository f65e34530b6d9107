/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/load_messages.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Length of the file name in front of ":line:", 0 where there is none. */
static size_t place(const char *msg, int *line)
{
  for (const char *p = strchr(msg, ':'); p; p = strchr(p + 1, ':')) {
    char *end;
    if (!isdigit((unsigned char)p[1])) continue;
    long n = strtol(p + 1, &end, 10);
    if (*end != ':' || n > 2000000000) continue;
    *line = (int)n;
    return (size_t)(p - msg);
  }
  return 0;
}

static void on_report(void *to, ns_severity sev, const char *msg)
{
  ns_messages *m = to;
  if (sev == NS_SEV_WARNING) ns_warn(m->to, "%s", msg);
  if (sev == NS_SEV_NOTE) ns_note(m->to, "%s", msg);
  if (sev != NS_SEV_ERROR) return;
  for (int i = 0; i < m->n; i++)
    if (!strcmp(m->m[i].text, msg)) return;
  if (m->n == NS_MESSAGES_MAX) {
    m->left_out++;
    return;
  }
  ns_message *k = &m->m[m->n];
  *k = (ns_message){.text = strdup(msg), .file = m->n, .line = -1, .seq = m->n};
  if (!k->text) {
    m->lost++;
    return;
  }
  size_t len = place(msg, &k->line);
  for (int i = 0; len && i < m->n; i++)
    if (!strncmp(m->m[i].text, msg, len) && m->m[i].text[len] == ':') {
      k->file = m->m[i].file;
      break;
    }
  m->n++;
}

static void on_alive(void *to, const char *doing, long done, long of)
{
  const ns_messages *m = to;
  ns_alive(m->to, doing, done, of);
}

void ns_messages_init(ns_messages *m, ns_ctx *to)
{
  *m = (ns_messages){.to = to};
  m->c.report = on_report;
  if (to->alive) m->c.alive = on_alive;
  m->c.to = m;
}

void ns_messages_rewind(ns_messages *m, const ns_messages *before)
{
  for (int i = before->n; i < m->n; i++) free(m->m[i].text);
  *m = *before;
}

int ns_messages_full(const ns_messages *m) { return m->left_out > 0 || m->c.rc == NS_NOMEM; }

static int by_line(const void *x, const void *y)
{
  const ns_message *a = x, *b = y;
  if (a->file != b->file) return a->file < b->file ? -1 : 1;
  if (a->line != b->line) return a->line < b->line ? -1 : 1;
  return a->seq - b->seq;
}

int ns_messages_flush(ns_messages *m)
{
  int rc = m->c.rc;
  qsort(m->m, (size_t)m->n, sizeof *m->m, by_line);
  for (int i = 0; i < m->n; i++) {
    ns_fail(m->to, rc, "%s", m->m[i].text);
    free(m->m[i].text);
  }
  if (m->lost && rc) ns_nomem(m->to, "messages");
  if (m->left_out) ns_fail(m->to, rc, "further errors are not shown; correct these first");
  m->n = m->lost = m->left_out = 0;
  return rc;
}
