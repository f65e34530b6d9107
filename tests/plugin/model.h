/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h -- a folder with plug-ins, what was said, and the plug-ins that a model of the test
 * loads. */
#ifndef TESTS_PLUGIN_MODEL_H
#define TESTS_PLUGIN_MODEL_H

#include "io/load/load.h"
#include "plugin/folder.h"

static ns_plugins *plugins;
static heard said;

static void setup(void)
{
  folder_setup();
  listen_to(&said);
}

static void teardown(void)
{
  ns_plugins_destroy(plugins);
  plugins = NULL;
  folder_teardown();
}

#endif
