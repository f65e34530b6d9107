/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nssim/plugin.h -- user functions in C for models of nssim. C11 and C++11, no other dependencies.
 *
 * A model names a function as plugin="Library:function". A plug-in is a shared library with such
 * functions:
 *
 *     #include <nssim/plugin.h>
 *     NSSIM_PLUGIN("BallPlugin", NSSIM_PLUGIN_ABI);
 *
 *     NSSIM_EXPORT nssim_fext ballFExt; // declare: the compiler checks the definition
 *     void ballFExt(double t, unsigned int n, double *fExt, unsigned int nz, double *z)
 *     {
 *       fExt[0] = -9.81;
 *       fExt[1] = fExt[2] = 0;
 *     }
 *
 * nssim compiles BallPlugin.c in the directory of the model automatically. To compile it manually:
 *     cc -O2 -fPIC -shared -o BallPlugin.so BallPlugin.c -lm
 *
 * This header is optional: a library with functions of these signatures only, for instance one
 * written for Siconos, can be loaded without changes. See nssim-plugin(7) for details. */
#ifndef NSSIM_PLUGIN_H
#define NSSIM_PLUGIN_H

#include <stddef.h>

/* Version of the interface in this header. nssim refuses libraries compiled for another version. */
#define NSSIM_PLUGIN_ABI 1

/* Written before a declaration: exports the function under its C name, also from C++ and with any
 * -fvisibility. */
