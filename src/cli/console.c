/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/console.h"

#include "base/grow.h"
#include "base/suggest.h"
#include "cli/cli.h"
#include "io/results/result.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

int ns_cli_is_folder(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int ns_cli_open_result(ns_ctx *c, const char *path, ns_result **r)
{
  char near[PATH_MAX];
  *r = NULL;
  if (access(path, F_OK) == 0 || errno != ENOENT) return ns_result_open(c, path, r);
  const char *why = strerror(ENOENT);
  if (ns_suggest_file(path, near, sizeof near))
    return ns_fail(c, NS_NOINPUT, "%s: cannot read: %s; did you mean %s?", path, why, near);
  return ns_fail(c, NS_NOINPUT,
                 "%s: cannot read: %s; correct its path, or write it with `nssim run MODEL.xml "
                 "-o %s`",
                 path, why, path);
}

int ns_cli_exit(const ns_ctx *c) { return c->rc == NS_OK ? 0 : ns_status_exit(c->rc); }

int ns_console_usage(const char *who, const char *fmt, ...)
{
  char msg[1024];
  NS_FORMAT(msg, fmt);
  ns_console_report(NULL, NS_SEV_ERROR, msg);
  fprintf(stderr, "Try '%s --help'.\n", who);
  return ns_status_exit(NS_USAGE);
}

/* ---- options --------------------------------------------------------------------------------- */

/* What every command has. argp's own table shows -? alone. */
enum { KEY_USAGE = 0x7000 };

static const struct argp_option common_options[] = {
    {"help", 'h', 0, 0, "Show this help", -1},
    {0, '?', 0, OPTION_ALIAS | OPTION_HIDDEN, 0, -1},
    {"usage", KEY_USAGE, 0, 0, "Show the options briefly", 0},
    {"version", 'V', 0, 0, "Show the version", 0},
    {0},
};

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
  (void)arg;
  switch (key) {
  case 'h':
  case '?': argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP); return 0;
  case KEY_USAGE:
    argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
    return 0;
  case 'V': argp_program_version_hook(state->out_stream, state); exit(0);
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp common = {.options = common_options, .parser = parse_common};

/* The option of a long name that may be cut short, as getopt takes it. */
typedef struct long_option {
  const char *name;
  size_t len;
  const struct argp_option *found;
  int exact, matches;
  char matching[256]; /* "--a, --b" */
  int suggests;       /* names that are like it are looked for */
  ns_suggest suggest;
} long_option;

static int is_end(const struct argp_option *o) { return !o->name && !o->key && !o->doc; }

static void match(long_option *l, const struct argp_option *o)
{
  if (l->suggests) ns_suggest_offer(&l->suggest, o->name);
  if (strncmp(o->name, l->name, l->len) != 0) return;
  int exact = strlen(o->name) == l->len;
  if (l->exact && !exact) return;
  l->exact = exact;
  l->found = o;
  l->matches++;
  size_t used = strlen(l->matching);
  snprintf(l->matching + used, sizeof l->matching - used, "%s--%s", used ? ", " : "", o->name);
}

static void look_up_among(const struct argp *a, long_option *l)
{
  for (const struct argp_option *o = a->options; o && !is_end(o); o++)
    if (o->name) match(l, o);
  for (const struct argp_child *c = a->children; c && c->argp; c++) look_up_among(c->argp, l);
}

static void look_up_long(const struct argp *a, long_option *l)
{
  look_up_among(a, l);
  look_up_among(&common, l);
  l->suggests = !l->found;
  if (!l->suggests) return;
  l->suggest = ns_suggest_for(l->name, l->len);
  look_up_among(a, l);
  look_up_among(&common, l);
}

static const struct argp_option *look_up_short(const struct argp *a, int letter)
{
  for (const struct argp_option *o = a->options; o && !is_end(o); o++)
    if (o->key == letter) return o;
  const struct argp_option *found = NULL;
  for (const struct argp_child *c = a->children; c && c->argp && !found; c++)
    found = look_up_short(c->argp, letter);
  return found;
}

static int needs_argument(const struct argp_option *o)
{
  return o->arg && !(o->flags & OPTION_ARG_OPTIONAL);
}

/* The command has -p NAME=VALUE, which a stranger to it does not expect. */
static int sets_parameters(const struct argp *a)
{
  const struct argp_option *o = look_up_short(a, 'p');
  return o && o->name && !strcmp(o->name, "parameter");
}

/* A word with one hyphen that has an option of the same name with two: -help. */
static const char *long_form(const struct argp *a, const char *word)
{
  long_option l = {.name = word + 1, .len = strlen(word + 1)};
  if (l.len < 3) return NULL;
  look_up_long(a, &l);
  return l.found && l.exact ? l.found->name : NULL;
}

/* Letters of one word, as -qo. *next: the last one takes the next word, which is there or not. */
static int check_letters(const struct argp *a, const char *who, const char *word, int has_next,
                         int *next)
{
  for (const char *w = word + 1; *w; w++) {
    const struct argp_option *o = look_up_short(a, *w);
    if (!o) o = look_up_short(&common, *w);
    const char *with_two = o ? NULL : long_form(a, word);
    if (with_two)
      return ns_console_usage(who, "unknown option '%s'; did you mean '--%s'?", word, with_two);
    if (!o && sets_parameters(a))
      return ns_console_usage(
          who, "unknown option '-%c'; parameters, T and h are set by -p, as in -p T=2", *w);
    if (!o && *w == 'p' && strstr(who, "sweep"))
      return ns_console_usage(who, "unknown option '-p'; the study states the values to vary: "
                                   "<range name=\"e\" from=\"0\" to=\"1\" count=\"11\"/>");
    if (!o) return ns_console_usage(who, "unknown option '-%c'", *w);
    if (!o->arg) continue;
    *next = !w[1] && needs_argument(o);
    if (*next && !has_next)
      return ns_console_usage(who, "option '-%c' needs an argument, %s", *w, o->arg);
    break;
  }
  return 0;
}

static int check_long(const struct argp *a, const char *who, const char *word, int has_next,
                      int *next)
{
  long_option l = {.name = word + 2, .len = strcspn(word + 2, "=")};
  int len = (int)l.len, value = word[2 + l.len] == '=';
  look_up_long(a, &l);
  if (!l.found && l.suggest.best)
    return ns_console_usage(who, "unknown option '--%.*s'; did you mean '--%s'?", len, l.name,
                            l.suggest.best);
  if (len == 1 && l.matches < 2 && !l.exact && sets_parameters(a))
    return ns_console_usage(who,
                            "unknown option '--%.*s'; parameters, T and h are set by -p, as in "
                            "-p T=2",
                            len, l.name);
  if (!l.found) return ns_console_usage(who, "unknown option '--%.*s'", len, l.name);
  if (!l.exact && l.matches > 1)
    return ns_console_usage(who, "option '--%.*s' is ambiguous: %s", len, l.name, l.matching);
  if (value && !l.found->arg)
    return ns_console_usage(who, "option '--%s' takes no argument", l.found->name);
  *next = !value && needs_argument(l.found);
  if (*next && !has_next)
    return ns_console_usage(who, "option '--%s' needs an argument, %s", l.found->name,
                            l.found->arg);
  return 0;
}

/* Every option is one of a, with an argument where it needs one: what getopt would say in a style
 * of its own is said here as all other usage errors are. */
static int check_names(const struct argp *a, int argc, char **argv)
{
  for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
    const char *w = argv[k];
    if (w[0] != '-' || !w[1]) continue;
    int next = 0, has_next = k + 1 < argc;
    if (strcmp(w, "-h") == 0 || strcmp(w, "-?") == 0 || strcmp(w, "--help") == 0) return 0;
    int status = w[1] == '-' ? check_long(a, argv[0], w, has_next, &next)
                             : check_letters(a, argv[0], w, has_next, &next);
    if (status) return status;
    k += next;
  }
  return 0;
}

