/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nssim/plugin.h -- functions of your own in a model of nssim. C11 and C++11; needs nothing else.
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
 * Beside the model, BallPlugin.c is compiled by nssim itself; by hand:
 *     cc -O2 -fPIC -shared -o BallPlugin.so BallPlugin.c -lm
 *
 * This header is optional: a library that has functions of these signatures and nothing else, for
 * instance one written for Siconos, loads as it is. nssim-plugin(7) tells the rest. */
#ifndef NSSIM_PLUGIN_H
#define NSSIM_PLUGIN_H

#include <stddef.h>

/* Number of what stands in this header. nssim refuses a library compiled for another one. */
#define NSSIM_PLUGIN_ABI 1

/* Before a declaration: found from outside under its own name, also from C++ and whatever
 * -fvisibility says. */
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
 * Mind the signs: fGyr and fInt stand on the LEFT, fExt on the right; p is the force of the
 * contacts. A force that depends on q or v goes into fInt with its sign changed.
 *
 * t     time, s
 * n     degrees of freedom of the system
 * q, v  coordinates [n] and velocities [n], read only; m and m/s or rad and rad/s
 * nz, z user vector of the system [nz], read and write; it is part of the state of the run, so a
 *       checkpoint keeps it and each run has its own. z may be NULL where nz is 0.
 *
 * The last array before nz is the result. Write it whole, zeros too: it holds old values. Forces
 * in N or N m. Matrices are stored by columns: entry of row i, column j at [i + j*n]. Jacobians
 * have a row for each component and a column for each coordinate: J[i + j*n] = d f[i] / d q[j].
 *
 * The functions are called many times a step, with trial values too, and in any order: the result
 * may depend on the arguments alone. A NaN or an infinity in the result ends the run with a message
 * that names the function, the entry and the time. */

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
 * N      coordinates of all systems of the interaction, which stand one after the other in Q [N], V
 *        [N]
 * m      rows of y [m] and lambda [m]; y[0] >= 0 is an open gap in m
 * nz, z  user vectors of its systems, one after the other
 *
 * H = dh/dQ [m x N], entry of row i, column j at [i + j*m]. Contact forces act as H^T lambda. For
 * laws of friction row 0 is the gap, the others are directions of slip, for which H says
 * everything: h may write 0 there where the model gives H too. What the model does not give of H,
 * dh/dt and dh/dlambda is differenced. */

/* Scleronomous: h [m], H [m x N]. */
typedef void nssim_lh(unsigned int N, const double *Q, unsigned int m, double *out, unsigned int nz,
                      double *z);
/* Scleronomous: d H / dt [m x N], for schemes that work with accelerations. */
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
 * q     [7]: centre of mass in world axes, then a unit quaternion, scalar first, that turns body
 *       axes to world axes
 * v     [6]: velocity in world axes, then angular velocity in body axes
 * fInt is in world axes, mInt in body axes; fExt and mExt are in those that the model names.
 *
 * In the plane q [3] is the centre of mass and the angle, v [3] its derivative; a force has 2
 * entries, a moment 1.
 *
 * What the model does not give of the Jacobians is differenced. Functions of <NewtonEulerR> are
 * nssim_lrheo: Q [N] holds the coordinates of all its bodies, 7 of each, and H = dh/dQ [m x N]. */

/* External force fExt, or external moment mExt [3]. */
typedef void nssim_body_fext(double t, double *out, unsigned int nz, double *z);

/* Internal force fInt, or internal moment mInt [3], or its derivative by q [3 x 7], by v [3 x 6]:
 * entry of row i, column j at [i + 3*j]. */
typedef void nssim_body_fint(double t, const double *q, const double *v, double *out,
                             unsigned int nz, double *z);

