/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* Spins of some 10 to 40 ns: longer than what lies between two runs in a step, shorter than a slice of the scheduler. */
enum { SPINS = 4000, LINE = 64 };

/* A wait of a millisecond is late: another process had a turn. So many of them, and the team is crowded for the next works, twice as
 * many each time. */
enum { MILLISECOND = 1000000, LATE = 8, LEAST_PAUSE = 8, MOST_PAUSE = 1024 };

typedef struct member {
  ns_team *team;
  int number;
  pthread_t thread;
} member;

struct ns_team {
  int size;
  member *member; /* 1 .. size-1 are threads */
  pthread_mutex_t lock;
  pthread_cond_t wake;
  void (*work)(void *data, int member);
  void *data;
  atomic_ulong run;   /* number of the run, written under the lock */
  atomic_int stop;
  char apart1[LINE];  /* who arrives shall not disturb those who look at the phase */
  atomic_int arrived;
  char apart2[LINE];
  atomic_ulong phase; /* of the barrier */
  char apart3[LINE];
  atomic_int late;      /* waits, since it was asked */
  int pause, pauses;    /* works until the next try, and how many the last pause had */
};

static void relax(void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#endif
}

static void wait_long(ns_team *t, unsigned long phase)
{
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  while (atomic_load_explicit(&t->phase, memory_order_acquire) == phase) sched_yield();
  clock_gettime(CLOCK_MONOTONIC, &to);
  if (1000LL * MILLISECOND * (to.tv_sec - from.tv_sec) + to.tv_nsec - from.tv_nsec > MILLISECOND)
    atomic_fetch_add_explicit(&t->late, 1, memory_order_relaxed);
}

void ns_team_meet(ns_team *t)
{
  if (!t) return;
  unsigned long phase = atomic_load_explicit(&t->phase, memory_order_acquire);
  if (atomic_fetch_add_explicit(&t->arrived, 1, memory_order_acq_rel) + 1 == t->size) {
    atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&t->phase, phase + 1, memory_order_release);
    return;
  }
  for (int k = 0; k < SPINS; k++, relax())
    if (atomic_load_explicit(&t->phase, memory_order_acquire) != phase) return;
  wait_long(t, phase);
}

int ns_team_is_crowded(ns_team *t)
{
  if (ns_team_size(t) == 1) return 0;
  int late = atomic_exchange_explicit(&t->late, 0, memory_order_relaxed) >= LATE;
  if (late) t->pauses = t->pauses ? (t->pauses < MOST_PAUSE ? 2 * t->pauses : MOST_PAUSE) : LEAST_PAUSE;
  if (late) t->pause = t->pauses;
  if (t->pause > 0) return t->pause--, 1;
  return 0;
}

/* Until run number `done` is over and the next one begins, awake for a while. 0: no more of them. */
static int next_run(ns_team *t, unsigned long done)
{
  for (int k = 0; k < SPINS; k++, relax())
    if (atomic_load_explicit(&t->run, memory_order_acquire) != done) return 1;
  pthread_mutex_lock(&t->lock);
  while (atomic_load(&t->run) == done && !atomic_load(&t->stop)) pthread_cond_wait(&t->wake, &t->lock);
  pthread_mutex_unlock(&t->lock);
  return atomic_load(&t->run) != done;
}

static void *serve(void *self)
{
  const member *m = self;
  ns_team *t = m->team;
  for (unsigned long done = 0; next_run(t, done); done++) {
    t->work(t->data, m->number);
    ns_team_meet(t);
  }
  return NULL;
}

/* Signals are for the thread that the program has without us. */
static int start(ns_team *t, int number)
{
  sigset_t all, before;
  t->member[number] = (member){.team = t, .number = number};
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int bad = pthread_create(&t->member[number].thread, NULL, serve, &t->member[number]);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return !bad;
}

ns_team *ns_team_create(int members)
{
  ns_team *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  if (!(t->member = calloc((size_t)members + 1, sizeof *t->member))) {
    free(t);
    return NULL;
  }
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->wake, NULL);
  for (t->size = 1; t->size < members && start(t, t->size);) t->size++;
  return t;
}

void ns_team_destroy(ns_team *t)
{
  if (!t) return;
  pthread_mutex_lock(&t->lock);
  atomic_store(&t->stop, 1);
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->lock);
  for (int k = 1; k < t->size; k++) pthread_join(t->member[k].thread, NULL);
  pthread_cond_destroy(&t->wake);
  pthread_mutex_destroy(&t->lock);
  free(t->member);
  free(t);
}

int ns_team_size(const ns_team *t) { return t ? t->size : 1; }

void ns_team_run(ns_team *t, void (*work)(void *data, int member), void *data)
{
  if (ns_team_size(t) == 1) {
    work(data, 0);
    return;
  }
  pthread_mutex_lock(&t->lock);
  t->work = work;
  t->data = data;
  atomic_fetch_add_explicit(&t->run, 1, memory_order_release);
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->lock);
  work(data, 0);
  ns_team_meet(t);
}

typedef struct ranges {
  void (*work)(void *data, int from, int to);
  void *data;
  int n, size;
} ranges;

static void one_range(void *data, int me)
{
  const ranges *r = data;
  int from = ns_team_share(r->n, me, r->size), to = ns_team_share(r->n, me + 1, r->size);
  if (from < to) r->work(r->data, from, to);
}

void ns_team_each(ns_team *t, int n, int least, void (*work)(void *data, int from, int to), void *data)
{
  ranges r = {work, data, n, ns_team_size(t)};
  if (n >= least && r.size > 1) ns_team_run(t, one_range, &r);
  else if (n > 0) work(data, 0, n);
}
