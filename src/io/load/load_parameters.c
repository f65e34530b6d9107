/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_parameters.c -- named numbers, in whatever order they use each other.
 *
 * The names in a value are found by a look at its letters; a walk along them (with a stack of its
 * own: chains may be long) evaluates each parameter after those it uses, once. */
#include "io/load/load_job.h"

#include "expression/interpolant.h"
#include "expression/quote.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(item) ((item)->lost = 1)
#include <uthash.h>

typedef struct ns_load_name {
  const char *name, *text, *unit; /* unit: of text; NULL where none */
  const char *override;           /* VALUE, NULL where none */
  const ns_elem *e;
  double value;  /* NaN until evaluated, and after an error */
  double *entry; /* of a <vector> [n], likewise; n = 0 before it is evaluated */
  int is_vector, n;
  const ns_interpolant *steps; /* the entries over their subscripts, NULL until a formula asks */
  enum { FRESH, OPEN, DONE } state;
  int lost;
  UT_hash_handle hh;
} parameter;

static parameter *find(const ns_load *l, const char *name, size_t len)
{
  parameter *p = NULL;
  HASH_FIND(hh, l->names, name, len, p);
  return p;
}

const double *ns_load_parameter(const ns_load *l, const char *name, size_t len)
{
  const parameter *p = find(l, name, len);
  return p && !p->is_vector ? &p->value : NULL;
}

const double *ns_load_vector(const ns_load *l, const char *name, size_t len, int *n)
{
  const parameter *p = find(l, name, len);
  *n = p && p->is_vector ? p->n : 0;
  if (!p || !p->is_vector) return NULL;
  return p->entry ? p->entry : &p->value;
}

ns_node ns_load_vector_entry(const ns_load *l, ns_graph *g, const char *name, size_t len,
                             ns_node subscript)
{
  parameter *p = find(l, name, len);
  if (!p || !p->is_vector || !p->n) return NS_NO_VECTOR;
  if (!p->steps) {
    int n = p->n > 1 ? p->n : 2; /* a table has two rows: one entry ends within its own */
    double *x = ns_arena_get(l->scratch, 2 * (size_t)n, sizeof *x), *y = x ? x + n : NULL;
    const char *own = ns_arena_text(l->m->arena, p->name);
    for (int k = 0; x && k < n; k++) {
      x[k] = p->n > 1 ? k : 0.5 * k;
      y[k] = p->entry[p->n > 1 ? k : 0];
    }
    if (x && own)
      p->steps = ns_interpolant_create(l->m->arena, own, NS_INTERPOLATION_STEP, NS_OUTSIDE_ERROR, n,
                                       x, y);
  }
  return p->steps ? ns_interpolant_node(p->steps, g, &subscript) : -1;
}

const char *ns_load_parameter_unit(const ns_load *l, const char *name, size_t len)
{
  const parameter *p = find(l, name, len);
  return p ? p->unit : NULL;
}

const ns_elem *ns_load_parameter_elem(const ns_load *l, const char *name, size_t len)
{
  const parameter *p = find(l, name, len);
  return p ? p->e : NULL;
}

const char *ns_load_parameter_name(const ns_load *l, int k)
{
  const parameter *p = l->names;
  while (p && k-- > 0) p = p->hh.next;
  return p ? p->name : NULL;
}

void ns_load_parameters_fini(ns_load *l) { HASH_CLEAR(hh, l->names); }

/* ---- collecting ------------------------------------------------------------------------------ */

static int add(ns_load *l, const ns_elem *e)
{
  const char *name = ns_elem_attr(e, "name"), *wrong = ns_load_bad_name(name, strlen(name));
  if (wrong) {
    ns_elem_fail(&l->msg, e, NULL, "the name \"%s\" %s", ns_quoted(name).text, wrong);
    return NS_OK;
  }
  const parameter *before = find(l, name, strlen(name));
  if (before) {
    ns_elem_fail(&l->msg, e, NULL,
                 "is the second parameter of this name (first at %s:%d), expected one; rename one",
                 before->e->file, before->e->line);
    return NS_OK;
  }
  parameter *p = ns_arena_zero(l->scratch, 1, sizeof *p);
  if (!p) return ns_nomem(&l->msg.c, "parameters");
  int vector = !strcmp(e->name, "vector");
  *p = (parameter){.name = name,
                   .text = ns_elem_attr(e, vector ? "values" : "value"),
                   .unit = ns_elem_attr(e, "unit"),
                   .e = e,
                   .value = NAN,
                   .is_vector = vector};
  if (!p->text || !*p->text) { /* reported */
    p->text = "";
    p->state = DONE;
    l->nan_said = 1;
  }
  while (p->unit && isspace((unsigned char)*p->unit)) p->unit++;
  if (p->unit && !*p->unit) p->unit = NULL;
  if (p->unit && strcmp(p->unit, "1")) l->has_units = 1;
  HASH_ADD_KEYPTR(hh, l->names, p->name, strlen(p->name), p);
  return p->lost ? ns_nomem(&l->msg.c, "parameters") : NS_OK;
}