/* ---- functions of a first-order system ----------------------------------------------------------
 *
 *     M(t, z) dx/dt = f(t, x, z) + T(x, z) u(t, x, dx/dt, z) + r
 *     M(t, z) dx/dt = A(t, z) x + b(t, z) + T(x, z) u(t, x, dx/dt, z) + r      (linear)
 *
 * All of it stands on the right; r is the sum of the inputs of the system's interactions.
 *
 * t     time, s
 * n     states of the system
 * x     state [n], read only
 * s     controls
 * nz, z user vector, as above
 *
 * The result, the storage of matrices and the rules of calling are those above. */

/* Field f [n], or d f / d x [n x n], or M [n x n]. M gets x too, but must not depend on it. */
typedef void nssim_f(double t, unsigned int n, const double *x, double *out, unsigned int nz,
                     double *z);

/* Matrix A [rows x cols] of a linear system, rows = cols = n; also C, D, B, F of a linear relation,
 * below. */
typedef void nssim_a(double t, unsigned int rows, unsigned int cols, double *out, unsigned int nz,
                     double *z);

/* Source b [n] of a linear system; also e [m] of a linear relation, n = m then. */
typedef void nssim_b(double t, unsigned int n, double *out, unsigned int nz, double *z);

/* Control u [s]. xdot [n], read only: the rate dx/dt of the step before, in the first step that of
 * the initial state. */
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
 * N      states of all systems of the interaction, which stand one after the other in X [N] and R
 *        [N]
 * m      rows of y [m] and lambda [m]
 * nz, z  user vectors of its systems, one after the other
 *
 * g is the input of this interaction alone: nssim adds those of all of them. A Jacobian has a row
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

/* Type 2: h [m]; rows = m once more. */
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
 * Newton's impact law and Coulomb friction of contacts that bear a tension s, N, which the law
 * makes of what it keeps of each contact. A model names it as <PluginNSL plugin="Library:function"
 * en mu p1 p2 p3 p4>, in <interaction> and in <contacts>. nssim keeps the numbers of each contact:
 * the functions depend on their arguments alone, and checkpoints have the numbers.
 *
 * p       parameters p1 to p4 of the element [4], read only
 * memory  numbers of one contact [as many as the law says]
 *
 * begin    as the run begins, with the gap of the contact, m: write memory
 * tension  s for the next step, N; below 0 it counts as 0
 * keep     after a step in which the contact bore a tension: `pressed` is what it carried beyond
 *          that, N s, and 0 where the tension was all that it could bear */
#define NSSIM_LAW_MEMORY 16
typedef struct nssim_law {
  unsigned int abi;    /* NSSIM_PLUGIN_ABI of the header it was compiled with */
  unsigned int size;   /* sizeof(nssim_law) then */
  unsigned int memory; /* numbers that a contact keeps, 1 to NSSIM_LAW_MEMORY */
  void (*begin)(const double *p, double gap, double *memory);
  double (*tension)(const double *p, const double *memory);
  void (*keep)(const double *p, double pressed, double *memory);
} nssim_law;

/* Fills in abi and size. */
#define NSSIM_LAW(memory, begin, tension, keep)                                                    \
  {NSSIM_PLUGIN_ABI, (unsigned int)sizeof(nssim_law), memory, begin, tension, keep}

/* What a model names: gives the table, which stays where it is. */
typedef const nssim_law *nssim_law_of(void);

/* ---- controls ---------------------------------------------------------------------------------
 *
 * <PluginControl plugin="Library:name"> with a name of type nssim_control_of: a sampled block of
 * your own, whose state nssim keeps: each control of a run has its own, and a checkpoint has it
 * too.
 *
 * p       numbers of <p> [np], read only
 * memory  of the control [as many as it says]
 *
 * begin   before the first sample: write memory; NULL: zeros
 * sample  at t, s; y [ny] is what the control reads, w [nw] what it writes, on entry as it stands
 */
