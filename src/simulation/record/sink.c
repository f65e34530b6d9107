/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/record/sink.h"

#include "model/user_event.h"

#include <stdio.h>

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
  case NS_EVENT_BIRTH: return "birth";
  case NS_EVENT_DEATH: return "death";
  case NS_EVENT_VELOCITY: return "velocity";
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

/* ---- names of contacts between shapes -------------------------------------------------------- */

/* Its number in its body, and how many that has. */
static int place_of(const ns_contact_model *k, int shape, int *all)
{
  int number = 0;
  *all = 0;
  for (int i = 0; i < k->nshapes; i++) {
    if (k->shape[i].system != k->shape[shape].system) continue;
    if (i < shape) number++;
    ++*all;
  }
  return number;
}

static int put_shape(const ns_model *m, int shape, char *buf, size_t n)
{
  const ns_body_shape *s = &m->contact.shape[shape];
  const char *body = s->system < 0 ? "fixed" : m->systems[s->system].at.id;
  int all, number = place_of(&m->contact, shape, &all);
  if (!body) body = "";
  if (s->id && s->system < 0) return snprintf(buf, n, "%s", s->id);
  if (s->id) return snprintf(buf, n, "%s.%s", body, s->id);
  if (all == 1 && s->system >= 0) return snprintf(buf, n, "%s", body);
  return snprintf(buf, n, "%s.%d", body, number);
}

/* It meets another at one point alone. */
static int is_round(const ns_shape *s)
{
  return s->kind == NS_SHAPE_SPHERE || s->kind == NS_SHAPE_DISK;
}

/* Fixed ones stand last. */
static const char *contact_id(const ns_model *m, const ns_event *e, char *buf, size_t n)
{
  const ns_body_shape *s = m->contact.shape;
  int swapped = s[e->a].system < 0, first = swapped ? e->b : e->a, second = swapped ? e->a : e->b;
  size_t at = (size_t)put_shape(m, first, buf, n);
  if (at + 1 < n) buf[at++] = '/';
  if (at < n) at += (size_t)put_shape(m, second, buf + at, n - at);
  if (at >= n) return buf;
  int one = (int)(e->feature >> 30 & 0x3fffffff), other = (int)(e->feature & 0x3fffffff);
  if (!one && !other && (is_round(s[first].shape) || is_round(s[second].shape))) return buf;
  snprintf(buf + at, n - at, ":%d.%d.%d", (int)(e->feature >> 60), swapped ? other : one,
           swapped ? one : other);
  return buf;
}

size_t ns_event_contact_id_bytes(const ns_model *m)
{
  enum { FEATURE = sizeof "/:15.1073741823.1073741823" };
  char none[1];
  size_t longest = 0;
  if (!ns_contacts_have_events(m)) return 0;
  for (int i = 0; i < m->contact.nshapes; i++) {
    size_t n = (size_t)put_shape(m, i, none, 0);
    if (n > longest) longest = n;
  }
  return 2 * longest + FEATURE;
}

const char *ns_event_id(const ns_model *m, const ns_event *e, char *buf, size_t n)
{
  const char *id;
  if (e->kind == NS_EVENT_USER) id = m->user_events[e->row].id;
  else if (ns_event_is_own((int)e->kind)) id = e->of;
  else if (e->interaction < 0) id = contact_id(m, e, buf, n);
  else id = m->interactions[e->interaction].at.id;
  return id ? id : "";
}

int ns_contacts_recorded(const ns_model *m)
{
  return m->contact.nshapes > 0 && !m->out.no_contacts;
}

int ns_contacts_have_events(const ns_model *m)
{
  int n = m->contact.nshapes;
  if (m->out.contact_events == NS_CONTACT_EVENTS_AUTO) return n > 0 && n <= NS_CONTACTS_TOLD;
  return n > 0 && m->out.contact_events == NS_CONTACT_EVENTS_YES;
}