int ns_load_parameter_put(ns_load *l, const char *name, double value)
{
  parameter *p = ns_arena_zero(l->scratch, 1, sizeof *p);
  if (!p) return ns_nomem(&l->msg.c, "parameters");
  *p = (parameter){.name = name, .text = "", .value = value, .state = DONE};
  HASH_ADD_KEYPTR(hh, l->names, p->name, strlen(p->name), p);
  return p->lost ? ns_nomem(&l->msg.c, "parameters") : NS_OK;
}

/* VALUE = expression [unit]: where the unit begins, or the end. "20mm", "20 mm", "2*pi rad". */
static size_t unit_begin(const char *s)
{
  size_t n = strlen(s), number = strspn(s, " \t+-.0123456789");
  if (number > 0 && (s[number] == 'e' || s[number] == 'E')) {
    size_t sign = number + 1 + (s[number + 1] == '-' || s[number + 1] == '+');
    if (isdigit((unsigned char)s[sign])) number = sign + strspn(s + sign, "0123456789");
  }
  number += strspn(s + number, " \t");
  if (strpbrk(s, "0123456789") && strpbrk(s, "0123456789") < s + number &&
      (isalpha((unsigned char)s[number]) || s[number] == '%' || (unsigned char)s[number] > 127))
    return number;
  size_t cut = n;
  while (cut && !isspace((unsigned char)s[cut - 1])) cut--;
  size_t head = cut;
  while (head && isspace((unsigned char)s[head - 1])) head--;
  if (head == 0 || !isalpha((unsigned char)s[cut])) return n;
  char last = s[head - 1];
  return isalnum((unsigned char)last) || last == ')' || last == ']' || last == '_' || last == '.'
             ? cut
             : n;
}

static const char *trimmed(ns_load *l, const char *s, size_t n)
{
  while (n && isspace((unsigned char)*s)) s++, n--;
  while (n && isspace((unsigned char)s[n - 1])) n--;
  return ns_arena_part(l->scratch, s, n);
}

/* How messages call an override. */
static const char *override_at(const parameter *p, char *buf, size_t n)
{
  snprintf(buf, n, "parameter %s=%s", p->name, ns_quoted(p->override).text);
  return buf;
}

/* Put VALUE in the place of text and unit; si: it is a number in SI units. */
static int take_override(ns_load *l, parameter *p, int si)
{
  const char *o = p->override;
  char at[NS_AT], name[80];
  size_t cut = unit_begin(o);
  const char *unit = trimmed(l, o + cut, strlen(o + cut)), *text = trimmed(l, o, cut);
  if (si && p->unit && !ns_units_is_si(&l->units, p->unit)) {
    const char *of_si = ns_units_si_name(&l->units, p->unit, name, sizeof name);
    unit = trimmed(l, of_si, strlen(of_si));
  }
  if (!unit || !text) return ns_nomem(&l->msg.c, "parameters");
  p->text = text;
  if (!*unit) return NS_OK; /* in the unit of the model */
  if (p->unit && !ns_units_same_quantity(&l->units, unit, p->unit)) {
    return ns_fail(&l->msg.c, NS_USAGE,
                   "%s: the unit is %s, expected one that can be converted to %s",
                   override_at(p, at, sizeof at), ns_quoted(unit).text, p->unit);
  }
  p->unit = unit;
  return NS_OK;
}

/* NAME=VALUE from outside. */
static int override(ns_load *l, const char *set, int si)
{
  const char *eq = strchr(set, '=');
  if (!eq)
    return ns_fail(&l->msg.c, NS_USAGE, "parameter \"%s\": expected NAME=VALUE",
                   ns_quoted(set).text);
  size_t len = (size_t)(eq - set);
  while (len && isspace((unsigned char)set[len - 1])) len--;
  while (len && isspace((unsigned char)*set)) set++, len--;
  parameter *p = find(l, set, len);
  if (p) {
    p->override = eq + 1;
    return take_override(l, p, si);
  }
  return NS_OK; /* a setting (load_settings.c) */
}

