/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/load_blocks.h"

#include "base/grow.h"
#include "io/load/load_made.h"
#include "io/load/values.h"
#include "model/laws/law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* x' = A x + B u, y = C x + D u, by columns; u are formulas. A limiter has bounds beside them. */
typedef struct block {
  ns_elem *e; /* <StateSpace>, ... in the <block> */
  int n, p, m;
  double *A, *B, *C, *D, *x0;
  const char **u; /* [p] */
  int limits;
  double lower, upper, rate, fall, start;
} block;

int ns_load_is_block(const ns_elem *e) { return e->def && !strcmp(e->def->name, "block"); }

typedef struct lister {
  ns_load *l;
  const char **to;
  int n, cap;
} lister;

static int on_entry(void *to, int row, int col, const char *text, size_t len)
{
  lister *k = to;
  (void)row, (void)col;
  if (k->n == k->cap) return NS_OK;
  return (k->to[k->n++] = ns_load_made_text(k->l, "%.*s", (int)len, text)) ? NS_OK : NS_NOMEM;
}

/* Entries of <u>. */
static int read_input(ns_load *l, block *b)
{
  const ns_elem *u = ns_elem_value(b->e, "u");
  int rows, cols;
  if (!u || u->bad) return NS_MODEL;
  lister k = {.l = l, .cap = (int)(strlen(u->text) / 2 + 1)};
  if (!(k.to = ns_arena_get(l->scratch, (size_t)k.cap, sizeof *k.to)))
    return ns_nomem(&l->msg.c, "a block");
  int rc = ns_split_entries(&l->msg.c, ns_elem_at(u, NULL).text, u->text, on_entry, &k, &rows,
                            &cols);
  b->u = k.to;
  b->p = k.n;
  return rc;
}

/* Constant value `name`, [rows x cols] where they are not negative; zeros where it is absent. */
static int read_matrix(ns_load *l, const block *b, const char *name, const ns_indices *index,
                       int *rows, int *cols, const char *why, double **to)
{
  const ns_wanted w = {.rows = *rows, .cols = *cols, .why = why};
  const ns_elem *e = ns_elem_value(b->e, name);
  ns_value v;
  ns_operator op;
  int rc = ns_value_constant(l, b->e, name, index, &w, &v);
  if (!rc && e) rc = ns_value_get(l, e, &v, index, NULL, &op);
  if (rc) return rc;
  if (*rows < 0) *rows = op.rows;
  if (*cols < 0) *cols = op.cols;
  *to = ns_arena_zero(l->scratch, (size_t)*rows * (size_t)*cols + 1, sizeof **to);
  if (!*to) return ns_nomem(&l->msg.c, "a block");
  for (int j = 0; e && j < *cols; j++)
    for (int i = 0; i < *rows; i++) (*to)[i + j * *rows] = ns_operator_entry(&op, i, j);
  return NS_OK;
}

static int read_state_space(ns_load *l, const ns_indices *index, block *b)
{
  int one = 1;
  b->n = b->m = -1;
  int rc = read_matrix(l, b, "C", index, &b->m, &b->n, NULL, &b->C);
  if (!rc) rc = read_matrix(l, b, "A", index, &b->n, &b->n, "as many as columns of <C>", &b->A);
  if (!rc)
    rc = read_matrix(l, b, "B", index, &b->n, &b->p, "columns of <C> by entries of <u>", &b->B);
  if (!rc) rc = read_matrix(l, b, "D", index, &b->m, &b->p, "rows of <C> by entries of <u>", &b->D);
  if (!rc) rc = read_matrix(l, b, "x0", index, &b->n, &one, "as many as columns of <C>", &b->x0);
  return rc;
}

