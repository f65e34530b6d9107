/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output_fixture.h -- a model and a state made by hand, to test output without a simulation.
 *
 * ball (x, y, phi), bead (one coordinate without a name); ground (one row), link (two rows). */
#ifndef NS_TESTS_OUTPUT_FIXTURE_H
#define NS_TESTS_OUTPUT_FIXTURE_H

#include "model/state.h"
#include "simulation/record/recorder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
  ns_model model;
  ns_system systems[2];
  ns_interaction interactions[2];
  ns_parameter parameters[2];
  ns_source sources[1];
  ns_state state;
  double t, q[4], v[4], p[4], y[3], ydot[3], lambda[3];
  long long step;
  ns_step_report report;
  ns_certificate cert;
  ns_run_info info;
  ns_run_result result;
} fixture;

static inline void fixture_init(fixture *f, double h, double T)
{
  static const char *const names[] = {"x", "y", "phi"};
  memset(f, 0, sizeof *f);
  f->systems[0] = (ns_system){.at = {.id = "ball"}, .n = 3, .nq = 3, .names = names};
  f->systems[1] = (ns_system){.at = {.id = "bead"}, .n = 1, .nq = 1, .q = 3, .v = 3};
  f->interactions[0] = (ns_interaction){
      .at = {.id = "ground"}, .law.ops = ns_law_kinds[0], .m = 1, .row = 0};
  f->interactions[1] = (ns_interaction){
      .at = {.id = "link"}, .law.ops = ns_law_kinds[0], .m = 2, .row = 1};
  f->parameters[0] = (ns_parameter){.name = "m", .unit = "kg", .value = 0.1};
  f->parameters[1] = (ns_parameter){.name = "e", .value = 0.9, .overridden = 1};
  f->sources[0].path = "ball.xml";
  memset(f->sources[0].sha256, 'a', 64);
  f->model = (ns_model){.name = "fixture",
                        .title = "Output, \"quoted\"",
                        .xml = "<model/>\n",
                        .nparameters = 2,
                        .parameters = f->parameters,
                        .nsources = 1,
                        .sources = f->sources,
                        .nsystems = 2,
                        .ninteractions = 2,
                        .systems = f->systems,
                        .interactions = f->interactions,
                        .nq = 4,
                        .nv = 4,
                        .nrows = 3};
  f->model.sim.T = T;
  f->model.sim.ts.h = h;
  f->state = (ns_state){.t = &f->t,
                        .step = &f->step,
                        .q = f->q,
                        .v = f->v,
                        .p = f->p,
                        .y = f->y,
                        .ydot = f->ydot,
                        .lambda = f->lambda,
                        .report = &f->report,
                        .cert = &f->cert};
  f->info = (ns_run_info){.model = &f->model,
                          .version = "0",
                          .command = "nssim ball.xml -o out",
                          .host = "here",
                          .user = "me",
                          .started = "2024-01-02T03:04:05Z",
                          .libraries = "none 1.0"};
  f->result = (ns_run_result){.status = "complete",
                              .message = "",
                              .exit = 0,
                              .finished = "2024-01-02T03:04:06Z",
                              .wall = 0.25,
                              .state = &f->state};
}

/* The value of quantity number j at step k: all different, none exact in decimal. */
static inline double fixture_value(int j, long long k)
{
  return sin(0.1 * j + 1e-3 * (double)k) / 3;
}

/* Make step k. */
static inline void fixture_step(fixture *f, long long k)
{
  int j = 0;
  f->t = (double)k * f->model.sim.ts.h;
  f->step = k;
  for (int i = 0; i < 4; i++) f->q[i] = fixture_value(j++, k);
  for (int i = 0; i < 4; i++) f->v[i] = fixture_value(j++, k);
  for (int i = 0; i < 4; i++) f->p[i] = fixture_value(j++, k);
  for (int i = 0; i < 3; i++) f->y[i] = fixture_value(j++, k);
  for (int i = 0; i < 3; i++) f->ydot[i] = fixture_value(j++, k);
  for (int i = 0; i < 3; i++) f->lambda[i] = fixture_value(j++, k);
  f->report = (ns_step_report){(double)(k % 5),
                               1e-12 * (double)(k % 7),
                               (double)(k % 3),
                               1e-15 * (double)(k % 11),
                               (double)(k % 2),
                               1e-9 * (double)(k % 13),
                               0};
  f->cert.steps = k;
  f->cert.kinetic = 1 + (double)k;
  f->cert.defect = 1e-14 * (double)k;
  f->cert.residual_max = 1e-14;
}

/* Columns of a row with everything: time, 4*3, 3*3, 11 diagnostics. */
enum { FIXTURE_COLUMNS = 1 + 12 + 12 + 11 };

#endif