/* ---- evaluating ------------------------------------------------------------------------------ */

/* The next parameter named in the text from *pos on; NULL: no more. */
static parameter *next_name(const ns_load *l, const char *text, size_t *pos)
{
  const char *p = text + *pos;
  parameter *found = NULL;
  while (*p && !found) {
    const char *begin = p;
    while (isalnum((unsigned char)*p) || *p == '_' || *p == '.') p++;
    if (p == begin) p++;
    else if (!isdigit((unsigned char)*begin) && *begin != '.')
      found = find(l, begin, (size_t)(p - begin));
  }
  *pos = (size_t)(p - text);
  return found;
}

/* One value of p, to *value. */
static int evaluate_text(ns_load *l, const parameter *p, const char *text, size_t len,
                         double *value)
{
  char shown[NS_AT];
  ns_scalar s;
  double x;
  ns_where where = {.e = p->e, .attribute = p->is_vector ? "values" : "value"};
  if (p->override) where = (ns_where){.text = override_at(p, shown, sizeof shown)};
  int rc = ns_scalar_make(l, &where, text, len, NULL, &s);
  if (rc) return rc;
  x = ns_scalar_get(&s, NULL);
  if (isnan(x) && l->nan_said) return NS_MODEL;
  size_t pos = 0;
  if (p->unit && next_name(l, p->text, &pos) && !ns_units_is_si(&l->units, p->unit)) {
    char si[80];
    return ns_fail(
        &l->msg.c, p->override ? NS_USAGE : NS_MODEL,
        "%s uses other parameters, which are in SI, but its unit is %.64s; write unit=\"%s\"",
        ns_where_text(&where).text, p->unit, ns_units_si_name(&l->units, p->unit, si, sizeof si));
  }
  if (!p->override) where.attribute = "unit";
  if (p->unit && !ns_units_is_si(&l->units, p->unit))
    rc = ns_units_to_si(&l->units, &l->msg.c, ns_where_text(&where).text, p->unit, x, &x);
  if (!p->override) where.attribute = p->is_vector ? "values" : "value";
  if (!rc && !isfinite(x))
    rc = ns_fail(&l->msg.c, NS_MODEL, "%s is %g, expected a finite number",
                 ns_where_text(&where).text, x);
  if (!rc) *value = x;
  return rc;
}

typedef struct vector {
  ns_load *l;
  parameter *p;
  int cap, bad;
} vector;

static int on_entry(void *to, int row, int col, const char *text, size_t len)
{
  vector *v = to;
  (void)row, (void)col;
  parameter *p = v->p;
  if (p->n == v->cap) {
    double *more = ns_arena_get(v->l->scratch, (size_t)(v->cap = 2 * v->cap + 8), sizeof *more);
    if (!more) return ns_nomem(&v->l->msg.c, "parameters");
    if (p->n) memcpy(more, p->entry, (size_t)p->n * sizeof *more);
    p->entry = more;
  }
  p->entry[p->n] = NAN;
  int rc = evaluate_text(v->l, p, text, len, &p->entry[p->n++]);
  v->bad |= rc != NS_OK;
  return rc == NS_NOMEM ? rc : NS_OK;
}

static int evaluate(ns_load *l, parameter *p)
{
  vector v = {.l = l, .p = p};
  ns_ctx quiet = {0};
  int rows, cols;
  if (!p->is_vector) return evaluate_text(l, p, p->text, strlen(p->text), &p->value);
  int rc = ns_split_entries(&quiet, "", p->text, on_entry, &v, &rows, &cols);
  if (rc == NS_NOMEM) return rc;
  if (quiet.rc)
    return ns_fail(&l->msg.c, NS_MODEL, "%s: attribute values%s", ns_elem_at(p->e, NULL).text,
                   quiet.msg);
  if (rows > 1)
    return ns_elem_fail(
        &l->msg, p->e, NULL,
        "attribute values has %d rows, expected numbers separated by white space or commas", rows);
  return v.bad ? NS_MODEL : rc;
}