/* The controllable companion form, as that of control_state_space.c (Kailath 1980, ch. 2). */
static int companion(ns_load *l, block *b, const double *num, int nnum, const double *den, int nden)
{
  size_t n = (size_t)(nden - 1);
  b->n = nden - 1;
  b->m = 1;
  const ns_array want[] = {{&b->A, n * n, sizeof *b->A},
                           {&b->B, n, sizeof *b->B},
                           {&b->C, n, sizeof *b->C},
                           {&b->D, 1, sizeof *b->D},
                           {&b->x0, n, sizeof *b->x0}};
  if (ns_arena_arrays(l->scratch, want, sizeof want / sizeof *want))
    return ns_nomem(&l->msg.c, "a block");
  int shift = nden - nnum;
  b->D[0] = shift <= 0 ? num[-shift] / den[0] : 0;
  for (int j = 0; j < b->n; j++) {
    int i = b->n - j; /* coefficient of power j */
    double a = den[i] / den[0], c = i >= shift ? num[i - shift] / den[0] : 0;
    b->C[j] = c - a * b->D[0];
    b->A[(size_t)b->n - 1 + (size_t)j * n] = -a;
    if (j > 0) b->A[(size_t)j - 1 + (size_t)j * n] = 1;
  }
  if (b->n) b->B[b->n - 1] = 1;
  return NS_OK;
}

static int read_function(ns_load *l, const ns_indices *index, block *b)
{
  double *num, *den;
  int nnum = -1, nden = -1, one = 1, zeros = 0;
  int rc = read_matrix(l, b, "numerator", index, &nnum, &one, NULL, &num);
  if (!rc) rc = read_matrix(l, b, "denominator", index, &nden, &one, NULL, &den);
  if (rc) return rc;
  if (b->p != 1)
    return ns_elem_fail(&l->msg, ns_elem_value(b->e, "u"), NULL, "has %d entries, expected one",
                        b->p);
  if (den[0] == 0)
    return ns_elem_fail(&l->msg, b->e, NULL,
                        "<denominator> begins with 0, expected the coefficient of its highest "
                        "power; remove the zero");
  while (zeros < nnum - 1 && num[zeros] == 0) zeros++;
  if (nnum - zeros > nden)
    return ns_elem_fail(&l->msg, b->e, NULL,
                        "<numerator> is of degree %d, expected at most %d, that of <denominator>: "
                        "it would differentiate; add a fast pole to the denominator",
                        nnum - zeros - 1, nden - 1);
  return companion(l, b, num + zeros, nnum - zeros, den, nden);
}

static int read_limiter(ns_load *l, const ns_elem *e, const ns_indices *index, block *b)
{
  b->limits = 1;
  b->lower = -INFINITY;
  b->upper = INFINITY;
  b->rate = b->fall = NAN;
  b->m = b->p;
  int rc = ns_load_attribute(l, b->e, "lower", index, &b->lower);
  if (!rc) rc = ns_load_attribute(l, b->e, "upper", index, &b->upper);
  if (!rc) rc = ns_load_attribute(l, b->e, "rate", index, &b->rate);
  b->fall = b->rate;
  if (!rc) rc = ns_load_attribute(l, b->e, "fall", index, &b->fall);
  if (!rc) rc = ns_load_attribute(l, e, "start", index, &b->start);
  if (!rc && !(b->lower < b->upper))
    rc = ns_elem_fail(&l->msg, b->e, NULL, "has lower = %g, expected less than upper, which is %g",
                      b->lower, b->upper);
  if (!rc && isnan(b->rate) && !isnan(b->fall))
    rc = ns_elem_fail(&l->msg, b->e, NULL,
                      "has fall without rate, expected both; for an unlimited increase give a "
                      "large rate");
  b->n = isnan(b->rate) ? 0 : b->p;
  return rc;
}

static int check_attributes(ns_load *l, const ns_elem *e, const block *b)
{
  const char *given = ns_lang_attribute(b->e->def, "given") ? ns_elem_attr(b->e, "given") : NULL;
  const char *method = ns_lang_attribute(b->e->def, "method") ? ns_elem_attr(b->e, "method") : NULL;
  int limiter = !strcmp(b->e->name, "Limiter");
  if ((given && !strcmp(given, "sampled")) || method)
    return ns_elem_fail(&l->msg, b->e, NULL,
                        "has %s=\"%s\", which applies to samples, expected none in a <block>, "
                        "which is continuous; remove it, or write a <control> with a period",
                        method ? "method" : "given", method ? method : given);
  if (limiter || !ns_elem_attr(e, "start")) return NS_OK;
  return ns_elem_fail(&l->msg, e, NULL,
                      "has attribute start, which applies to a <Limiter>, expected none with <%s>; "
                      "its state at t0 is <x0> of a <StateSpace>",
                      b->e->name);
}

