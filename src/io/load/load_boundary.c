/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_boundary.c -- velocities that are prescribed to coordinates: children of a mechanical
 * system. */
#include "io/load/load_job.h"
#include "io/load/values.h"

#include "base/suggest.h"
#include "expression/quote.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct boundary_made {
  int n;
  const int *dof;
  ns_value value, rate;
} made;

/* ---- coordinates ----------------------------------------------------------------------------- */

/* Bodies in space have velocities that are no derivatives of their coordinates. */
static int is_twist(const ns_system *s) { return s->nq != s->n; }

/* Position of a velocity by the name of its coordinate, v[k], or q[k] where it is that of q[k]; -1:
 * there is none. */
static int coordinate(const ns_system *s, const char *name)
{
  char *end;
  const char *const *names = ns_system_names(s, "v");
  for (int k = 0; names && k < s->n; k++)
    if (!strcmp(names[k], name)) return k;
  if (strncmp(name, "v[", 2) && (is_twist(s) || strncmp(name, "q[", 2))) return -1;
  long k = strtol(name + 2, &end, 10);
  return end != name + 2 && !strcmp(end, "]") && k >= 0 && k < s->n ? (int)k : -1;
}

static int unknown(ns_load *l, const ns_elem *e, const ns_system *s, const char *name)
{
  const char *const *names = ns_system_names(s, "v");
  ns_suggest g = ns_suggest_for(name, strlen(name));
  for (int k = 0; names && k < s->n && k < 300; k++) ns_suggest_offer(&g, names[k]);
  ns_quotation quoted = ns_quoted(name);
  if (is_twist(s))
    return ns_elem_fail(&l->msg, e, NULL,
                        "unknown velocity \"%s\" of a body, expected x y z in world axes, Omega_x "
                        "Omega_y Omega_z in body axes, or v[0] to v[5]",
                        quoted.text);
  if (g.best)
    return ns_elem_fail(&l->msg, e, NULL, "unknown coordinate \"%s\", did you mean \"%s\"?",
                        quoted.text, g.best);
  return ns_elem_fail(&l->msg, e, NULL, "unknown coordinate \"%s\", expected %s, or q[0] to q[%d]",
                      quoted.text,
                      s->names ? "names of coordinates of the system"
                               : "coordinates of the system, which have no names",
                      s->n - 1);
}

static int coordinates(ns_load *l, const ns_elem *e, const ns_system *s, made *m)
{
  char *text = ns_arena_text(l->scratch, ns_elem_attr(e, "coordinates")), *save;
  int *dof = ns_arena_get(l->m->arena, (size_t)s->n, sizeof *dof);
  if (!text || !dof) return ns_nomem(&l->msg.c, "boundary conditions");
  m->dof = dof;
  for (char *p = strtok_r(text, " \t\r\n", &save); p; p = strtok_r(NULL, " \t\r\n", &save)) {
    int k = coordinate(s, p);
    if (k < 0) return unknown(l, e, s, p);
    if (m->n && k <= dof[m->n - 1])
      return ns_elem_fail(&l->msg, e, NULL,
                          "attribute coordinates names %s %s, expected each coordinate once, in "
                          "the order of the system",
                          ns_quoted(p).text, k == dof[m->n - 1] ? "twice" : "after a later one");
    dof[m->n++] = k;
  }
  return m->n ? NS_OK
              : ns_elem_fail(
                    &l->msg, e, NULL,
                    "attribute coordinates is empty, expected names of coordinates, such as \"%s\"",
                    s->names ? s->names[0] : "q[0]");
}

/* ---- velocities ------------------------------------------------------------------------------ */

/* a + b cos(omega t + phi), n times. Each attribute is a formula by itself, which has been seen. */
static int harmonic_text(ns_load *l, const ns_elem *e, const ns_indices *index, int n,
                         const char **out)
{
  static const char *const attribute[] = {"a", "b", "omega", "phi"};
  const char *text[4];
  size_t length = 40;
  ns_scalar seen;
  int rc = NS_OK;
  for (int k = 0; k < 4 && !rc; k++) {
    text[k] = ns_elem_attr(e, attribute[k]);
    if (text[k]) rc = ns_load_attribute_make(l, e, attribute[k], index, &seen);
    else text[k] = "0";
    length += strlen(text[k]);
  }
  if (rc) return rc;
  char *s = ns_arena_get(l->scratch, (size_t)n * length + 1, 1), *p = s;
  if (!s) return ns_nomem(&l->msg.c, "boundary conditions");
  for (int i = 0; i < n; i++)
    p += sprintf(p, "%s(%s)+(%s)*cos((%s)*t+(%s))", i ? ", " : "", text[0], text[1], text[2],
                 text[3]);
  *out = s;
  return NS_OK;
}

static int velocities(ns_load *l, const ns_elem *e, const ns_indices *index, int k, made *m)
{
  const ns_lang_item *item = ns_lang_find("prescribed")->content;
  const char *plugin = ns_elem_attr(e, "plugin"), *const forms[NS_LANG_VALUE_ATTRIBUTES] = {
                                                      NULL, NULL, plugin};
  ns_elem as_value = *e; /* its text is read as that of a value of the system */
  char why[48];
  int rc = NS_OK;
  as_value.value = item;
  as_value.attr = forms;
  if (!strcmp(e->name, "harmonic")) rc = harmonic_text(l, e, index, m->n, &as_value.text);
  else if (plugin && *e->text)
    return ns_elem_fail(&l->msg, e, NULL,
                        "has a plug-in and a text, expected one of them; remove the other");
  else if (!plugin && !*e->text)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "is empty, expected a velocity for each coordinate, such as sin(t), or plugin=\"...\"");
  if (rc) return rc;
  snprintf(why, sizeof why, "n = %d by coordinates", m->n);
  ns_load_scope scope;
  if ((rc = ns_load_scope_stack(l, &k, 1, &scope))) return rc;
  scope.index = index;
  ns_wanted w = {.rows = m->n, .cols = 1, .why = why};
  ns_nodes nodes = {0};
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  rc = g ? ns_value_make(l, &as_value, g, &scope, &w, &m->value, &nodes)
         : ns_nomem(&l->msg.c, "boundary conditions");
  if (!rc) rc = ns_value_derive(l, &as_value, g, &nodes, NS_BANK_T, 1, &m->rate);
  free(nodes.node);
  ns_arena_release(l->graphs, mark);
  return rc;
}

