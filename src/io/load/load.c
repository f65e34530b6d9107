/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/load.h"

#include "io/import/import.h"
#include "io/load/load_blocks.h"
#include "io/load/load_kept.h"
#include "io/load/load_shapes.h"
#include "io/load/xml.h"
#include "model/laws/law_rows.h"
#include "model/relations/multiplier_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes for what is made of one element: enough for most, so that memory taken and given back
 * for each of many elements stays where it is. */
enum { CAPACITY = 1 << 16 };

static int texts(ns_load *l, const ns_elem *root)
{
  const char *name = ns_elem_attr(root, "name");
  const ns_elem *title = ns_elem_value(root, "title");
  if (name && !(l->m->name = ns_arena_text(l->m->arena, name)))
    return ns_nomem(&l->msg.c, "name of the model");
  if (title && !(l->m->title = ns_arena_text(l->m->arena, title->text)))
    return ns_nomem(&l->msg.c, "title of the model");
  return NS_OK;
}

/* What is made of others after these: of joints, then of tendons. */
static int walk_interactions(ns_load *l, ns_elem *e)
{
  long visits = l->visits, instances = l->instances;
  int rc = NS_OK;
  l->referring = 0;
  for (l->refers = 0; l->refers <= l->referring && !rc; l->refers++) {
    l->visits = visits; /* of the same elements */
    l->instances = instances;
    rc = ns_load_walk(l, e, ns_load_interaction);
  }
  l->refers = 0;
  return rc;
}

/* Netlists come first: their states have names once they are assembled. They stand in the model or
 * in <systems>. */
static int netlists(ns_load *l, ns_elem *root, const ns_elem *simulation)
{
  ns_elem *const in[] = {root, ns_elem_child(root, "systems")}, **list = NULL;
  int n = 0;
  for (int count = 1; count >= 0; count--) {
    if (!count && !(list = ns_arena_get(l->nodes, (size_t)l->nnetlists + 1, sizeof *list)))
      return ns_nomem(&l->msg.c, "netlists");
    for (int k = 0; k < 2; k++)
      for (ns_elem *e = in[k] ? in[k]->first : NULL; e; e = e->next) {
        if (!e->def || strcmp(e->name, "netlist")) continue;
        if (count) l->nnetlists++;
        else list[n++] = e;
      }
  }
  int rc = n ? ns_load_netlists(l, list, n, simulation) : NS_OK;
  return rc || !n ? rc : ns_load_netlists_named(l, list[n - 1]);
}

/* ---- the model (load.c) ---------------------------------------------------------------------- */
static int load_tree(ns_load *l)
{
  ns_elem *root = l->tree.root;
  ns_elem *systems = ns_elem_child(root, "systems"),
          *interactions = ns_elem_child(root, "interactions");
  ns_elem *controls = ns_elem_child(root, "controls");
  ns_elem *simulation = ns_elem_child(root, "simulation"), *output = ns_elem_child(root, "output");
  ns_elem *measures = ns_elem_child(root, "measures"), *events = ns_elem_child(root, "events");
  l->event_driven = simulation && ns_elem_child(simulation, "EventDriven");
  int rc = texts(l, root);
  if (!rc) rc = ns_load_kept_find(l);
  if (!rc) rc = netlists(l, root, simulation);
  if (!rc && systems) rc = ns_load_walk(l, systems, ns_load_system);
  if (!rc && systems && !l->m->nsystems && !l->nnetlists && !l->msg.c.nerrors)
    ns_elem_fail(&l->msg, systems, NULL,
                 "contains no system, expected at least one; `nssim explain` lists them");
  if (!rc) rc = ns_load_kept_systems(l);
  if (!rc && ns_load_foreign_check(l)) l->ids_unknown = 1; /* reported */
  if (!rc && simulation) rc = ns_load_problem(l, simulation);
  if (!systems && !l->nnetlists) l->ids_unknown = 1;
  if (!rc) rc = ns_load_contacts(l, ns_elem_child(root, "contacts"));
  if (!rc && interactions) rc = walk_interactions(l, interactions);
  if (!rc && systems && l->has_blocks) rc = ns_load_walk(l, systems, ns_load_block_law);
  if (!rc && ns_load_foreign_resolve(l)) l->ids_unknown = 1; /* reported */
  if (!rc && !l->msg.n && (l->event_driven || l->m->mixed))
    rc = ns_law_rows_of_polyhedra(l->m, &l->msg.c);
  if (!rc && !l->msg.n) rc = ns_multiplier_inputs(l->m, &l->msg.c);
  ns_model_place(l->m);
  if (!rc && simulation) rc = ns_load_simulation(l, simulation);
  if (!rc) rc = ns_load_prescribed_starts(l);
  if (!rc && output) rc = ns_load_output(l, output);
  if (!rc && systems && l->has_blocks) rc = ns_load_walk(l, systems, ns_load_block_outputs);
  if (!rc && events) rc = ns_load_events(l, events);
  if (!rc) rc = ns_load_kept_events(l);
  if (!rc && controls) rc = ns_load_walk(l, controls, ns_load_control);
  if (!rc && measures) rc = ns_load_measures(l, measures);
  return rc;
}

