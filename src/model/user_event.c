/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/user_event.h"

void ns_user_events_prepare(ns_model *m)
{
  for (int i = 0; i < m->nuser_events; i++)
    m->user_events[i].slots = NS_USER_HEAD + (size_t)i * NS_USER_SLOTS;
  m->nuser = m->nuser_events ? NS_USER_HEAD + (size_t)m->nuser_events * NS_USER_SLOTS : 0;
}