static int make(ns_load *l, ns_elem *e, const ns_indices *index, int k)
{
  made *m = e->made = ns_arena_zero(l->scratch, 1, sizeof *m);
  if (!m) return ns_nomem(&l->msg.c, "boundary conditions");
  int rc = coordinates(l, e, &l->m->systems[k], m);
  if (!rc && strcmp(e->name, "fixed")) rc = velocities(l, e, index, k, m);
  m->value.op.rows = m->rate.op.rows = m->n;
  m->value.op.cols = m->rate.op.cols = 1;
  return rc;
}

/* ---- begin ----------------------------------------------------------------------------------- */

struct ns_load_start {
  struct ns_load_start *next;
  int boundary; /* of the model */
  int given;    /* its system has a v0 */
};

/* Boundary condition k. */
static int keep_start(ns_load *l, int k, int given)
{
  struct ns_load_start *p = ns_arena_get(l->nodes, 1, sizeof *p);
  if (!p) return ns_nomem(&l->msg.c, "boundary conditions");
  *p = (struct ns_load_start){.next = l->starts, .boundary = k, .given = given};
  l->starts = p;
  return NS_OK;
}

/* A step whose velocity begins elsewhere moves by a mean of both: the positions stay behind. */
static void warn_of_jump(ns_load *l, const ns_boundary *b, int k, double v0, double v)
{
  const char *const *names = ns_system_names(&l->m->systems[b->system], "v");
  char entry[32];
  snprintf(entry, sizeof entry, "v[%d]", b->dof[k]);
  ns_warn_at(&l->msg.c, &b->at,
             "%s is %.6g at t0, but %.6g in v0: time-stepping makes this jump in its first step, "
             "over which the position stays behind; give v0 that value, or no v0",
             names ? names[b->dof[k]] : entry, v, v0);
}

static int start(ns_load *l, const ns_boundary *b, int given, double *work)
{
  static const double ROUNDED = 1e-9; /* digits of a v0 that is written */
  ns_system *s = &l->m->systems[b->system];
  ns_point at = {.t = l->m->sim.t0, .n = b->n, .index = b->index};
  double *v0 = ns_arena_copy(l->m->arena, s->v0, (size_t)s->n, sizeof *v0);
  if (!v0) return ns_nomem(&l->msg.c, "initial state");
  int rc = ns_operator_eval(&b->value, &l->msg.c, &at, work + b->n, work);
  for (int k = 0; k < b->n && !rc; k++) {
    double *v = &v0[b->dof[k]];
    if (!isfinite(work[k])) continue; /* the run tells of it */
    if (!given) *v = work[k];
    else if (!l->event_driven && fabs(*v - work[k]) > ROUNDED * fmax(fabs(*v), fabs(work[k])))
      warn_of_jump(l, b, k, *v, work[k]);
  }
  s->v0 = v0;
  return rc;
}

int ns_load_prescribed_starts(ns_load *l)
{
  double *work = l->starts ? malloc((ns_model_targets_work(l->m) + 1) * sizeof *work) : NULL;
  int rc = work || !l->starts ? NS_OK : ns_nomem(&l->msg.c, "boundary conditions");
  for (const struct ns_load_start *p = l->starts; p && !rc; p = p->next)
    rc = start(l, &l->m->boundaries[p->boundary], p->given, work);
  free(work);
  return rc;
}

/* ---- of one instance ------------------------------------------------------------------------- */

static int is_boundary(const ns_elem *e)
{
  return e->def && (!strcmp(e->name, "fixed") || !strcmp(e->name, "prescribed") ||
                    !strcmp(e->name, "harmonic"));
}

int ns_load_boundaries(ns_load *l, ns_elem *system, const ns_indices *index, int k)
{
  for (ns_elem *e = system->first; e; e = e->next) {
    const ns_system *s = &l->m->systems[k];
    if (!is_boundary(e) || e->bad) continue;
    int rc = e->made ? NS_OK : make(l, e, index, k);
    const made *m = e->made;
    ns_boundary b = {.at = {.file = e->file, .element = e->def->name, .line = e->line},
                     .system = k};
    if (rc == NS_NOMEM) return rc;
    if (rc) e->bad = 1;
    if (rc) continue;
    b.n = m->n;
    b.dof = m->dof;
    rc = ns_value_get(l, e, &m->value, index, s->at.id, &b.value);
    if (!rc) rc = ns_value_get(l, e, &m->rate, index, s->at.id, &b.rate);
    if (!rc && b.value.uses & 1u << NS_BANK_INDEX) rc = ns_indices_keep(l, index, &b.index);
    int added = rc ? -1 : ns_model_add_boundary(l->m, &l->msg.c, &b);
    if (!rc && added < 0) rc = NS_NOMEM;
    int moves = b.value.how != NS_OP_ABSENT && b.value.how != NS_OP_PLUGIN;
    if (!rc && moves) rc = keep_start(l, added, ns_elem_value(system, "v0") != NULL);
    if (rc == NS_NOMEM) return rc;
  }
  return NS_OK;
}
