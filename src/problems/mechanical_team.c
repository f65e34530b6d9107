/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/mechanical_team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SPINS = 4000 };

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
  unsigned long run;  /* number of the run, under the lock */
  int stop;
  void (*work)(void *data, int member);
  void *data;
  atomic_int arrived;
  atomic_ulong phase; /* of the barrier */
};

void ns_team_meet(ns_team *t)
{
  unsigned long phase = atomic_load_explicit(&t->phase, memory_order_acquire);
  if (atomic_fetch_add_explicit(&t->arrived, 1, memory_order_acq_rel) + 1 == t->size) {
    atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&t->phase, phase + 1, memory_order_release);
    return;
  }
  for (int k = 0; atomic_load_explicit(&t->phase, memory_order_acquire) == phase; k++)
    if (k >= SPINS) sched_yield();
}

static void *serve(void *self)
{
  const member *m = self;
  ns_team *t = m->team;
  for (unsigned long done = 0;; done++) {
    pthread_mutex_lock(&t->lock);
    while (t->run == done && !t->stop) pthread_cond_wait(&t->wake, &t->lock);
    int stop = t->stop;
    pthread_mutex_unlock(&t->lock);
    if (stop) return NULL;
    t->work(t->data, m->number);
    ns_team_meet(t);
  }
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
  t->stop = 1;
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->lock);
  for (int k = 1; k < t->size; k++) pthread_join(t->member[k].thread, NULL);
  pthread_cond_destroy(&t->wake);
  pthread_mutex_destroy(&t->lock);
  free(t->member);
  free(t);
}

int ns_team_size(const ns_team *t) { return t->size; }

void ns_team_run(ns_team *t, void (*work)(void *data, int member), void *data)
{
  pthread_mutex_lock(&t->lock);
  t->work = work;
  t->data = data;
  t->run++;
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->lock);
  work(data, 0);
  ns_team_meet(t);
}
