/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legacy_simulation.c -- steps, integrators and one-step problems of a SiconosModel file. */
#include "io/import/legacy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps ----------------------------------------------------------------------------------- */

/* The distance of the instants; the smallest where they are not equally apart. */
static double step_of_instants(ns_legacy *l, const xmlNode *tk)
{
  ns_legacy_value v;
  double h = INFINITY, widest = 0;
  if (ns_legacy_read(l, tk, 0, &v) || !v.entry) return NAN;
  for (int k = 1; k < v.rows; k++) {
    h = fmin(h, v.entry[k] - v.entry[k - 1]);
    widest = fmax(widest, v.entry[k] - v.entry[k - 1]);
  }
  if (v.rows < 2 || !(h > 0)) {
    ns_legacy_fail(l, tk, "contains no increasing times, expected at least two, or <h>");
    return NAN;
  }
  if (widest <= h * (1 + 1e-9)) return (v.entry[v.rows - 1] - v.entry[0]) / (v.rows - 1);
  ns_legacy_warn(l, tk, "the times are not equally spaced: the smallest distance is the step");
  return h;
}

/* h, else N, else tk: files of 2005 hold all three, those behind the first as placeholders. */
static double step(ns_legacy *l, const xmlNode *time)
{
  const xmlNode *h = ns_legacy_child(time, "h"), *N = ns_legacy_child(time, "N"),
                *tk = ns_legacy_child(time, "tk");
  double v = NAN;
  if (h) v = ns_legacy_real(l, h);
  else if (N) v = (l->T - l->t0) / ns_legacy_count(l, N, 1);
  else if (tk) v = step_of_instants(l, tk);
  else ns_legacy_fail(l, time, "has no step, expected <h>, <N> or <tk>");
  if (h && (N || tk))
    ns_legacy_note_at(l, N ? N : tk, "<N> and <tk> are ignored: <h> gives the step");
  if (h && !isnan(v) && !(v > 0)) ns_legacy_fail(l, h, "is %g, expected a positive step", v);
  ns_legacy_leftover(l, time, "h N tk");
  return v;
}

/* ---- integrators ----------------------------------------------------------------------------- */

/* Theta k of an integrator: one for all, or a list in the order of the systems. */
static double theta_of(ns_legacy *l, const xmlNode *integrator, const ns_legacy_value *list, int k)
{
  const xmlNode *x = ns_legacy_child(integrator, "Theta");
  const char *all = x ? ns_legacy_attribute(l, x, "all") : "";
  if (*all) return strtod(all, NULL);
  if (!x || !list->entry) return 0.5;
  return list->rows == 1 ? list->entry[0] : list->entry[k];
}

static void read_thetas(ns_legacy *l, const xmlNode *integrator, const int *at, int n)
{
  const xmlNode *x = ns_legacy_child(integrator, "Theta");
  ns_legacy_value list = {0};
  if (x && !*ns_legacy_attribute(l, x, "all") && ns_legacy_read(l, x, 0, &list)) return;
  if (list.entry && list.rows > 1 && list.rows != n) {
    ns_legacy_fail(l, x, "has %d entries, expected %d: one for each system of the integrator",
                   list.rows, n);
    return;
  }
  for (int k = 0; k < n; k++) {
    double theta = l->system[at[k]].theta = theta_of(l, integrator, &list, k);
    if (!(theta >= 0 && theta <= 1))
      ns_legacy_fail(l, x, "is %g, expected a number from 0 to 1", theta);
  }
}

/* What an integrator does, "" where it is unknown or nobody can do it. */
static const char *read_integrator(ns_legacy *l, const xmlNode *x)
{
  const char *called = ns_legacy_called(l, x);
  const ns_legacy_word *kind = ns_legacy_find(ns_legacy_integrators, called);
  int *at, n;
  if (!kind) {
    ns_legacy_fail(l, x, "is an integrator of type %.60s, which %s, expected Moreau or Lsodar",
                   called, !strcmp(called, "Adams") ? "no release ever had" : "is unknown");
    return "";
  }
  if (ns_legacy_concerned(l, x, &at, &n)) return "";
  for (int k = 0; k < n; k++) l->system[at[k]].integrated = 1;
  read_thetas(l, x, at, n);
  ns_legacy_leftover(l, x, "DS_Concerned Theta");
  return kind->now;
}