#ifdef __cplusplus
#define NSSIM_EXPORT extern "C" __attribute__((visibility("default")))
extern "C" {
#else
#define NSSIM_EXPORT extern __attribute__((visibility("default")))
#endif

/* ---- functions of a mechanical system ---------------------------------------------------------
 *
 *     M(q, z) dv/dt + fGyr(q, v, z) + fInt(t, q, v, z) = fExt(t, z) + p
 *
 * Note the signs: fGyr and fInt are on the LEFT-hand side, fExt is on the right; p is the force of
 * the contacts. A force that depends on q or v is given as fInt, with opposite sign.
 *
 * t     time, s
 * n     degrees of freedom of the system
 * q, v  coordinates [n] and velocities [n], read only; m and m/s or rad and rad/s
 * nz, z user vector of the system [nz], read and write; it is part of the state of the run, so that
 *       checkpoints contain it and each run has a separate copy. z may be NULL if nz is 0.
 *
 * The last array before nz is the result. Write all entries, also zeros: the array contains old
 * values. Forces in N or N m. Matrices are stored by columns: the entry of row i, column j is at
 * [i + j*n]. Jacobians have a row for each component and a column for each coordinate:
 * J[i + j*n] = d f[i] / d q[j].
 *
 * The functions are called many times per step, also with trial values, and in any order. The
 * result must depend only on the arguments. A NaN or an infinity in the result ends the run with a
 * message that names the function, the entry and the time. */

/* Mass matrix M [n x n], symmetric, positive definite; kg, kg m^2. */
typedef void nssim_mass(unsigned int n, const double *q, double *mass, unsigned int nz, double *z);

/* Internal force fInt [n], or d fInt / d q, or d fInt / d v [n x n]. */
typedef void nssim_fint(double t, unsigned int n, const double *q, const double *v, double *out,
                        unsigned int nz, double *z);

/* Gyroscopic force fGyr [n], terms quadratic in v, or d fGyr / d q, or d fGyr / d v [n x n]. */
typedef void nssim_fgyr(unsigned int n, const double *q, const double *v, double *out,
                        unsigned int nz, double *z);

/* External force fExt [n]. */
typedef void nssim_fext(double t, unsigned int n, double *fExt, unsigned int nz, double *z);

/* Prescribed velocities [n] of coordinates, of <prescribed>; m/s or rad/s. */
typedef void nssim_bc(double t, unsigned int n, double *v);

/* ---- functions of a relation of mechanical systems ----------------------------------------------
 *
 *     y = h(Q, z),         ydot = H V                     scleronomous
 *     y = h(Q, t, z),      ydot = H V + dh/dt             rheonomous
 *     y = h(Q, lambda, z), lambda a force in N            compliant
 *
 * N      number of coordinates of all systems of the interaction; they are stored one after the
 *        other in Q [N] and V [N]
 * m      rows of y [m] and lambda [m]; y[0] >= 0 is an open gap in m
 * nz, z  user vectors of its systems, one after the other
 *
 * H = dh/dQ [m x N], entry of row i, column j at [i + j*m]. Contact forces act as H^T lambda. With
 * friction, row 0 is the gap and the others are directions of slip, of which only H is used: h may
 * write 0 there if the model also gives H; without H it must write the displacements in these
 * directions, or there is no friction. If the model does not give H, dh/dt or dh/dlambda, it is
 * computed by finite differences. */

/* Scleronomous: h [m], H [m x N]. */
typedef void nssim_lh(unsigned int N, const double *Q, unsigned int m, double *out, unsigned int nz,
                      double *z);
/* Scleronomous: d H / dt [m x N], for schemes that use accelerations. */
typedef void nssim_lhdot(unsigned int N, const double *Q, unsigned int NV, const double *V,
                         double *out, unsigned int nz, double *z);
/* Rheonomous: h [m], H [m x N], dh/dt [m]. */
typedef void nssim_lrheo(unsigned int N, const double *Q, double t, unsigned int m, double *out,
                         unsigned int nz, double *z);
/* Compliant: h [m], H [m x N], D = dh/dlambda [m x m], positive definite. */
typedef void nssim_lcomp(unsigned int N, const double *Q, unsigned int m, const double *lambda,
                         double *out, unsigned int nz, double *z);

/* ---- functions of a rigid body ------------------------------------------------------------------
 *
 *     m x'' = fExt(t, z) - fInt(t, q, v, z)
 *     I Omega' + Omega x I Omega = mExt(t, z) - mInt(t, q, v, z)
 *
 * q     [7]: centre of mass in world axes, then a unit quaternion, scalar first, that rotates body
 *       axes to world axes
 * v     [6]: velocity in world axes, then angular velocity in body axes
 * fInt is in world axes, mInt in body axes; the model specifies the axes of fExt and mExt.
 *
 * In the plane q [3] is the centre of mass and the angle, v [3] its derivative; a force has 2
 * entries, a moment 1.
 *
 * Jacobians that the model does not give are computed by finite differences. Functions of
 * <NewtonEulerR> are nssim_lrheo: Q [N] contains the coordinates of all its bodies, 7 of each, and
 * H = dh/dQ [m x N]. */

/* External force fExt, or external moment mExt [3]. */
typedef void nssim_body_fext(double t, double *out, unsigned int nz, double *z);

/* Internal force fInt, or internal moment mInt [3], or its derivative with respect to q [3 x 7] or
 * v [3 x 6]: entry of row i, column j at [i + 3*j]. */
typedef void nssim_body_fint(double t, const double *q, const double *v, double *out,
                             unsigned int nz, double *z);

/* ---- functions of a first-order system ----------------------------------------------------------
 *
 *     M(t, z) dx/dt = f(t, x, z) + T(x, z) u(t, x, dx/dt, z) + r
 *     M(t, z) dx/dt = A(t, z) x + b(t, z) + T(x, z) u(t, x, dx/dt, z) + r      (linear)
 *
 * All terms are on the right-hand side; r is the sum of the inputs of the system's interactions.
 *
 * t     time, s
 * n     number of states of the system
 * x     state [n], read only
 * s     number of controls
 * nz, z user vector, as above
 *
 * The rules for results, storage of matrices and calls are those above. */

/* Field f [n], or d f / d x [n x n], or M [n x n]. M also gets x, but must not depend on it. */
typedef void nssim_f(double t, unsigned int n, const double *x, double *out, unsigned int nz,
                     double *z);

/* Matrix A [rows x cols] of a linear system, rows = cols = n; also C, D, B, F of a linear relation,
 * below. */
typedef void nssim_a(double t, unsigned int rows, unsigned int cols, double *out, unsigned int nz,
                     double *z);

/* Source b [n] of a linear system; also e [m] of a linear relation, with n = m. */
typedef void nssim_b(double t, unsigned int n, double *out, unsigned int nz, double *z);

/* Control u [s]. xdot [n], read only: the rate dx/dt of the previous step; in the first step that
 * of the initial state. */
typedef void nssim_u(double t, unsigned int s, unsigned int n, const double *x, const double *xdot,
                     double *u, unsigned int nz, double *z);

/* Matrix T [n x s]: entry of row i, column j at [i + j*n]. */
typedef void nssim_t(unsigned int n, unsigned int s, const double *x, double *T, unsigned int nz,
                     double *z);

/* ---- functions of a relation of first-order systems ---------------------------------------------
 *
 *     y = C(t, z) X + D(t, z) lambda + e(t, z) + F(t, z) z,  R = B(t, z) lambda        linear
 *     y = h(t, X, lambda, z),                                R = g(t, X, lambda, z)    nonlinear
 *     y = h(X, z),                                           R = g(lambda, z)          type 1
 *     y = h(X, lambda),                                      R = g(lambda)             type 2
 *
 * N      number of states of all systems of the interaction; they are stored one after the other
 *        in X [N] and R [N]
 * m      rows of y [m] and lambda [m]
 * nz, z  user vectors of its systems, one after the other
 *
 * g is the input of this interaction only; nssim adds the inputs of all. A Jacobian has a row
 * for each component of its function and a column for each variable. The operators of linear
 * relations are nssim_a and nssim_b. */

/* Nonlinear: h [m], g [N], d h / d X [m x N], d h / d lambda [m x m], d g / d X [N x N], d g / d
 * lambda [N x m]. */
typedef void nssim_hg(double t, unsigned int N, const double *X, unsigned int m,
                      const double *lambda, double *out, unsigned int nz, double *z);

/* Type 1: h [m], d h / d X [m x N]. */
typedef void nssim_h1(unsigned int N, const double *X, unsigned int m, double *out, unsigned int nz,
                      double *z);
/* Type 1: g [N], d g / d lambda [N x m]. */
typedef void nssim_g1(unsigned int m, const double *lambda, unsigned int N, double *out,
                      unsigned int nz, double *z);

/* Type 2: h [m]; rows = m again. */
typedef void nssim_h2(unsigned int N, const double *X, unsigned int m, const double *lambda,
                      unsigned int rows, double *out);
/* Type 2: d h / d X [m x N], d h / d lambda [m x m]. */
typedef void nssim_jh2(unsigned int N, const double *X, unsigned int m, const double *lambda,
                       double *out);
/* Type 2: g [N]. */
typedef void nssim_g2(unsigned int m, const double *lambda, unsigned int N, double *out);
/* Type 2: d g / d lambda [N x m]; N is known from the model. */
typedef void nssim_jg2(unsigned int m, const double *lambda, double *out);

/* ---- a law of contact ---------------------------------------------------------------------------
 *
 *     0 <= U_N + en U_N-  _|_  r_N + h s >= 0,   friction of at most mu (r_N + h s)
 *
 * Newton's impact law and Coulomb friction for contacts with a tension s (N), which the law
 * computes from the memory of each contact. A model uses it as <PluginNSL plugin="Library:function"
 * en mu p1 p2 p3 p4>, in <interaction> and in <contacts>. nssim stores the memory of each contact,
 * also in checkpoints; the functions must depend only on their arguments.
 *
 * p       parameters p1 to p4 of the element [4], read only
 * memory  memory of one contact [nssim_law.memory]
 *
 * begin    called at the beginning of the run, with the gap of the contact, m: write memory
 * tension  return s for the next step, N; negative values count as 0
 * keep     called after a step in which the contact had a tension: `pressed` is r_N + h s, the
 *          impulse above its lower bound, N s; 0: the contact opens under its full tension
 *
 * While s > 0 the contact counts as closed for any gap, which cannot decrease. So keep must set s
 * to 0 when `pressed` is 0, or soon after, before the systems approach again. With s = 0 keep is no
 * longer called: a contact without tension remains without. */
#define NSSIM_LAW_MEMORY 16
typedef struct nssim_law {
  unsigned int abi;    /* NSSIM_PLUGIN_ABI of the header it was compiled with */
  unsigned int size;   /* sizeof(nssim_law) in that header */
  unsigned int memory; /* doubles of memory of a contact, 1 to NSSIM_LAW_MEMORY */
  void (*begin)(const double *p, double gap, double *memory);
  double (*tension)(const double *p, const double *memory);
  void (*keep)(const double *p, double pressed, double *memory);
} nssim_law;

/* Fills in abi and size. */
#define NSSIM_LAW(memory, begin, tension, keep)                                                    \
  {NSSIM_PLUGIN_ABI, (unsigned int)sizeof(nssim_law), memory, begin, tension, keep}

/* The function named by a model: returns the table, which must remain valid. */
typedef const nssim_law *nssim_law_of(void);

/* ---- controls ---------------------------------------------------------------------------------
 *
 * <PluginControl plugin="Library:name"> with a name of type nssim_control_of: a user-defined
 * sampled block. nssim stores its memory, separately for each control of a run, also in
 * checkpoints.
 *
 * p       numbers of <p> [np], read only
 * period  sampling period, s
 * memory  memory of the control [nssim_control.memory]
 *
 * begin   called before the first sample: write memory; NULL: zeros
 * sample  called at t, s; y [ny]: inputs of the control; w [nw]: outputs, on entry their present
 *         values */
#define NSSIM_CONTROL_MEMORY 65536
typedef struct nssim_control {
  unsigned int abi;    /* NSSIM_PLUGIN_ABI of the header it was compiled with */
  unsigned int size;   /* sizeof(nssim_control) in that header */
  unsigned int memory; /* doubles of memory of a control, 0 to NSSIM_CONTROL_MEMORY */
  void (*begin)(unsigned int np, const double *p, double period, double *memory);
  void (*sample)(unsigned int np, const double *p, double t, double period, unsigned int ny,
                 const double *y, unsigned int nw, double *w, double *memory);
} nssim_control;

/* Fills in abi and size. */
#define NSSIM_CONTROL(memory, begin, sample)                                                       \
  {NSSIM_PLUGIN_ABI, (unsigned int)sizeof(nssim_control), memory, begin, sample}

/* The function named by a model: returns the table, which must remain valid. */
typedef const nssim_control *nssim_control_of(void);

/* ---- a solver of one-step problems --------------------------------------------------------------
 *
 *     u = W r + q,  and in each block of rows one of
 *
 *   NSSIM_BOX       -u in N_[lb,ub](r), row by row: 0 <= u _|_ r >= 0 for [0, inf), u = 0 for
 *                   (-inf, inf), a relay for two finite bounds
 *   NSSIM_FRICTION  K* contains u + mu |u_T| e_N  _|_  r in K = { |r_T| <= mu r_N };  2 rows (N, T)
 *                   or 3 (N, T1, T2)
 *   NSSIM_ROLLING   the same with mu |u_T| + mu_rolling |u_R| instead of mu |u_T|, and also
 *                   |r_R| <= mu_rolling r_N in K; 3 rows (N, T, R) or 5 (N, T1, T2, R1, R2)
 *
 * It is called in each step of a model whose one-step problem has solver="Library:function". LCPs
 * and boxes (u is their w, r their z) are passed as one block of kind NSSIM_BOX. nssim computes the
 * residual of the result (nssim-problem(5)). As for any solver, a problem that is not solved to the
 * tolerance ends the run, or is treated according to onUnsolved.
 *
 * n, blocks           number of rows; number of blocks
 * row, column, value  W by rows: row i has the entries row[i] to row[i+1]-1 [row: n+1; the others:
 *                     row[n]]; columns ascend within a block, and entries may be 0
 * q                   [n]
 * first, kind         first row and kind of each block [blocks; first: blocks+1, the last is n]
 * mu, mu_rolling      [blocks], 0 if not used
 * lb, ub              bounds [n], -INFINITY and INFINITY if there is none; only for boxes
 * tolerance           accepted residual
 * max_iterations      0: chosen by the solver
 *
 * Everything is read only and borrowed for the call. The result of a solver must depend only on its
 * arguments. */
enum { NSSIM_FRICTION = 0, NSSIM_BOX = 1, NSSIM_ROLLING = 2 };
typedef struct nssim_problem {
  unsigned int n, blocks;
  const unsigned int *row, *column;
  const double *value, *q;
  const unsigned int *first;
  const unsigned char *kind;
  const double *mu, *mu_rolling;
  const double *lb, *ub;
  double tolerance;
  unsigned int max_iterations;
} nssim_problem;

/* scratch  returns the doubles of scratch memory for a problem of n rows; NULL: none
 * solve    r [n]: in, a guess (the solution of the previous step, or 0); out, the solution or the
 *          best iterate. *iterations, 0 before the call, is recorded. scratch is undefined before
 *          the call. Returns 0, or another value if the solver failed. */
typedef struct nssim_solver {
  unsigned int abi;  /* NSSIM_PLUGIN_ABI of the header it was compiled with */
  unsigned int size; /* sizeof(nssim_solver) in that header */
  size_t (*scratch)(unsigned int n);
  int (*solve)(const nssim_problem *p, double *r, unsigned int *iterations, double *scratch);
} nssim_solver;

/* Fills in abi and size. */
#define NSSIM_SOLVER(scratch, solve) {NSSIM_PLUGIN_ABI, (unsigned int)sizeof(nssim_solver), \
  scratch, solve}

