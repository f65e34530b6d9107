/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/sink.h"

#include "model/user_event.h"

const char *ns_event_text(ns_event_kind k)
{
  switch (k) {
  case NS_EVENT_IMPACT: return "impact";
  case NS_EVENT_CONTACT: return "contact";
  case NS_EVENT_RELEASE: return "release";
  case NS_EVENT_SWITCH: return "switch";
  case NS_EVENT_USER: return "user";
  case NS_EVENT_STICK: return "stick";
  case NS_EVENT_SLIP: return "slip";
  case NS_EVENT_BRANCH: return "branch";
  case NS_EVENT_JAM: return "jam";
  case NS_EVENT_FORMULA: return "formula";
  case NS_EVENT_ACCUMULATION: return "accumulation";
  }
  return "unknown";
}

const char *ns_row_mode_text(ns_row_mode m)
{
  switch (m) {
  case NS_ROW_FREE: return "free";
  case NS_ROW_LOADED: return "loaded";
  case NS_ROW_CLOSED: return "closed";
  case NS_ROW_LOWER: return "lower";
  case NS_ROW_BETWEEN: return "between";
  case NS_ROW_UPPER: return "upper";
  case NS_ROW_STICK: return "stick";
  case NS_ROW_SLIP: return "slip";
  }
  return "unknown";
}

const char *ns_event_id(const ns_model *m, const ns_event *e)
{
  if (e->kind == NS_EVENT_FORMULA) return e->of ? e->of : "";
  const char *id = e->kind == NS_EVENT_USER ? m->user_events[e->row].id : m->interactions[e->interaction].at.id;
  return id ? id : "";
}

int ns_contacts_recorded(const ns_model *m) { return m->contact.nshapes > 0 && !m->out.no_contacts; }