void ns_console_refuse(const struct argp_state *state, const char *fmt, ...)
{
  char msg[1024];
  NS_FORMAT(msg, fmt);
  exit(ns_console_usage(state->name, "%s", msg));
}

int ns_console_parse(const struct argp *a, int argc, char **argv, void *input)
{
  int status = check_names(a, argc, argv);
  if (status) return status;
  const struct argp_child children[] = {{a, 0, 0, 0}, {&common, 0, 0, 0}, {0}};
  const struct argp all = {.children = children};
  error_t e = argp_parse(&all, argc, argv, ARGP_NO_HELP, NULL, input);
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

error_t ns_console_store(const ns_console_target *t, int key, char *arg, struct argp_state *state)
{
  long long n = 0;
  while (t->key && t->key != key) t++;
  if (!t->key) return ARGP_ERR_UNKNOWN;
  void *to = (char *)state->input + t->at;
  switch (t->kind) {
  case NS_CONSOLE_TEXT: memcpy(to, &arg, sizeof arg); break;
  case NS_CONSOLE_FLAG: *(int *)to = 1; break;
  case NS_CONSOLE_TIME:
    if (!ns_console_real(arg, to))
      ns_console_refuse(state, "%s '%s': expected a time in seconds", t->name, arg);
    break;
  case NS_CONSOLE_AMOUNT:
    if (!ns_console_real(arg, to) || *(double *)to < 0)
      ns_console_refuse(state, "%s '%s': expected a number, 0 or more", t->name, arg);
    break;
  case NS_CONSOLE_COUNT:
    if (!ns_console_integer(arg, 1, &n))
      ns_console_refuse(state, "%s '%s': expected a whole number, 1 or more", t->name, arg);
    *(size_t *)to = (size_t)n;
    break;
  case NS_CONSOLE_WHOLE:
    if (!ns_console_integer(arg, 1, to) || *(long long *)to > t->max)
      ns_console_refuse(state, "%s '%s': expected a whole number from 1 to %lld", t->name, arg,
                        t->max);
    break;
  }
  return 0;
}

error_t ns_console_file(struct argp_state *state, int key, const char *arg, const char *example,
                        const char **path)
{
  if (key == ARGP_KEY_NO_ARGS) ns_console_refuse(state, "no file given: expected %s", example);
  if (key != ARGP_KEY_ARG) return key == ARGP_KEY_NO_ARGS ? EINVAL : ARGP_ERR_UNKNOWN;
  if (*path) ns_console_refuse(state, "two files, '%s' and '%s': expected one", *path, arg);
  *path = arg;
  return 0;
}

ns_console_words ns_console_duration(double s)
{
  ns_console_words w = {"?"};
  size_t n = sizeof w.text;
  if (s < 1e-6) snprintf(w.text, n, "%.3g ns", s * 1e9);
  else if (s < 1e-3) snprintf(w.text, n, "%.3g us", s * 1e6);
  else if (s < 1) snprintf(w.text, n, "%.3g ms", s * 1e3);
  else if (s < 60) snprintf(w.text, n, "%.3g s", s);
  else if (s < 3600) snprintf(w.text, n, "%.0f min %.0f s", floor(s / 60), floor(fmod(s, 60)));
  else if (!isnan(s))
    snprintf(w.text, n, "%.0f h %.0f min", floor(s / 3600), floor(fmod(s, 3600) / 60));
  return w;
}

ns_console_words ns_console_bytes(double b)
{
  static const char *const unit[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  ns_console_words w;
  size_t k = 0;
  while (b >= 999.5 && k + 1 < sizeof unit / sizeof *unit) {
    b /= 1000;
    k++;
  }
  snprintf(w.text, sizeof w.text, "%.3g %s", b, unit[k]);
  return w;
}

ns_console_words ns_console_bound(double x)
{
  ns_console_words w;
  snprintf(w.text, sizeof w.text, "%.2g", x);
  if (isfinite(x) && x > 0 && strtod(w.text, NULL) < x) {
    /* Half a unit of the second digit more: then rounding to nearest rounds up. */
    double unit = pow(10, floor(log10(x)) - 1);
    snprintf(w.text, sizeof w.text, "%.2g", x + 0.5 * unit);
  }
  return w;
}
