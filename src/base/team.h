/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team.h -- threads that work on one thing together.
 *
 * The members sleep between runs, after a while in which they wait awake, and meet within one at
 * barriers, which spin before they yield: what lies between two barriers takes microseconds. No
 * team, NULL, is a team of one. What is done must not depend on how many members there are: results
 * have the same bytes. */
#ifndef NS_BASE_TEAM_H
#define NS_BASE_TEAM_H

typedef struct ns_team ns_team;
enum { NS_TEAM_MOST = 1024 }; /* members that a user may ask for */

/* Of the threads that are asked for as many as the process has processors to run on (taskset,
 * cpusets); at least 1. */
int ns_team_possible(int threads);
/* The caller is one of the `members`; fewer where the system gives no more threads. NULL: out of
 * memory. */
ns_team *ns_team_create(int members);
void ns_team_destroy(ns_team *t); /* NULL-safe */
int ns_team_size(const ns_team *t);
/* work(data, member) in every member, 0 .. size-1; returns when all are done. */
void ns_team_run(ns_team *t, void (*work)(void *data, int member), void *data);
/* In work: nobody goes on before all are here. */
void ns_team_meet(ns_team *t);

/* Others want the processors: the caller spends a good part of its runs waiting for members that
 * have no turn, so that it is faster alone. Asked before each piece of work; after a while it says
 * no, to see whether that has changed. */
int ns_team_is_crowded(ns_team *t);

/* Where the share of a member of n items begins; that of the one behind it is where it ends. */
static inline int ns_team_share(int n, int member, int size)
{
  return (int)((long long)n * member / size);
}
/* work(data, from, to) for ranges that make up 0 .. n-1, one a member. */
void ns_team_share_out(ns_team *t, int n, void (*work)(void *data, int from, int to), void *data);
/* The same; in one piece where there are fewer than `least` items. */
static inline void ns_team_each(ns_team *t, int n, int least,
                                void (*work)(void *data, int from, int to), void *data)
{
  if (t && n >= least) ns_team_share_out(t, n, work, data);
  else if (n > 0) work(data, 0, n);
}

#endif
