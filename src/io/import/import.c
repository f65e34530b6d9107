/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/import/import.h"

extern const ns_importer ns_import_legacy, ns_import_deck, ns_import_urdf, ns_import_mjcf,
    ns_import_scene_file;

const ns_importer *const ns_importers[] = {&ns_import_legacy,     &ns_import_urdf,
                                           &ns_import_mjcf,       &ns_import_deck,
                                           &ns_import_scene_file, NULL};

const ns_importer *ns_importer_of(const ns_import_source *s)
{
  for (const ns_importer *const *k = ns_importers; *k; k++)
    if ((*k)->recognises(s)) return *k;
  return NULL;
}
