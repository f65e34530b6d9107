/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_model -- any bytes as a model file: a model or a sentence, never anything else.
 *
 * A model that loads and is small takes a few steps, so that what the loader let through also
 * meets the numerics. Demanded besides what the sanitizers see: success comes with a model and
 * without a failure in the context, a failure with its sentence, which names the file. */
#include "io/load/load.h"
#include "simulation/simulation.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 200, STEPS = 5 };

static void demand(int holds)
{
  if (!holds) abort();
}

static void step(ns_ctx *c, const ns_model *m)
{
  ns_simulation *s = NULL;
  ns_watch watch = {.max_steps = STEPS};
  int rc = ns_simulation_create(c, m, &s);
  demand((rc == NS_OK) == (s != NULL));
  if (rc == NS_OK) rc = ns_simulation_run(s, c, NULL, &watch);
  demand(rc == NS_OK || rc == NS_STOPPED || (rc < 0 && c->msg[0]));
  ns_simulation_destroy(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ns_ctx c = {0};
  ns_load_options options = {.max_instances = 2000};
  ns_model *m = NULL;
  int rc = ns_load_memory(&c, "nowhere/fuzz.xml", (const char *)data, size, &options, NULL, &m);
  demand((rc == NS_OK) == (m != NULL));
  demand((rc == NS_OK) == (c.rc == NS_OK));
  demand(rc == NS_OK || (c.nerrors > 0 && strstr(c.msg, "fuzz.xml")));
  if (m && m->nv <= SMALL && m->nrows <= SMALL) step(&c, m);
  ns_model_destroy(m);
  return 0;
}
