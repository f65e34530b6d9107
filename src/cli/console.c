/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/console.h"

#include "base/suggest.h"
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ns_console_terminal(FILE *f)
{
  const char *term = getenv("TERM");
  return isatty(fileno(f)) && !(term && strcmp(term, "dumb") == 0);
}

int ns_console_colour(FILE *f)
{
  const char *no = getenv("NO_COLOR"); /* no-color.org: present and not empty */
  return !(no && *no) && ns_console_terminal(f);
}

void ns_console_report(void *to, ns_severity sev, const char *msg)
{
  static const struct {
    const char *word, *colour;
  } kind[] = {
      [NS_SEV_ERROR] = {"error", "\033[1;31m"},
      [NS_SEV_WARNING] = {"warning", "\033[1;33m"},
      [NS_SEV_NOTE] = {"note", "\033[1;36m"},
  };
  (void)to;
  if (ns_console_colour(stderr))
    fprintf(stderr, "nssim: %s%s:\033[0m %s\n", kind[sev].colour, kind[sev].word, msg);
  else fprintf(stderr, "nssim: %s: %s\n", kind[sev].word, msg);
}

ns_ctx ns_cli_context(void) { return (ns_ctx){.report = ns_console_report}; }

int ns_cli_exit(const ns_ctx *c) { return c->rc == NS_OK ? 0 : ns_status_exit(c->rc); }

int ns_console_usage(const char *who, const char *fmt, ...)
{
  char msg[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(msg, sizeof msg, fmt, ap);
  va_end(ap);
  ns_console_report(NULL, NS_SEV_ERROR, msg);
  fprintf(stderr, "Try '%s --help'.\n", who);
  return ns_status_exit(NS_USAGE);
}

/* ---- options --------------------------------------------------------------------------------- */

/* Offer the long options of a and its children. *known: the name begins one of them, and *value:
 * that one takes the next word. */
static void look_up(const struct argp *a, ns_suggest *s, int *known, int *value)
{
  for (const struct argp_option *o = a->options; o && (o->name || o->key || o->doc); o++) {
    if (!o->name) continue;
    if (strncmp(o->name, s->name, s->len) == 0) {
      *known = 1;
      *value = o->arg && !(o->flags & OPTION_ARG_OPTIONAL);
    }
    ns_suggest_offer(s, o->name);
  }
  for (const struct argp_child *c = a->children; c && c->argp; c++)
    look_up(c->argp, s, known, value);
}

/* 1 if the short options in `word` (such as -qo) end in one that takes the next word. */
static int short_takes_next(const struct argp *a, const char *word)
{
  int last = word[strlen(word) - 1];
  for (const struct argp_option *o = a->options; o && (o->name || o->key || o->doc); o++)
    if (o->key == last && o->arg && !(o->flags & OPTION_ARG_OPTIONAL)) return 1;
  for (const struct argp_child *c = a->children; c && c->argp; c++)
    if (short_takes_next(c->argp, word)) return 1;
  return 0;
}

static int check_names(const struct argp *a, int argc, char **argv)
{
  static const char *const everywhere[] = {"help", "usage", "version"};
  for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
    const char *w = argv[k];
    if (w[0] != '-' || !w[1]) continue;
    if (strcmp(w, "-h") == 0) { /* what many would type; argp says -? */
      static char help[] = "--help";
      argv[k] = help;
      return 0;
    }
    if (w[1] != '-') {
      k += short_takes_next(a, w);
      continue;
    }
    size_t len = strcspn(w + 2, "=");
    int known = 0, value = 0;
    ns_suggest s;
    ns_suggest_init(&s, w + 2, len);
    for (size_t j = 0; j < sizeof everywhere / sizeof *everywhere; j++) {
      known |= strncmp(everywhere[j], w + 2, len) == 0;
      ns_suggest_offer(&s, everywhere[j]);
    }
    if (!known) look_up(a, &s, &known, &value);
    if (known) {
      k += value && !w[2 + len];
      continue;
    }
    if (s.best)
      return ns_console_usage(argv[0], "unknown option '--%.*s'; did you mean '--%s'?", (int)len,
                              w + 2, s.best);
    return ns_console_usage(argv[0], "unknown option '--%.*s'", (int)len, w + 2);
  }
  return 0;
}

