/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/record/channels_parts.h"

#define REPORT(field) \
  NS_FROM_REPORT, offsetof(ns_step_report, field) / sizeof(double), NS_COURSE_STEP, NS_TAKE_NOW
#define CERT(field) NS_FROM_CERT, offsetof(ns_certificate, field), NS_COURSE_CONTINUOUS, NS_TAKE_NOW
#define MOVING 0, NS_COURSE_CONTINUOUS, NS_TAKE_NOW
#define AMOUNT 0, NS_COURSE_STEP, NS_TAKE_SUM /* of steps: summed between rows */
#define USER_VECTOR \
  { \
    "z", NULL, "user vector: inputs that functions read and controls write", NS_FROM_Z, 0, \
        NS_COURSE_HELD, NS_TAKE_NOW \
  }

#define FORCE \
  { \
    "force", "N", "mean force since the previous row, impulse divided by time; N m for a moment", \
        NS_FROM_LAMBDA, 0, NS_COURSE_STEP, NS_TAKE_MEAN \
  }

/* ---- Lagrangian systems ---------------------------------------------------------------------- */

static const ns_quantity of_systems[] = {
    {"q", NULL, "generalised coordinates", NS_FROM_Q, MOVING},
    {"v", NULL, "generalised velocities", NS_FROM_V, MOVING},
    {"p", "N s",
     "generalised impulse (not a force) of all contacts since the previous row (in the step, if "
     "each step has a row); N m s for an angle",
     NS_FROM_P, AMOUNT},
    {"support", "N s",
     "generalised impulse (not a force) since the previous row that enforced prescribed "
     "velocities; N m s for an angle",
     NS_FROM_SUPPORT, AMOUNT}, /* of systems with boundary conditions */
    USER_VECTOR,               /* where it has names, or there are controls */
};

static const ns_quantity of_interactions[] = {
    {"y", "m", "gap", NS_FROM_Y, MOVING},
    {"ydot", "m/s", "velocity of the gap", NS_FROM_YDOT, MOVING},
    {"lambda", "N s",
     "contact impulse (not a force) since the previous row (in the step, if each step has a row)",
     NS_FROM_LAMBDA, AMOUNT},
    FORCE,
};

/* Free coordinates of joints. */
#define OF_JOINTS \
  {"angle", "rad", \
   "angle of the second body relative to the first about the axis of a joint, including full " \
   "turns", \
   NS_FROM_ANGLE, MOVING}, \
      {"slide", \
       "m", \
       "displacement of the second body relative to the first along the axis of a joint", \
       NS_FROM_ANGLE, \
       1, \
       NS_COURSE_CONTINUOUS, \
       NS_TAKE_NOW}, \
      {"v_angle", "rad/s", "rate of this angle", NS_FROM_RATE, MOVING}, \
      {"v_slide",  "m/s", "rate of this displacement", NS_FROM_RATE, 1, NS_COURSE_CONTINUOUS, \
       NS_TAKE_NOW},

/* Rigid bodies: where a joint is, too. */
static const ns_quantity of_joints[] = {
    {"y", "m", "gap; for a joint its position error, m, and rotation error", NS_FROM_Y, MOVING},
    {"ydot", "m/s", "its velocity", NS_FROM_YDOT, MOVING},
    {"lambda", "N s",
     "impulse (not a force) since the previous row (in the step, if each step has a row); N m s "
     "for a moment",
     NS_FROM_LAMBDA, AMOUNT},
    FORCE,
    OF_JOINTS};

/* Event-driven: forces, and impulses at events alone. */
static const ns_quantity of_systems_events[] = {
    {"q", NULL, "generalised coordinates", NS_FROM_Q, MOVING},
    {"v", NULL, "generalised velocities", NS_FROM_V, MOVING},
    {"p", "N", "generalised force of all contacts; N m for an angle", NS_FROM_P, MOVING},
    {"support", "N", "generalised force that keeps fixed coordinates; N m for an angle",
     NS_FROM_SUPPORT, MOVING}, /* of systems with boundary conditions */
    USER_VECTOR,
};