/* The function named by a model: returns the table, which must remain valid. */
typedef const nssim_solver *nssim_solver_of(void);

/* ---- an integrator between events ---------------------------------------------------------------
 *
 *     x' = f(t, x)
 *
 * <PluginOSI plugin="Library:function"/> of <EventDriven>: one step of a one-step method. The state
 * x contains all systems, positions before velocities; between events f is smooth. nssim chooses
 * the length of steps from the error estimates of the method, repeats steps whose errors are too
 * large, locates events as roots on the cubic through both ends (whose error it also controls),
 * restarts after each event, and verifies the motion by another method.
 *
 * n         number of unknowns
 * weight    accepted error of each unknown, > 0 [n]: relativeTolerance |x| + absoluteTolerance;
 *           INFINITY if its error does not matter
 * rate      computes f [n] at (t, x); returns 0, or another value if it cannot be evaluated there:
 *           return from the step with a nonzero value
 * jacobian  computes df/dx [n x n] by columns, d f[i] / d x[j] at [i + j*n], exact if the model
 *           provides it; return values as of rate. Only for methods with `implicit`.
 * of        for nssim
 *
 * Everything is borrowed for the call. The result of a method must depend only on its arguments;
 * scratch is undefined before the call. */
typedef struct nssim_motion {
  unsigned int n;
  const double *weight;
  int (*rate)(const struct nssim_motion *m, double t, const double *x, double *f);
  int (*jacobian)(const struct nssim_motion *m, double t, const double *x, double *J);
  void *of;
} nssim_motion;