int ns_load_keep_sources(ns_load *l)
{
  ns_model *m = l->m;
  const char *path;
  for (int k = 0; l->plugins && m->uses_plugins && (path = ns_plugins_path(l->plugins, k)); k++) {
    int rc = ns_files_note_path(&l->files, &l->msg.c, path);
    if (rc) return rc;
  }
  m->sources = ns_arena_copy(m->arena, l->files.source, (size_t)l->files.nsources,
                             sizeof *m->sources);
  m->nsources = l->files.nsources;
  return m->sources ? NS_OK : ns_nomem(&l->msg.c, "list of files");
}

/* A model is made of systems or of a netlist: the table cannot say that. */
void ns_load_check_systems(ns_load *l)
{
  const ns_elem *root = l->tree.root;
  if (ns_elem_child(root, "systems") || ns_elem_child(root, "netlist") ||
      root->stranger == NS_ELEM_FILE)
    return;
  ns_elem_fail(&l->msg, root, NULL,
               "<systems> is missing, expected one, or a <netlist>; `nssim explain systems` shows "
               "an example");
}

int ns_load_build(ns_load *l)
{
  int rc = ns_load_settings(l);
  if (!rc) rc = ns_load_parameters(l);
  if (!rc) rc = ns_load_functions(l);
  if (!rc) rc = load_tree(l);
  if (!rc) rc = ns_load_note_defaults(l);
  return rc ? rc : l->msg.c.nerrors ? NS_MODEL : NS_OK;
}

static int passes(ns_load *l, const char *path, const ns_text *text)
{
  int rc = ns_tree_read(&l->tree, path, text->text, text->n);
  if (rc || !l->tree.root) return rc ? rc : NS_MODEL;
  ns_load_check_systems(l);
  if ((rc = ns_load_build(l))) return rc;
  ns_alive(&l->msg.c, "keeping the text of the model", 0, 0);
  l->m->xml = ns_tree_dump(&l->tree, l->m->arena);
  return l->m->xml ? ns_load_keep_sources(l) : ns_nomem(&l->msg.c, "text of the model");
}

/* Documents are read, copied and written under a watch. Returns NS_OK or a code whose sentence is
 * in l->msg. */
static int watched(ns_load *l, const char *path, const ns_text *text)
{
  ns_xml_watch w;
  ns_xml_watch_begin(&w);
  int rc = passes(l, path, text);
  return ns_xml_watch_end(&w) && !rc ? ns_nomem(&l->msg.c, "XML document") : rc;
}

void ns_load_fini(ns_load *l)
{
  ns_load_parameters_fini(l);
  ns_load_ids_fini(l);
  ns_load_declared_fini(l);
  free(l->shapes.shape);
  ns_units_destroy(l->units);
  ns_tree_fini(&l->tree);
  ns_files_fini(&l->files);
  ns_arena_destroy(l->nodes);
  ns_arena_destroy(l->scratch);
  ns_arena_destroy(l->graphs);
  ns_arena_destroy(l->ids);
}

