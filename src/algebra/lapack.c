/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/lapack.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A shared library belongs to the process: the one place where a run leaves something to the next.
 */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static ns_lapack table;
static const ns_lapack *_Atomic loaded;

static void one_thread(void *lib)
{
  void (*set)(int);
  if (getenv("OPENBLAS_NUM_THREADS") || getenv("OMP_NUM_THREADS")) return;
  *(void **)&set = dlsym(lib, "openblas_set_num_threads");
  if (set) set(1);
}

static void load(void)
{
  static const char *const names[] = {"dpotrf_", "dpotrs_", "dgetrf_", "dgetrs_", "ilaver_"};
  void **to[] = {(void **)&table.potrf, (void **)&table.potrs, (void **)&table.getrf,
                 (void **)&table.getrs, (void **)&table.ilaver};
  void *lib = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!lib) return;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (!(*to[k] = dlsym(lib, names[k]))) return;
  *(void **)&table.config = dlsym(lib, "openblas_get_config");
  one_thread(lib);
  atomic_store(&loaded, &table);
}

const ns_lapack *ns_lapack_load(void)
{
  pthread_once(&once, load);
  return atomic_load(&loaded);
}

const ns_lapack *ns_lapack_loaded(void) { return atomic_load(&loaded); }