/* All integrators; what they do: of two kinds the first. */
static const char *read_integrators(ns_legacy *l, const xmlNode *simulation)
{
  const xmlNode *list = ns_legacy_child(simulation, "OneStepIntegrator_Definition"),
                *where = list ? list : simulation;
  const xmlNode *lmgc = ns_legacy_child(where, "OneStepIntegrator_LMGC90");
  const char *what = "";
  if (lmgc)
    ns_legacy_fail(l, lmgc,
                   "is an integrator of LMGC90, a different program, expected Moreau or Lsodar");
  int n = 0;
  for (const xmlNode *x = ns_legacy_first(where); x; x = ns_legacy_next(x)) {
    int is_one = list || !strcmp(ns_legacy_name(x), "OneStepIntegrator");
    n += is_one || x == lmgc;
    if (!is_one || x == lmgc) continue;
    const char *now = read_integrator(l, x);
    if (*what && *now && strcmp(what, now))
      ns_legacy_fail(l, x, "has a different kind than the first, expected all of the same kind");
    if (!*what) what = now;
  }
  if (!n) ns_legacy_fail(l, where, "contains no integrator, expected one that lists each system");
  for (int k = 0; k < l->nsystems && *what && !lmgc; k++)
    if (!l->system[k].integrated)
      ns_legacy_fail(l, l->system[k].node,
                     "is not listed by any integrator, expected one that lists each system");
  return what;
}

static int is_first_order(const ns_legacy *l)
{
  return l->system[0].kind && !strncmp(l->system[0].kind->now, "First", 5);
}

static void write_stepping(ns_legacy *l, const char *what)
{
  int mixed = 0;
  for (int k = 1; k < l->nsystems; k++) mixed = mixed || l->system[k].theta != l->system[0].theta;
  mixed = mixed && is_first_order(l); /* mechanical systems have their own */
  if (!strcmp(what, "hold")) fputs("      <ZeroOrderHoldOSI/>\n", l->out);
  else if (is_first_order(l))
    fprintf(l->out, "      <EulerMoreauOSI theta=\"%s\"/>\n",
            NS_IMPORT_DECIMAL_OF(l->system[0].theta));
  else
    fprintf(l->out, "      <MoreauJeanOSI theta=\"%s\"/>\n",
            NS_IMPORT_DECIMAL_OF(l->system[0].theta));
  if (mixed)
    ns_legacy_warn(l, l->system[0].node, "all systems are integrated with the theta of the first");
}

/* ---- problems -------------------------------------------------------------------------------- */

/* Name and limits of a solver, wherever they stand. */
static void note_solver(ns_legacy *l, const xmlNode *x)
{
  static const char styles[] =
      "Solver NonSmoothSolver LcpSolving RelayPrimalSolving RelayDualSolving "
      "ContactFrictionPrimalSolving ContactFrictionDualSolving";
  for (const xmlNode *k = ns_legacy_first(x); k; k = ns_legacy_next(k)) {
    const char *name = ns_legacy_attribute(l, k, "type");
    if (!ns_legacy_has(styles, ns_legacy_name(k))) continue;
    if (!*name) name = ns_legacy_attribute(l, k, "Name");
    if (*name)
      ns_legacy_note_at(l, k, "solver %.60s: nssim chooses one itself, exact to rounding", name);
    else if (ns_legacy_first(k) && !ns_legacy_child(k, styles) &&
             !ns_legacy_child(k, "iparam dparam"))
      ns_legacy_note_at(l, k, "solver %.60s: nssim chooses one itself, exact to rounding",
                        ns_legacy_name(ns_legacy_first(k)));
    else note_solver(l, k);
  }
}