static int read_block(ns_load *l, ns_elem *e, const ns_indices *index, block *b)
{
  *b = (block){.e = ns_elem_group(e, NS_LANG_CONTROL)};
  int held = 0;
  for (const ns_elem *k = e->first; k; k = k->next) held += k->def != NULL;
  if (!e->bad && held != 1 && !e->stranger)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "contains %s, expected one of <StateSpace>, <TransferFunction> and <Limiter>",
        held ? "several blocks" : "no block");
  if (e->bad || !b->e || b->e->bad) return NS_MODEL;
  int rc = check_attributes(l, e, b);
  if (!rc) rc = read_input(l, b);
  if (rc) return rc;
  if (!strcmp(b->e->name, "StateSpace")) return read_state_space(l, index, b);
  if (!strcmp(b->e->name, "TransferFunction")) return read_function(l, index, b);
  return read_limiter(l, e, index, b);
}

/* What was written, of the scratch. */
static const char *finish(ns_load *l, ns_buffer *g)
{
  const char *s = g->lost ? NULL : ns_arena_text(l->scratch, g->s ? g->s : "");
  free(g->s);
  if (!s) ns_nomem(&l->msg.c, "a block");
  return s;
}

/* Row i of M x + N u; state: what the names of the states begin with. */
static void append_row(ns_buffer *g, const block *b, const char *state, const double *M,
                       const double *N, int i, int rows)
{
  ns_buffer_printf(g, "0");
  for (int j = 0; j < b->n; j++)
    if (M[i + j * rows] != 0) ns_buffer_printf(g, " + (%.17g)*%s%d", M[i + j * rows], state, j);
  for (int j = 0; j < b->p; j++)
    if (N[i + j * rows] != 0) ns_buffer_printf(g, " + (%.17g)*(%s)", N[i + j * rows], b->u[j]);
}

static void append_limited(ns_buffer *g, const block *b, const char *state, int i)
{
  if (isfinite(b->upper)) ns_buffer_printf(g, "min(%.17g, ", b->upper);
  if (isfinite(b->lower)) ns_buffer_printf(g, "max(%.17g, ", b->lower);
  if (b->n) ns_buffer_printf(g, "%s%d", state, i);
  else ns_buffer_printf(g, "(%s)", b->u[i]);
  ns_buffer_printf(g, "%s%s", isfinite(b->upper) ? ")" : "", isfinite(b->lower) ? ")" : "");
}

/* The field of the state. */
static const char *field(ns_load *l, const block *b)
{
  ns_buffer g = {0};
  for (int i = 0; i < b->n; i++) {
    ns_buffer_printf(&g, i ? ", (" : "(");
    if (b->limits) ns_buffer_printf(&g, "0"); /* its law moves it */
    else append_row(&g, b, "x", b->A, b->B, i, b->n);
    ns_buffer_printf(&g, ")");
  }
  return finish(l, &g);
}

/* Names of the states: x0 x1 ... */
static const char *state_names(ns_load *l, const block *b)
{
  ns_buffer g = {0};
  for (int i = 0; i < b->n; i++) ns_buffer_printf(&g, "%sx%d", i ? " " : "", i);
  return finish(l, &g);
}

static const char *start(ns_load *l, const block *b)
{
  ns_buffer g = {0};
  for (int i = 0; i < b->n; i++)
    ns_buffer_printf(&g, "%s%.17g", i ? ", " : "", b->limits ? b->start : b->x0[i]);
  return finish(l, &g);
}

/* What <u> reads is known to it alone: the state is that of the block. others: variables of other
 * systems that it names, empty before. */