/* A file of another program becomes a model on the way; messages about that name it so. */
static int import(ns_load *l, ns_text *text)
{
  static const ns_import_options none;
  const ns_import_source source = {.path = l->name, .text = text->text, .n = text->n};
  const ns_importer *k = ns_importer_of(&source);
  char *model = NULL;
  if (!k) return NS_OK;
  int rc = k->convert(&l->msg.c, &source, l->opt && l->opt->import ? l->opt->import : &none,
                      &model);
  if (!rc) *text = (ns_text){.text = ns_arena_text(l->nodes, model), .n = strlen(model)};
  free(model);
  if (rc) return rc;
  char *name = ns_arena_format(l->nodes, "%s (imported)", l->name);
  if (!text->text || !name) return ns_nomem(&l->msg.c, "text of the model");
  ns_note(&l->msg.c, "%s: %s, imported; nssim import shows the result", l->name, k->what);
  l->name = name;
  return NS_OK;
}

int ns_load_init(ns_load *l, ns_ctx *c, const char *path, const ns_load_options *opt,
                 ns_arena *lasts, ns_text *text, int read)
{
  ns_messages_init(&l->msg, c);
  l->opt = opt;
  l->max = opt && opt->max_instances > 0 ? opt->max_instances : NS_INSTANCES_MAX;
  l->nodes = ns_arena_create(0, 1);
  l->scratch = ns_arena_create(CAPACITY, 1);
  l->graphs = ns_arena_create(CAPACITY, 1);
  l->ids = ns_arena_create(0, 1);
  if (!l->nodes || !l->scratch || !l->graphs || !l->ids || !lasts)
    return ns_nomem(&l->msg.c, "model");
  l->files = (ns_files){.arena = lasts, .scratch = l->nodes};
  l->tree = (ns_tree){.msg = &l->msg, .files = &l->files, .arena = l->nodes};
  int rc = ns_files_init(&l->files, &l->msg.c, path, opt ? opt->allow_include : NULL,
                         opt ? opt->nallow : 0);
  if (rc) return rc;
  l->name = strcmp(path, "-") ? path : "standard input";
  if (!read) return ns_files_note(&l->files, &l->msg.c, path, text->text, text->n);
  rc = ns_files_read_model(&l->files, &l->msg.c, path, text);
  return rc ? rc : import(l, text);
}

int ns_load_hand_over(ns_ctx *c, int rc, ns_model *m, ns_model **out)
{
  if (!rc) rc = ns_model_finish(m, c);
  if (rc) ns_model_destroy(m);
  else *out = m;
  return rc;
}

/* text NULL: read path. */
static int load(ns_ctx *c, const char *path, const ns_text *text, const ns_load_options *opt,
                ns_plugins *plugins, ns_model **out)
{
  ns_text own = text ? *text : (ns_text){0};
  ns_load *l = calloc(1, sizeof *l);
  *out = NULL;
  if (!l) return ns_nomem(c, "model");
  l->plugins = plugins;
  l->m = ns_model_create(c);
  int rc = l->m ? NS_OK : NS_NOMEM;
  if (!rc) rc = ns_load_init(l, c, path, opt, l->m->arena, &own, !text);
  if (!rc) rc = watched(l, l->name, &own);
  int told = ns_messages_flush(&l->msg);
  ns_model *m = l->m;
  ns_load_fini(l);
  free(l);
  return ns_load_hand_over(c, told ? told : rc, m, out);
}

int ns_load_file(ns_ctx *c, const char *path, const ns_load_options *opt, ns_plugins *plugins,
                 ns_model **m)
{
  return load(c, path, NULL, opt, plugins, m);
}

int ns_load_memory(ns_ctx *c, const char *name, const char *text, size_t n,
                   const ns_load_options *opt, ns_plugins *plugins, ns_model **m)
{
  ns_text t = {.text = text, .n = n};
  return load(c, name, &t, opt, plugins, m);
}
