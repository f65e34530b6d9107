/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/import/import.h"

extern const ns_importer ns_import_legacy, ns_import_deck, ns_import_urdf, ns_import_mjcf,
    ns_import_scene_file;

const ns_importer *ns_importer_of(const ns_import_source *s)
{
  static const ns_importer *const all[] = {&ns_import_legacy, &ns_import_urdf, &ns_import_mjcf,
                                           &ns_import_deck, &ns_import_scene_file};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (all[k]->recognises(s)) return all[k];
  return NULL;
}
