/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_team.h -- threads that work on one sweep together. Private to src/problems.
 *
 * The members sleep between runs, after a while in which they wait awake, and meet within one at barriers, which spin before they
 * yield: what lies between two barriers takes microseconds. */
#ifndef NS_PROBLEMS_MECHANICAL_TEAM_H
#define NS_PROBLEMS_MECHANICAL_TEAM_H

typedef struct ns_team ns_team;

/* The caller is one of the `members`; fewer where the system gives no more threads. NULL: out of memory. */
ns_team *ns_team_create(int members);
void ns_team_destroy(ns_team *t); /* NULL-safe */
int ns_team_size(const ns_team *t);
/* work(data, member) in every member, 0 .. size-1; returns when all are done. */
void ns_team_run(ns_team *t, void (*work)(void *data, int member), void *data);
/* In work: nobody goes on before all are here. */
void ns_team_meet(ns_team *t);

#endif