#define NSSIM_CONTROL_MEMORY 65536
typedef struct nssim_control {
  unsigned int abi;    /* NSSIM_PLUGIN_ABI of the header it was compiled with */
  unsigned int size;   /* sizeof(nssim_control) then */
  unsigned int memory; /* numbers that a control keeps, 0 to NSSIM_CONTROL_MEMORY */
  void (*begin)(unsigned int np, const double *p, double period, double *memory);
  void (*sample)(unsigned int np, const double *p, double t, double period, unsigned int ny,
                 const double *y, unsigned int nw, double *w, double *memory);
} nssim_control;

/* Fills in abi and size. */
#define NSSIM_CONTROL(memory, begin, sample)                                                       \
  {NSSIM_PLUGIN_ABI, (unsigned int)sizeof(nssim_control), memory, begin, sample}

/* What a model names: gives the table, which stays where it is. */
typedef const nssim_control *nssim_control_of(void);

/* ---- a solver of one-step problems --------------------------------------------------------------
 *
 *     u = W r + q,  and in each block of rows one of
 *
 *   NSSIM_BOX       -u in N_[lb,ub](r), row by row: 0 <= u _|_ r >= 0 for [0, inf), u = 0 for
 *                   (-inf, inf), a relay for two finite bounds
 *   NSSIM_FRICTION  K* contains u + mu |u_T| e_N  _|_  r in K = { |r_T| <= mu r_N };  2 rows (N, T)
 *                   or 3 (N, T1, T2)
 *   NSSIM_ROLLING   the same with mu_rolling |u_R| beside mu |u_T|, |r_R| <= mu_rolling r_N in K;
 *                   3 rows (N, T, R) or 5 (N, T1, T2, R1, R2)
 *
 * The problem of each step of a model whose one-step problem says solver="Library:function". LCPs
 * and boxes (u is their w, r their z) are one block of boxes. nssim measures what comes back by the
 * residual of the problem (nssim-problem(5)); what is not solved to the tolerance is what it is for
 * every solver, the end of the run or what onUnsolved says.
 *
 * n, blocks           rows; blocks of rows
 * row, column, value  W by rows: entries row[i] to row[i+1] of row i [row: n+1; the others:
 *                     row[n]]; columns ascend within a block, and entries may be 0
 * q                   [n]
 * first, kind         of each block: its first row; what it is [blocks; first: blocks+1, the last
 *                     is n]
 * mu, mu_rolling      [blocks], 0 where they say nothing
 * lb, ub              [n], -INFINITY and INFINITY where there is no bound; of boxes alone
 * tolerance           of the residual
 * max_iterations      0: as many as the solver thinks right
 *
 * Everything is read only and borrowed for the call. A solver depends on its arguments alone. */
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

/* scratch  numbers of scratch that it wants for a problem of n rows; NULL: none
 * solve    r [n]: in, a guess (what the step before left; 0 where there is none); out, the solution
 *          or the best so far. *iterations, 0 before the call: for results. scratch: undefined
 *          before the call. Returns 0, or anything else where it gave up. */
typedef struct nssim_solver {
  unsigned int abi;  /* NSSIM_PLUGIN_ABI of the header it was compiled with */
  unsigned int size; /* sizeof(nssim_solver) then */
  size_t (*scratch)(unsigned int n);
  int (*solve)(const nssim_problem *p, double *r, unsigned int *iterations, double *scratch);
} nssim_solver;

/* Fills in abi and size. */
#define NSSIM_SOLVER(scratch, solve) {NSSIM_PLUGIN_ABI, (unsigned int)sizeof(nssim_solver), \
  scratch, solve}

/* What a model names: gives the table, which stays where it is. */
typedef const nssim_solver *nssim_solver_of(void);

