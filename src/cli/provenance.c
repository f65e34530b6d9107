/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/provenance.h"

#include "cli/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int is_plain(const char *w)
{
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=,:@%+";
  return *w && w[strspn(w, plain)] == '\0';
}

/* Append w to p as one word of a shell; returns the end. p holds 4 times the length and 3 more. */
static char *quote(char *p, const char *w)
{
  if (is_plain(w)) return stpcpy(p, w);
  *p++ = '\'';
  for (; *w; w++)
    if (*w == '\'') p = stpcpy(p, "'\\''");
    else *p++ = *w;
  *p++ = '\'';
  *p = '\0';
  return p;
}

const char *ns_provenance_words(ns_arena *a, int n, const char *const *word)
{
  size_t max = 1;
  for (int k = 0; k < n; k++) max += 4 * strlen(word[k]) + 4;
  char *text = ns_arena_get(a, max, 1);
  if (!text) return NULL;
  char *p = text;
  *p = '\0';
  for (int k = 0; k < n; k++) {
    if (k) *p++ = ' ';
    p = quote(p, word[k]);
  }
  return text;
}

/* argv[0], "nssim run", is two words already. */
static const char *quote_all(ns_arena *a, int argc, char **argv)
{
  const char *rest = ns_provenance_words(a, argc - 1, (const char *const *)argv + 1);
  return rest ? ns_arena_format(a, "%s%s%s", argv[0], argc > 1 ? " " : "", rest) : NULL;
}

const char *ns_provenance_now(char buf[NS_PROVENANCE_DATE])
{
  time_t t = time(NULL);
  struct tm utc;
  gmtime_r(&t, &utc);
  strftime(buf, NS_PROVENANCE_DATE, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return buf;
}

/* The environment knows the name; asking the system's data base would load its modules. */
static void user_name(char *buf, size_t n)
{
  const char *name = getenv("LOGNAME");
  if (!name || !*name) name = getenv("USER");
  if (name && *name) snprintf(buf, n, "%s", name);
  else snprintf(buf, n, "uid %ld", (long)getuid());
}

int ns_provenance_init(ns_run_origin *p, ns_ctx *c, ns_arena *a, int argc, char **argv)
{
  p->command = quote_all(a, argc, argv);
  if (!p->command) return ns_nomem(c, "command line");
  if (gethostname(p->host, sizeof p->host) != 0) strcpy(p->host, "unknown");
  p->host[sizeof p->host - 1] = '\0';
  user_name(p->user, sizeof p->user);
  ns_provenance_now(p->started);
  return NS_OK;
}

void ns_provenance_info(ns_run_origin *p, const ns_model *m, ns_run_info *info)
{
  ns_version_libraries(p->libraries, sizeof p->libraries);
  *info = (ns_run_info){.model = m,
                        .version = NS_VERSION,
                        .command = p->command,
                        .host = p->host,
                        .user = p->user,
                        .started = p->started,
                        .libraries = p->libraries};
}