static int check_input(ns_load *l, const ns_indices *index, const block *b, ns_load_foreign *others)
{
  const ns_elem *u = ns_elem_value(b->e, "u");
  int is_law = b->limits && b->n; /* a limited rate reads its input in a law */
  ns_load_scope s = {
      .index = index, .first_order = 1, .time = 1, .foreign = others, .multipliers = !is_law};
  ns_node f;
  int rc = NS_OK;
  for (int i = 0; i < b->p && rc != NS_NOMEM; i++) {
    ns_mark mark = ns_arena_mark(l->graphs);
    ns_graph *g = ns_graph_create(l->graphs);
    int one = g ? ns_load_formula(l, g, &s, &(ns_where){.e = u}, b->u[i], strlen(b->u[i]), &f)
                : ns_nomem(&l->msg.c, "a block");
    ns_arena_release(l->graphs, mark);
    if (one) rc = one;
  }
  return rc;
}

static int write_id(ns_load *l, const ns_elem *e, const ns_indices *index, const char **out)
{
  ns_template t;
  char id[NS_ID_MAX + 1];
  const char *text = ns_elem_attr(e, "id");
  int rc = ns_template_make(l, e, "id", text, strlen(text), index, &t);
  if (!rc) rc = ns_template_write(l, e, &t, index, id);
  if (!rc && strchr(id, '-'))
    rc = ns_elem_fail(&l->msg, e, id,
                      "has a - in its id, expected letters, digits and _: formulas read its output "
                      "by this name");
  if (!rc && !(*out = ns_arena_text(l->m->arena, id))) rc = ns_nomem(&l->msg.c, "ids");
  return rc;
}

int ns_load_block(ns_load *l, ns_elem *e, const ns_indices *index)
{
  block b;
  const char *id = "";
  l->has_blocks = 1;
  int rc = write_id(l, e, index, &id);
  if (!rc) rc = read_block(l, e, index, &b);
  ns_load_foreign others = {0};
  if (!rc) rc = check_input(l, index, &b, &others);
  if (rc) {
    l->ids_unknown = l->names_unknown = 1;
    return rc;
  }
  if (!b.n) return ns_load_id_add(l, e, id, 0, -1); /* its output is a formula */
  const char *x0 = start(l, &b), *f = field(l, &b), *states = state_names(l, &b);
  ns_elem *s = x0 && f && states ? ns_load_made_system(l, e, id, states, NULL, x0, f) : NULL;
  return s ? ns_load_system(l, s, index) : NS_NOMEM;
}

/* Whether name j is the first one of a system of first order: its states are among those of a
 * relation, where mechanics is read beside them. */
static int is_first_order(const ns_load *l, const ns_load_foreign *others, int j)
{
  const ns_foreign_variable *v = &others->of[j];
  if (v->of != NS_OF_SYSTEM || v->system >= l->m->nsystems) return 0;
  for (int i = 0; i < j; i++)
    if (others->of[i].of == NS_OF_SYSTEM && others->of[i].system == v->system) return 0;
  return ns_system_is_first_order(&l->m->systems[v->system]);
}

/* The rate of a limiter, between -fall and rate, is the multiplier of a law: where the output is
 * below the input it is the largest, above it the least, and where they meet what keeps them equal,
 *
 *   x' = lambda,  y = x - u,  -lambda in the sign of y with the bounds -rate, fall (a relay).
 *
 * NULL: out of memory, reported. */
static ns_elem *rate_law(ns_load *l, const ns_elem *e, const char *id, const block *b,
                         const ns_load_foreign *others)
{
  ns_buffer h = {0}, g = {0}, of_systems = {0};
  ns_buffer_printf(&of_systems, "%s", id);
  for (int i = 0; i < b->p; i++) {
    ns_buffer_printf(&h, "%s(%s.x%d - (%s))", i ? ", " : "", id, i, b->u[i]);
    ns_buffer_printf(&g, "%slambda[%d]", i ? ", " : "", i);
  }
  for (int j = 0; j < others->n; j++) {
    if (!is_first_order(l, others, j)) continue;
    const ns_system *s = &l->m->systems[others->of[j].system];
    ns_buffer_printf(&of_systems, " %s", s->at.id);
    for (int i = 0; i < s->nq; i++) ns_buffer_printf(&g, ", 0");
  }
  const char *y = finish(l, &h), *input = finish(l, &g),
             *name = ns_load_made_text(l, "%s_limit", id), *systems = finish(l, &of_systems),
             *lower = ns_load_made_text(l, "%.17g", -b->fall),
             *upper = ns_load_made_text(l, "%.17g", b->rate);
  if (!systems) return NULL;
  const ns_load_setting none = {0}, own[] = {{"id", name}, {"systems", systems}, none},
                        bounds[] = {{"lb", lower}, {"ub", upper}, none};
  ns_elem *of = ns_load_made_element(l, e, "interaction", own),
          *relation = ns_load_made_element(l, e, "FirstOrderNonLinearR", &none),
          *law = ns_load_made_element(l, e, ns_law_between_bounds()->name, bounds);
  if (!y || !input || !name || !lower || !upper || !of || !relation || !law) return NULL;
  relation->name = relation->def->name;
  law->name = law->def->name;
  relation->parent = law->parent = of;
  of->first = relation;
  relation->next = of->last = law;
  if (ns_load_made_value(l, relation, "h", y) && ns_load_made_value(l, relation, "g", input))
    return of;
  ns_nomem(&l->msg.c, "a block");
  return NULL;
}

