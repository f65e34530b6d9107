/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/sink.h"

const char *ns_event_text(ns_event_kind k)
{
  switch (k) {
  case NS_EVENT_IMPACT: return "impact";
  case NS_EVENT_CONTACT: return "contact";
  case NS_EVENT_RELEASE: return "release";
  case NS_EVENT_SWITCH: return "switch";
  case NS_EVENT_USER: return "user";
  }
  return "unknown";
}
