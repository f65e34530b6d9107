/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team.h -- a team of threads that work on the same task.
 *
 * Between runs the members first spin, then sleep; within a run they synchronise at barriers, which
 * spin before they yield, because the work between two barriers takes microseconds. NULL is a team
 * of one. Results must not depend on the number of members, to the bit. */
#ifndef NS_BASE_TEAM_H
#define NS_BASE_TEAM_H

typedef struct ns_team ns_team;
enum { NS_TEAM_MAX = 1024 }; /* max. number of members */

/* The number of threads, but at most the number of processors available to the process (taskset,
 * cpusets); at least 1. */
int ns_team_possible(int threads);
/* The caller is one of the `members`; fewer where the system gives no more threads. NULL: out of
 * memory. */
ns_team *ns_team_create(int members);
void ns_team_destroy(ns_team *t); /* NULL-safe */
int ns_team_size(const ns_team *t);
/* work(data, member) in every member, 0 .. size-1; returns when all are done. */
void ns_team_run(ns_team *t, void (*work)(void *data, int member), void *data);
/* Called in `work`: barrier for all members. */
void ns_team_meet(ns_team *t);

/* 1 if other processes compete for the processors, so that the caller, which waits for members
 * without a processor, is faster alone. Called before each piece of work; from time to time it
 * returns 0 to measure again. */
int ns_team_is_crowded(ns_team *t);

/* First item of the share of a member of n items; it ends where that of the next member begins. */
static inline int ns_team_share(int n, int member, int size)
{
  return (int)((long long)n * member / size);
}
/* work(data, from, to) for ranges that cover 0 .. n-1, one per member. */
void ns_team_share_out(ns_team *t, int n, void (*work)(void *data, int from, int to), void *data);
/* The same; in one piece if there are fewer than `min` items. */
static inline void ns_team_each(ns_team *t, int n, int min,
                                void (*work)(void *data, int from, int to), void *data)
{
  if (t && n >= min) ns_team_share_out(t, n, work, data);
  else if (n > 0) work(data, 0, n);
}

#endif