int ns_load_block_law(ns_load *l, ns_elem *e, const ns_indices *index)
{
  const char *id;
  block b;
  if (!ns_load_is_block(e)) return NS_OK;
  ns_messages told = l->msg;
  int rc = write_id(l, e, index, &id);
  if (!rc) rc = read_block(l, e, index, &b);
  ns_load_foreign others = {0};
  if (!rc && b.limits && b.n) rc = check_input(l, index, &b, &others);
  if (rc && rc != NS_NOMEM) ns_messages_rewind(&l->msg, &told);
  if (rc || !b.limits || !b.n) return rc == NS_NOMEM ? rc : NS_OK;
  ns_elem *of = rate_law(l, e, id, &b, &others);
  return of ? ns_load_interaction(l, of, index) : NS_NOMEM;
}

int ns_load_block_states(ns_load *l, ns_elem *e, const ns_indices *index)
{
  block b;
  ns_messages told = l->msg;
  int rc = read_block(l, e, index, &b);
  if (rc && rc != NS_NOMEM) ns_messages_rewind(&l->msg, &told);
  return rc ? 0 : b.n;
}

const char *ns_load_block_output(ns_load *l, ns_elem *e, const ns_indices *index, const char *id,
                                 int k)
{
  block b;
  ns_buffer g = {0};
  ns_messages told = l->msg;
  char *state = ns_load_made_text(l, "%s.x", id);
  if (!state) return NULL;
  int rc = read_block(l, e, index, &b);
  if (rc && rc != NS_NOMEM) ns_messages_rewind(&l->msg, &told);
  if (rc || k < 0 || k >= b.m) return NULL;
  if (b.limits) append_limited(&g, &b, state, k);
  else append_row(&g, &b, state, b.C, b.D, k, b.m);
  return finish(l, &g);
}

int ns_load_block_outputs(ns_load *l, ns_elem *e, const ns_indices *index)
{
  const char *id;
  block b;
  if (!ns_load_is_block(e)) return NS_OK;
  int rc = write_id(l, e, index, &id);
  if (!rc) rc = read_block(l, e, index, &b);
  for (int k = 0; k < (rc ? 0 : b.m) && !rc; k++) {
    ns_observable o = {.at = {.file = e->file, .element = e->name, .line = e->line, .id = id},
                       .id = id,
                       .group = "observables",
                       .interaction = -1,
                       .nsystems = l->m->nsystems,
                       .help = "output of the block",
                       .whole = 1};
    int *order = ns_arena_get(l->m->arena, (size_t)l->m->nsystems, sizeof *order);
    char name[32];
    snprintf(name, sizeof name, b.m > 1 ? "y%d" : "value", k);
    o.name = ns_arena_text(l->m->arena, name);
    o.systems = order;
    const char *text = ns_load_made_text(l, "%s.y[%d]", id, k);
    if (!order || !o.name || !text) return ns_nomem(&l->msg.c, "outputs of a block");
    ns_model_order(l->m, order);
    rc = ns_load_reading(l, &(ns_where){.e = e}, text, 0, &o);
    if (!rc && ns_model_add_observable(l->m, &l->msg.c, &o) < 0) rc = NS_NOMEM;
  }
  return rc;
}