/* ---- an integrator between events ---------------------------------------------------------------
 *
 *     x' = f(t, x)
 *
 * <PluginOSI plugin="Library:function"/> of <EventDriven>: one step of a one-step method. The state
 * x is that of all systems, positions before velocities; between events f is smooth. nssim chooses
 * the length of steps by the error that the method estimates, repeats those that are not good
 * enough, finds events as roots on the cubic through both ends (whose error it bounds, too), begins
 * anew after each, and checks the motion by a method of its own.
 *
 * n         unknowns
 * weight    what an error of each unknown may be, > 0 [n]: relativeTolerance |x| +
 *           absoluteTolerance; INFINITY where none matters
 * rate      f [n] at (t, x); not 0: it cannot be evaluated there: return from the step, not 0
 * jacobian  df/dx [n x n] by columns, d f[i] / d x[j] at [i + j*n], exact where the model has it;
 *           the same codes. Of methods that say so (implicit) alone.
 * of        nssim's own
 *
 * Everything is borrowed for the call. A method depends on its arguments alone: scratch is
 * undefined before the call. */
typedef struct nssim_motion {
  unsigned int n;
  const double *weight;
  int (*rate)(const struct nssim_motion *m, double t, const double *x, double *f);
  int (*jacobian)(const struct nssim_motion *m, double t, const double *x, double *J);
  void *of;
} nssim_motion;

/* order     p, where errors of one step are O(h^(p+1)) and `step` estimates them; 0: it has no
 *           estimate, and steps have the length that the model gives
 * implicit  1: it calls jacobian
 * scratch   numbers of scratch that it wants for n unknowns; NULL: none
 * step      from x [n] at t, where the rate is f [n], to `to` [n] at t + h; error [n]: estimates of
 *           its errors, zeros on entry. Returns 0, or anything else where a shorter step may do. */
typedef struct nssim_integrator {
  unsigned int abi;  /* NSSIM_PLUGIN_ABI of the header it was compiled with */
  unsigned int size; /* sizeof(nssim_integrator) then */
  unsigned int order;
  int implicit;
  size_t (*scratch)(unsigned int n);
  int (*step)(const nssim_motion *m, double t, double h, const double *x, const double *f,
              double *to, double *error, double *scratch);
} nssim_integrator;

/* Fills in abi and size. */
#define NSSIM_INTEGRATOR(order, implicit, scratch, step)                                           \
  {NSSIM_PLUGIN_ABI, (unsigned int)sizeof(nssim_integrator), order, implicit, scratch, step}

/* What a model names: gives the table, which stays where it is. */
typedef const nssim_integrator *nssim_integrator_of(void);

/* ---- descriptor, optional -----------------------------------------------------------------------
 *
 * What a library says of itself, in the exported variable `nssim_plugin`. The first three fields
 * stand at their place for ever; further ones are added at the end.
 *
 * State: for a library that remembers more than z can hold, in variables of its own. Runs
 * of one model may go on in several threads, so these variables are to be _Thread_local (C++:
 * thread_local); the hooks are called in the thread of the run. */
typedef struct nssim_plugin_info {
  unsigned int abi;  /* NSSIM_PLUGIN_ABI of the header it was compiled with */
  unsigned int size; /* sizeof(nssim_plugin_info) then */
  const char *name;  /* for messages, may carry a version: "BallPlugin 1.2" */

  size_t state_size;                 /* bytes that save writes; 0: no state to keep */
  int (*init)(void);                 /* a run begins: set the state; not 0: refuse to run */
  void (*save)(void *block);         /* copy the state to block [state_size] */
  int (*restore)(const void *block); /* and back from a copy; not 0: refuse */
} nssim_plugin_info;

NSSIM_EXPORT const nssim_plugin_info nssim_plugin;

/* NSSIM_PLUGIN(name, abi)
 * NSSIM_PLUGIN(name, abi, state_size, init, save, restore)   hooks may be NULL
 * at file scope, once in a library. */
#define NSSIM_PLUGIN(...) NSSIM_PLUGIN_FILL_(__VA_ARGS__, 0, 0, 0, 0, 0)
#define NSSIM_PLUGIN_FILL_(name, abi, state_size, init, save, restore, ...)                        \
  const nssim_plugin_info nssim_plugin = {                                                         \
    abi, (unsigned int)sizeof(nssim_plugin_info), name, state_size, init, save, restore}

#ifdef __cplusplus
}
#endif

#endif