#define OF_EVENTS \
  {"y", "m", "gap", NS_FROM_Y, MOVING}, \
      {"ydot", "m/s", "velocity of the gap", NS_FROM_YDOT, MOVING}, \
      {"lambda", "N", "contact force (not an impulse)", NS_FROM_LAMBDA, MOVING}, \
      {"impulse",       "N s", "contact impulse of the event just before the row; 0 elsewhere", \
       NS_FROM_IMPULSE, 0,     NS_COURSE_EVENT, \
       NS_TAKE_NOW},

static const ns_quantity of_interactions_events[] = {OF_EVENTS};
static const ns_quantity of_joints_events[] = {OF_EVENTS OF_JOINTS};

static const ns_quantity diagnostics_events[] = {
    {"side", "1", "0: row of the grid, 1: just before an event, 2: just after it", NS_FROM_SIDE, 0,
     NS_COURSE_EVENT, NS_TAKE_NOW},
    {"iterations", "1", "iterations of the solver of the problems of an event", REPORT(iterations)},
    {"residual", "1", "complementarity residual of the problems of an event", REPORT(residual)},
    {"penetration", "m", "largest -y over unilateral rows and |y| of equalities",
     REPORT(penetration)},
    {"events", "1", "events since t0 that changed a velocity or a contact", CERT(events)},
    {"steps", "1", "steps of the integrator since t0", CERT(flow_steps)},
    {"evaluations", "1", "evaluations of the accelerations by the integrator since t0",
     CERT(flow_evaluations)},
    {"kinetic", "J", "kinetic energy 1/2 v'Mv", CERT(kinetic)},
    {"potential", "J", "known potential energy 1/2 q'Kq - f'q of stiffness and constant forces",
     CERT(potential)},
    {"work_force", "J", "work since t0 of forces without a known potential and of damping",
     CERT(work_force)},
    {"work_contact", "J", "work since t0 of impacts", CERT(work_contact)},
    {"work_friction", "J", "work since t0 of friction and relays", CERT(work_friction)},
    {"work_driven", "J", "work since t0 of moving obstacles", CERT(work_driven)},
    {"energy_defect", "J",
     "kinetic + potential - their initial value - work_force - work_contact - work_friction - "
     "work_driven",
     CERT(defect)},
};

static const ns_quantity diagnostics[] = {
    {"newton", "1", "Newton iterations of the step", REPORT(newton)},
    {"newton_residual", "1", "residual of Newton's method at acceptance, relative to its tolerance",
     REPORT(newton_residual)},
    {"iterations", "1", "iterations of the solver of the one-step problem", REPORT(iterations)},
    {"residual", "1", "complementarity residual of the one-step problem", REPORT(residual)},
    {"active", "1", "active rows of the one-step problem", REPORT(active)},
    {"penetration", "m", "largest -y over unilateral rows, 0 where all gaps are open",
     REPORT(penetration)},
    {"kinetic", "J", "kinetic energy 1/2 v'Mv", CERT(kinetic)},
    {"potential", "J", "known potential energy 1/2 q'Kq - f'q of stiffness and constant forces",
     CERT(potential)},
    {"work_force", "J", "work since t0 of forces without a known potential and of damping",
     CERT(work_force)},
    {"work_contact", "J", "work since t0 of contact impulses", CERT(work_contact)},
    /* where there are some */
    {"work_friction", "J", "work since t0 of friction and relays", CERT(work_friction)},
    /* where something does */
    {"work_driven", "J", "work since t0 of moving obstacles", CERT(work_driven)},
    {"energy_defect", "J", "kinetic + potential - their initial value - work_force - work_contact",
     CERT(defect)},
};

/* ---- first-order systems --------------------------------------------------------------------- */

static const ns_quantity of_first_order[] = {
    {"x", NULL, "state", NS_FROM_Q, MOVING},
    {"xdot", NULL, "rate x' = M^-1 (f + r) at the end of the step", NS_FROM_V, MOVING},
    {"r", NULL, "input: sum of the contributions of all interactions to M x'", NS_FROM_P, 0,
     NS_COURSE_HELD, NS_TAKE_NOW},
    USER_VECTOR,
};

static const ns_quantity of_laws[] = {
    {"y", NULL, "output of the relation; with the full theta-gamma scheme at t_k + gamma h",
     NS_FROM_Y, MOVING},
    {"lambda", NULL,
     "multiplier (not an impulse, which is h lambda); with the full theta-gamma scheme at t_k + "
     "gamma h",
     NS_FROM_LAMBDA, 0, NS_COURSE_HELD, NS_TAKE_NOW},
};