/* "a -> b -> a" of the stack from the first p on. */
static void circle(ns_load *l, parameter *const *stack, int top, const parameter *p)
{
  char chain[300] = "";
  size_t n = 0;
  int k = top, shown = 0;
  while (k > 0 && stack[k] != p) k--;
  for (; k <= top && n < sizeof chain; k++) {
    if (shown++ < 8)
      n += (size_t)snprintf(chain + n, sizeof chain - n, "%.30s -> ", stack[k]->name);
    else if (shown == 10) n += (size_t)snprintf(chain + n, sizeof chain - n, "... -> ");
  }
  ns_elem_fail(&l->msg, p->e, NULL,
               "parameters have a circular dependency: %s%s; replace one of them by a number",
               chain, p->name);
}

/* Evaluate p and before it all it uses. stack, pos: [number of parameters]. */
static int settle(ns_load *l, parameter *p, parameter **stack, size_t *pos)
{
  int top = 0;
  stack[0] = p;
  pos[0] = 0;
  p->state = OPEN;
  while (top >= 0) {
    parameter *now = stack[top];
    parameter *next = next_name(l, now->text, &pos[top]);
    if (next && next->state == FRESH) {
      stack[++top] = next;
      pos[top] = 0;
      next->state = OPEN;
    } else if (next && next->state == OPEN) {
      circle(l, stack, top, next);
      l->nan_said = 1;
    } else if (!next) {
      int rc = evaluate(l, now);
      if (rc == NS_NOMEM) return rc;
      if (rc) {
        l->nan_said = 1;
        now->unit = NULL; /* it may be what was refused: not to be checked against */
      }
      now->state = DONE;
      top--;
    }
  }
  return NS_OK;
}

static const char *kept(ns_load *l, const char *s)
{
  return s && *s ? ns_arena_text(l->m->arena, s) : NULL;
}

/* k, or k[i] of a vector. */
static int publish_one(ns_load *l, const parameter *p, int i, ns_parameter *out)
{
  char si[80], name[NS_ID_MAX + 32];
  const char *help = ns_elem_attr(p->e, "help");
  const char *unit = p->unit; /* as it is written, if that is SI: N m is not to become J */
  if (unit && !ns_units_is_si(&l->units, unit))
    unit = ns_units_si_name(&l->units, unit, si, sizeof si);
  snprintf(name, sizeof name, "%.*s[%d]", NS_ID_MAX, p->name, i);
  *out = (ns_parameter){.name = ns_arena_text(l->m->arena, p->is_vector ? name : p->name),
                        .help = kept(l, help),
                        .value = p->is_vector ? p->entry[i] : p->value,
                        .unit = kept(l, unit),
                        .overridden = p->override != NULL};
  if (!out->name || (help && *help && !out->help) || (unit && *unit && !out->unit))
    return ns_nomem(&l->msg.c, "parameters");
  return NS_OK;
}

static int publish(ns_load *l)
{
  int n = 0, k = 0;
  for (const parameter *p = l->names; p; p = p->hh.next) n += p->is_vector ? p->n : 1;
  ns_parameter *out = ns_arena_zero(l->m->arena, (size_t)n, sizeof *out);
  if (!out) return ns_nomem(&l->msg.c, "parameters");
  for (const parameter *p = l->names; p; p = p->hh.next)
    for (int i = 0; i < (p->is_vector ? p->n : 1); i++, k++)
      if (publish_one(l, p, i, &out[k])) return NS_NOMEM;
  l->m->parameters = out;
  l->m->nparameters = n;
  return NS_OK;
}

int ns_load_parameters(ns_load *l)
{
  int rc = NS_OK;
  const ns_elem *all = l->tree.root ? ns_elem_child(l->tree.root, "parameters") : NULL;
  for (const ns_elem *e = all ? all->first : NULL; e && !rc && !ns_messages_full(&l->msg);
       e = e->next)
    if ((!strcmp(e->name, "parameter") || !strcmp(e->name, "vector")) && ns_elem_attr(e, "name"))
      rc = add(l, e);
  for (int i = 0; l->opt && i < l->opt->nset && !rc; i++)
    if (override(l, l->opt->set[i], l->opt->si && l->opt->si[i]) == NS_NOMEM) rc = NS_NOMEM;
  if (rc || !l->names) return rc;
  size_t n = HASH_COUNT(l->names);
  parameter **stack = malloc(n * sizeof *stack);
  size_t *pos = malloc(n * sizeof *pos);
  if (!stack || !pos) rc = ns_nomem(&l->msg.c, "parameters");
  for (parameter *p = l->names; p && !rc && !ns_messages_full(&l->msg); p = p->hh.next)
    if (p->state == FRESH) rc = settle(l, p, stack, pos);
  free(stack);
  free(pos);
  return rc ? rc : publish(l);
}