/* order     p, if errors of a step are O(h^(p+1)) and `step` estimates them; 0: no error estimate,
 *           steps have the fixed length given by the model
 * implicit  1: the method calls jacobian
 * scratch   returns the doubles of scratch memory for n unknowns; NULL: none
 * step      step from x [n] at t, where the rate is f [n], to `to` [n] at t + h; error [n]:
 *           estimated errors, zeros on entry. Returns 0, or another value if a shorter step may
 *           succeed. */
typedef struct nssim_integrator {
  unsigned int abi;  /* NSSIM_PLUGIN_ABI of the header it was compiled with */
  unsigned int size; /* sizeof(nssim_integrator) in that header */
  unsigned int order;
  int implicit;
  size_t (*scratch)(unsigned int n);
  int (*step)(const nssim_motion *m, double t, double h, const double *x, const double *f,
              double *to, double *error, double *scratch);
} nssim_integrator;

/* Fills in abi and size. */
#define NSSIM_INTEGRATOR(order, implicit, scratch, step)                                           \
  {NSSIM_PLUGIN_ABI, (unsigned int)sizeof(nssim_integrator), order, implicit, scratch, step}

/* The function named by a model: returns the table, which must remain valid. */
typedef const nssim_integrator *nssim_integrator_of(void);

/* ---- descriptor, optional -----------------------------------------------------------------------
 *
 * Description of a library, in the exported variable `nssim_plugin`. The first three fields will
 * never change; new fields are added at the end.
 *
 * State: for libraries that keep state in their own variables, in addition to z. Several runs of a
 * model may execute in different threads, so these variables must be _Thread_local (C++:
 * thread_local); the hooks are called in the thread of the run. */