/* The element of today for the problem, "" where nssim takes what the laws need. */
static const char *read_problem(ns_legacy *l, const xmlNode *simulation)
{
  const xmlNode *where = ns_legacy_child(simulation, "OneStepNSProblems_List OneStepNSProblem");
  const char *now = "";
  int typed = where && *ns_legacy_attribute(l, where, "type");
  if (where) note_solver(l, where);
  for (const xmlNode *x = typed ? where : ns_legacy_first(where); x;
       x = typed ? NULL : ns_legacy_next(x)) {
    const ns_legacy_word *kind = ns_legacy_find(ns_legacy_problems, ns_legacy_called(l, x));
    if (!strcmp(ns_legacy_name(x), "Solver")) continue;
    if (kind && !*now) now = kind->now;
    if (kind) note_solver(l, x);
    else
      ns_legacy_warn(l, x,
                     "one-step problem %.60s is unknown: nssim uses the one that the laws require",
                     ns_legacy_called(l, x));
  }
  return now;
}

/* 1: the problem may be named: what it is for is there. */
static int suits(const ns_legacy *l, const char *problem)
{
  if (!strcmp(problem, "FrictionContact")) return l->frictions > 0;
  return !strcmp(problem, "LCP") && l->laws && l->impacts == l->laws;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* "EventDriven" or "TimeStepping": what the file says, unless its integrator is of the other. */
static const char *strategy(ns_legacy *l, const xmlNode *simulation, const char *what)
{
  const char *type = ns_legacy_attribute(l, simulation, "type");
  const char *fits = strcmp(what, "events") ? "TimeStepping" : "EventDriven";
  if (*type && strcmp(type, "TimeStepping") && strcmp(type, "EventDriven"))
    ns_legacy_fail(l, simulation,
                   "is of type %.60s, which is unknown, expected TimeStepping or EventDriven",
                   type);
  else if (*what && strcmp(type, fits))
    ns_legacy_note_at(l, simulation, "the strategy is %s: the integrator is of that kind", fits);
  return fits;
}

void ns_legacy_write_simulation(ns_legacy *l)
{
  const xmlNode *simulation = ns_legacy_child(l->root, "Strategy Simulation"),
                *time = ns_legacy_child(simulation, "TimeDiscretisation");
  if (!simulation) {
    ns_legacy_fail(
        l, l->root,
        "has neither <Strategy> nor <Simulation>, expected one of them: the model cannot be run");
    return;
  }
  if (isnan(l->T) && !ns_legacy_child(ns_legacy_child(l->root, "Time"), "T"))
    ns_legacy_fail(l, l->root, "<T> is missing, expected the time of the end in <Time>");
  if (!time)
    ns_legacy_fail(l, simulation, "<TimeDiscretisation> is missing, expected one with the step");
  double h = time ? step(l, time) : NAN;
  const char *what = read_integrators(l, simulation), *how = strategy(l, simulation, what);
  const char *problem = read_problem(l, simulation);
  ns_legacy_leftover(l, simulation,
                     "TimeDiscretisation OneStepIntegrator_Definition OneStepIntegrator "
                     "OneStepIntegrator_LMGC90 OneStepNSProblem OneStepNSProblems_List Solver");
  fprintf(l->out, "  <simulation t0=\"%s\"", NS_IMPORT_DECIMAL_OF(l->t0));
  fprintf(l->out, " T=\"%s\">\n", NS_IMPORT_DECIMAL_OF(l->T));
  fprintf(l->out, "    <%s h=\"%s\">\n", how, NS_IMPORT_DECIMAL_OF(h));
  if (!strcmp(how, "EventDriven")) fputs("      <LsodarOSI/>\n", l->out);
  else write_stepping(l, what);
  if (suits(l, problem)) fprintf(l->out, "      <%s/>\n", problem);
  fprintf(l->out, "    </%s>\n  </simulation>\n", how);
}
