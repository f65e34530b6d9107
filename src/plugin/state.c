/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/guard.h"
#include "plugin/registry.h"

#include <stdalign.h>
#include <string.h>

/* Each library's part of a block is aligned for any type. */
static size_t part(const ns_library *l)
{
  size_t a = alignof(max_align_t);
  return (l->info.state_size + a - 1) / a * a;
}

int ns_plugins_begin(const ns_plugins *p, ns_ctx *c)
{
  for (const ns_library *l = p->libraries; l; l = l->next) {
    if (!l->info.init) continue;
    ns_guard_enter(l->at_init);
    int refused = l->info.init();
    ns_guard_leave();
    if (refused)
      return ns_fail(c, NS_PLUGIN,
                     "plug-in %s (%s) does not start: its init returned %d, expected 0", l->name,
                     l->path, refused);
  }
  return NS_OK;
}

size_t ns_plugins_state_size(const ns_plugins *p)
{
  size_t n = 0;
  for (const ns_library *l = p->libraries; l; l = l->next) n += part(l);
  return n;
}

void ns_plugins_save(const ns_plugins *p, void *block)
{
  char *to = memset(block, 0, ns_plugins_state_size(p)); /* equal states, equal bytes */
  for (const ns_library *l = p->libraries; l; to += part(l), l = l->next) {
    if (!l->info.state_size) continue;
    ns_guard_enter(l->at_save);
    l->info.save(to);
    ns_guard_leave();
  }
}

int ns_plugins_restore(const ns_plugins *p, ns_ctx *c, const void *block)
{
  const char *from = block;
  for (const ns_library *l = p->libraries; l; from += part(l), l = l->next) {
    if (!l->info.state_size) continue;
    ns_guard_enter(l->at_restore);
    int refused = l->info.restore(from);
    ns_guard_leave();
    if (refused)
      return ns_fail(c, NS_PLUGIN,
                     "plug-in %s (%s) rejects its state in the checkpoint: its restore returned "
                     "%d, expected 0",
                     l->name, l->path, refused);
  }
  return NS_OK;
}