typedef struct nssim_plugin_info {
  unsigned int abi;  /* NSSIM_PLUGIN_ABI of the header it was compiled with */
  unsigned int size; /* sizeof(nssim_plugin_info) in that header */
  const char *name;  /* for messages, may carry a version: "BallPlugin 1.2" */

  size_t state_size;                 /* bytes written by save; 0: no state */
  int (*init)(void);                 /* beginning of a run: set the state; nonzero: refuse to run */
  void (*save)(void *block);         /* copy the state to block [state_size] */
  int (*restore)(const void *block); /* copy it back from block; nonzero: refuse */
} nssim_plugin_info;

NSSIM_EXPORT const nssim_plugin_info nssim_plugin;

/* NSSIM_PLUGIN(name, abi)
 * NSSIM_PLUGIN(name, abi, state_size, init, save, restore)   hooks may be NULL
 * Used at file scope, once per library. */
#define NSSIM_PLUGIN(...) NSSIM_PLUGIN_FILL_(__VA_ARGS__, 0, 0, 0, 0, 0)
#define NSSIM_PLUGIN_FILL_(name, abi, state_size, init, save, restore, ...)                        \
  const nssim_plugin_info nssim_plugin = {                                                         \
    abi, (unsigned int)sizeof(nssim_plugin_info), name, state_size, init, save, restore}

#ifdef __cplusplus
}
#endif

#endif