int ns_console_parse(const struct argp *a, int argc, char **argv, void *input)
{
  int status = check_names(a, argc, argv);
  if (status) return status;
  error_t e = argp_parse(a, argc, argv, 0, NULL, input);
  if (e == 0) return 0;
  ns_ctx c = ns_cli_context();
  if (e == ENOMEM) ns_nomem(&c, "command line");
  else ns_fail(&c, NS_USAGE, "%s: %s", argv[0], strerror(e));
  return ns_cli_exit(&c);
}

/* ---- numbers --------------------------------------------------------------------------------- */

int ns_console_integer(const char *text, long long min, long long *value)
{
  char *end;
  errno = 0;
  *value = strtoll(text, &end, 10);
  return end != text && !*end && errno == 0 && *value >= min;
}

int ns_console_real(const char *text, double *value)
{
  char *end;
  *value = strtod(text, &end);
  return end != text && !*end && isfinite(*value);
}

int ns_console_span(const char *text, double *value, double *unit)
{
  static const struct {
    const char *name;
    double s;
  } units[] = {{"min", 60}, {"h", 3600}, {"s", 1}};
  char number[64];
  size_t n = strlen(text);
  *unit = 0;
  for (size_t k = 0; k < sizeof units / sizeof *units && *unit == 0; k++) {
    size_t m = strlen(units[k].name);
    if (n <= m || strcmp(text + n - m, units[k].name) != 0) continue;
    *unit = units[k].s;
    n -= m;
  }
  while (n && text[n - 1] == ' ') n--;
  if (n >= sizeof number) return 0;
  memcpy(number, text, n);
  number[n] = '\0';
  return ns_console_real(number, value) && *value > 0;
}

int ns_console_duration_of(const char *text, double *seconds)
{
  double unit;
  if (!ns_console_span(text, seconds, &unit)) return 0;
  if (unit > 0) *seconds *= unit;
  return 1;
}

void ns_console_time(struct argp_state *state, const char *name, const char *arg, double *x)
{
  if (!ns_console_real(arg, x))
    argp_error(state, "--%s '%s': expected a time in seconds", name, arg);
}

void ns_console_count(struct argp_state *state, const char *name, const char *arg, size_t *to)
{
  long long n = 0;
  if (!ns_console_integer(arg, 1, &n))
    argp_error(state, "--%s '%s': expected a whole number, 1 or more", name, arg);
  *to = (size_t)n;
}

error_t ns_console_file(struct argp_state *state, int key, const char *arg, const char *example,
                        const char **path)
{
  if (key == ARGP_KEY_NO_ARGS) argp_error(state, "no file: expected %s", example);
  if (key != ARGP_KEY_ARG) return key == ARGP_KEY_NO_ARGS ? EINVAL : ARGP_ERR_UNKNOWN;
  if (*path) argp_error(state, "two files, '%s' and '%s': expected one", *path, arg);
  *path = arg;
  return 0;
}

const char *ns_console_duration(double s, char *buf, size_t n)
{
  if (s < 1e-6) snprintf(buf, n, "%.3g ns", s * 1e9);
  else if (s < 1e-3) snprintf(buf, n, "%.3g us", s * 1e6);
  else if (s < 1) snprintf(buf, n, "%.3g ms", s * 1e3);
  else if (s < 60) snprintf(buf, n, "%.3g s", s);
  else if (s < 3600) snprintf(buf, n, "%.0f min %.0f s", floor(s / 60), floor(fmod(s, 60)));
  else snprintf(buf, n, "%.0f h %.0f min", floor(s / 3600), floor(fmod(s, 3600) / 60));
  return buf;
}

const char *ns_console_bytes(double b, char *buf, size_t n)
{
  static const char *const unit[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  size_t k = 0;
  while (b >= 999.5 && k + 1 < sizeof unit / sizeof *unit) {
    b /= 1000;
    k++;
  }
  snprintf(buf, n, "%.3g %s", b, unit[k]);
  return buf;
}

const char *ns_console_bound(double x, char *buf, size_t n)
{
  snprintf(buf, n, "%.2g", x);
  if (isfinite(x) && x > 0 && strtod(buf, NULL) < x) {
    /* Half a unit of the second digit more: then rounding to nearest rounds up. */
    double unit = pow(10, floor(log10(x)) - 1);
    snprintf(buf, n, "%.2g", x + 0.5 * unit);
  }
  return buf;
}