static const ns_quantity first_order_diagnostics[] = {
    {"newton", "1", "Newton iterations of the step", REPORT(newton)},
    {"newton_residual", "1",
     "residual of Newton's method at acceptance, for state, outputs and inputs, relative to its "
     "tolerance",
     REPORT(newton_residual)},
    {"iterations", "1", "iterations of the solver of the one-step problem", REPORT(iterations)},
    {"residual", "1", "complementarity residual of the one-step problem", REPORT(residual)},
    {"active", "1", "rows whose lambda is not at a bound of its law", REPORT(active)},
    {"violation", NULL,
     "law violation of the state and lambda as recorded: max |lambda - proj(lambda - y)| onto the "
     "bounds of lambda",
     REPORT(penetration)},
};

static const ns_quantity first_order_events[] = {
    {"side", "1", "0: row of the grid, 1: just before an event, 2: just after it", NS_FROM_SIDE, 0,
     NS_COURSE_EVENT, NS_TAKE_NOW},
    {"active", "1", "rows whose lambda is not at a bound of its law", REPORT(active)},
    {"violation", NULL,
     "law violation of the state and lambda as recorded: max |lambda - proj(lambda - y)| onto the "
     "bounds of lambda",
     REPORT(penetration)},
    {"events", "1", "events since t0 that changed the mode of a row", CERT(events)},
    {"steps", "1", "steps of the integrator since t0", CERT(flow_steps)},
    {"evaluations", "1", "evaluations of the rates by the integrator since t0",
     CERT(flow_evaluations)},
};

/* Between points of bodies: state.angle has length and force, state.rate rate and power. */
const ns_quantity ns_quantities_of_forces[] = {
    {"length", "m", "length of the line through its points", NS_FROM_ANGLE, MOVING},
    {"rate", "m/s", "rate of this length", NS_FROM_RATE, MOVING},
    {"force", "N", "force along the line, positive if it pushes the points apart", NS_FROM_ANGLE, 1,
     NS_COURSE_CONTINUOUS, NS_TAKE_NOW},
    {"power", "W", "power of the force on its bodies", NS_FROM_RATE, 1, NS_COURSE_CONTINUOUS,
     NS_TAKE_NOW},
};

/* ---- families -------------------------------------------------------------------------------- */

#define LIST(a) \
  { \
    a, NS_LENGTH(a) \
  }

const char *const ns_channel_groups[NS_CHANNEL_GROUPS] = {"systems", "interactions", "diagnostics"};

static const ns_quantity_family lagrangian = {
    {LIST(of_systems), LIST(of_interactions), LIST(diagnostics)}};
static const ns_quantity_family rigid = {{LIST(of_systems), LIST(of_joints), LIST(diagnostics)}};
static const ns_quantity_family event_driven = {
    {LIST(of_systems_events), LIST(of_interactions_events), LIST(diagnostics_events)}};
static const ns_quantity_family rigid_events = {
    {LIST(of_systems_events), LIST(of_joints_events), LIST(diagnostics_events)}};
static const ns_quantity_family first_order = {
    {LIST(of_first_order), LIST(of_laws), LIST(first_order_diagnostics)}};
static const ns_quantity_family switching = {
    {LIST(of_first_order), LIST(of_laws), LIST(first_order_events)}};

const ns_quantity_family *ns_quantities_of(const ns_model *m, ns_family kind)
{
  if (kind == NS_FAMILY_FIRST_ORDER) return m->sim.event_driven ? &switching : &first_order;
  if (kind == NS_FAMILY_RIGID) return m->sim.event_driven ? &rigid_events : &rigid;
  return m->sim.event_driven ? &event_driven : &lagrangian;
}

_Static_assert(1 + NS_LENGTH(of_systems) + NS_LENGTH(of_interactions) + NS_LENGTH(diagnostics) <=
                   NS_CHANNEL_TABLES,
               "channels of many objects");
_Static_assert(1 + NS_LENGTH(of_first_order) + NS_LENGTH(of_laws) +
                       NS_LENGTH(first_order_diagnostics) <=
                   NS_CHANNEL_TABLES,
               "channels of many first-order objects");
