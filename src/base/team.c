/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* Spins of some 10 to 40 ns: longer than what lies between two runs in a step, shorter than a slice
 * of the scheduler. */
enum { SPINS = 4000, LINE = 64 };

/* A run is late where its caller waits for a fifth of it, and for 20 us, beyond the spins: another
 * process had a turn. So many late runs in a row, and the team is crowded for the next works, twice
 * as many each time; as many good ones, and that begins anew. */
enum {
  WAITED_SHARE = 5,
  WAITED_MIN = 20000,
  LATE = 2,
  GOOD = 16,
  MIN_PAUSE = 32,
  MAX_PAUSE = 4096
};

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
  atomic_ulong run; /* number of the run, written under the lock */
  atomic_int stop;
  char apart1[LINE]; /* who arrives shall not disturb those who look at the phase */
  atomic_int arrived;
  char apart2[LINE];
  atomic_ulong phase; /* of the barrier */
  char apart3[LINE];
  pthread_t caller; /* of the run */
  /* of the caller alone */
  long long waited;  /* ns of the run, beyond the spins */
  int late, good;    /* runs in a row */
  int pause, pauses; /* works until the next try, and how many the last pause had */
};

static void relax(void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#endif
}

static long long now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1000000000LL * t.tv_sec + t.tv_nsec;
}

/* Until the phase is over; how long it took, in ns. */
static long long wait_long(ns_team *t, unsigned long phase)
{
  long long from = now();
  while (atomic_load_explicit(&t->phase, memory_order_acquire) == phase) sched_yield();
  return now() - from;
}

/* Whether all are there; else *waited. */
static void meet(ns_team *t, long long *waited)
{
  unsigned long phase = atomic_load_explicit(&t->phase, memory_order_acquire);
  if (atomic_fetch_add_explicit(&t->arrived, 1, memory_order_acq_rel) + 1 == t->size) {
    atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&t->phase, phase + 1, memory_order_release);
    return;
  }
  for (int k = 0; k < SPINS; k++, relax())
    if (atomic_load_explicit(&t->phase, memory_order_acquire) != phase) return;
  *waited += wait_long(t, phase);
}

void ns_team_meet(ns_team *t)
{
  long long others = 0;
  if (t) meet(t, pthread_equal(t->caller, pthread_self()) ? &t->waited : &others);
}

int ns_team_is_crowded(ns_team *t)
{
  if (ns_team_size(t) == 1) return 0;
  if (t->late >= LATE) {
    t->pauses = t->pauses ? (t->pauses < MAX_PAUSE ? 2 * t->pauses : MAX_PAUSE) : MIN_PAUSE;
    t->pause = t->pauses;
    t->late = 0;
  }
  if (t->pause > 0) return t->pause--, 1;
  return 0;
}

/* What a run of so many ns says of the processors. */
static void judge(ns_team *t, long long took)
{
  int late = t->waited > WAITED_MIN && WAITED_SHARE * t->waited > took;
  t->late = late ? t->late + 1 : 0;
  t->good = late ? 0 : t->good + 1;
  if (t->good >= GOOD) t->pauses = 0;
}

/* Until run number `done` is over and the next one begins, awake for a while. 0: no more of them.
 */
static int next_run(ns_team *t, unsigned long done)
{
  for (int k = 0; k < SPINS; k++, relax())
    if (atomic_load_explicit(&t->run, memory_order_acquire) != done) return 1;
  pthread_mutex_lock(&t->lock);
  while (atomic_load(&t->run) == done && !atomic_load(&t->stop))
    pthread_cond_wait(&t->wake, &t->lock);
  pthread_mutex_unlock(&t->lock);
  return atomic_load(&t->run) != done;
}

static void *serve(void *self)
{
  const member *m = self;
  ns_team *t = m->team;
  long long waited = 0;
  for (unsigned long done = 0; next_run(t, done); done++) {
    t->work(t->data, m->number);
    meet(t, &waited);
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

int ns_team_possible(int threads)
{
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set)) return threads;
  int processors = CPU_COUNT(&set);
  return processors < 1 ? 1 : threads < processors ? threads : processors;
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
  long long from = now();
  t->waited = 0;
  t->caller = pthread_self();
  pthread_mutex_lock(&t->lock);
  t->work = work;
  t->data = data;
  atomic_fetch_add_explicit(&t->run, 1, memory_order_release);
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->lock);
  work(data, 0);
  meet(t, &t->waited);
  judge(t, now() - from);
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

void ns_team_share_out(ns_team *t, int n, void (*work)(void *data, int from, int to), void *data)
{
  ranges r = {work, data, n, ns_team_size(t)};
  if (r.size > 1 && !ns_team_is_crowded(t)) ns_team_run(t, one_range, &r);
  else if (n > 0) work(data, 0, n);
}
