/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sink.h -- output of results: an operations table, implemented for HDF5 and CSV.
 *
 * A row contains all recorded quantities at one time as doubles; a channel is a range of its
 * columns. The recorder (recorder.h) passes many rows at once. */
#ifndef NS_SIMULATION_RECORD_SINK_H
#define NS_SIMULATION_RECORD_SINK_H

#include "base/blob.h"
#include "model/course.h"
#include "model/model.h"
#include "model/state.h"

#include <stdint.h>

typedef struct ns_channel {
  /* in the file: "time", "systems/ball/q", "interactions/ground/lambda" */
  const char *path;
  const char *help; /* description: "impulse over the step that ended here" */
  size_t col;       /* first column of the row */
  int ncol;
  int vector; /* 1: [N x ncol] in the file even if ncol = 1; 0: [N] */
  /* column headings of CSV [ncol]: "ball.x", "ball.v_x", "ground.lambda" */
  const char *const *labels;
  const char *const *names; /* of the components [ncol]: "x", "y", "phi"; NULL where none */
  const char *unit;         /* "N s", of all components; NULL where unknown or not the same */
  /* of each component [ncol], NULL or "" where unknown; NULL where `unit` says it */
  const char *const *units;
  ns_course course; /* how it varies between rows */
  /* in tables of sweeps: values are indices of these words [nwords]; NULL: values are numbers */
  const char *const *word;
  int nwords;
} ns_channel;

/* Unit of component k, NULL where unknown. */
static inline const char *ns_channel_unit(const ns_channel *ch, int k)
{
  if (!ch->units) return ch->unit;
  return ch->units[k] && *ch->units[k] ? ch->units[k] : NULL;
}

typedef enum ns_event_kind {
  NS_EVENT_IMPACT,       /* impulse at an approaching contact */
  NS_EVENT_CONTACT,      /* contact that lasts: loaded in a second step */
  NS_EVENT_RELEASE,      /* end of a lasting contact */
  NS_EVENT_SWITCH,       /* first order: a multiplier reached or left a bound of its law */
  NS_EVENT_ACCUMULATION, /* event-driven: impacts accumulate, the contact rests from here on */
  /* user event (user_event.h): interaction is -1, row its index; velocities and impulse are 0 */
  NS_EVENT_USER,
  NS_EVENT_STICK,  /* friction: a sliding contact is at rest along its plane in a second step */
  NS_EVENT_SLIP,   /* friction: a contact at rest begins to slide */
  NS_EVENT_BRANCH, /* first order, event-driven: several solutions begin here, one was chosen */
  /* event-driven: sliding ends by an impact without collision, because no friction force is
   * consistent */
  NS_EVENT_JAM,
  /* event-driven: a formula jumps or has a corner; interaction is -1, row the index of the switch,
   * before and after its branch (branches.h); impulse is 0 */
  NS_EVENT_FORMULA,
  /* a body or a shape of <contacts> begins or ceases to exist with the step that ends now
   * (ns_life); interaction is -1, row its index, velocities and impulse are 0 */
  NS_EVENT_BIRTH,
  NS_EVENT_DEATH,
  /* event-driven: a prescribed velocity jumps, or differs from v0; interaction is -1, row that of
   * the system, impulse that of its support */
  NS_EVENT_VELOCITY
} ns_event_kind;
enum { NS_EVENT_KINDS = NS_EVENT_VELOCITY + 1 };
/* 1 if its id is not that of a contact, but of an <event>, the element of a formula, a body or
 * shape, or the system of a velocity. */
static inline int ns_event_is_own(int kind)
{
  return kind == NS_EVENT_USER || kind == NS_EVENT_FORMULA || kind == NS_EVENT_BIRTH ||
         kind == NS_EVENT_DEATH || kind == NS_EVENT_VELOCITY;
}
const char *ns_event_text(ns_event_kind k); /* "impact", ... */

/* Mode of a row before and after an event. LOWER to UPPER: position of a first-order multiplier in
 * the bounds of its law. */
typedef enum ns_row_mode {
  NS_ROW_FREE,
  NS_ROW_LOADED,
  NS_ROW_CLOSED,
  NS_ROW_LOWER,
  NS_ROW_BETWEEN,
  NS_ROW_UPPER,
  NS_ROW_STICK,
  NS_ROW_SLIP /* of a row of slip */
} ns_row_mode;
enum { NS_ROW_MODES = NS_ROW_SLIP + 1 };
const char *ns_row_mode_text(ns_row_mode m); /* "free", ... */

typedef struct ns_event {
  double t; /* end of the step in which it occurs; in event-driven runs its time, s */
  ns_event_kind kind;
  /* index into the model's interactions; -1: none, for USER, FORMULA and contacts between shapes */
  int interaction;
  int row; /* row within the interaction */
  /* ydot at the beginning and end of the step, m/s; SWITCH: lambda; STICK, SLIP: slip velocity, in
   * space its magnitude */
  double before, after;
  double impulse; /* N s; SWITCH: 0; STICK, SLIP: impulse of friction, in space its magnitude */
  /* energy dissipated by the contact, J: - impulse (before + after)/2; ACCUMULATION: that of the
   * suppressed rebounds */
  double lost;
  ns_row_mode was, is; /* before and after it */
  /* FORMULA: id of the element with the formula, or of its system; BIRTH, DEATH: of the body or
   * shape; VELOCITY: of the system; borrowed from the model, may be NULL */
  const char *of;
  /* contacts between shapes (interaction -1; row 0, for slip 1, in event-driven runs 0): indices
   * into ns_contact_model.shape */
  int a, b;
  uint64_t feature; /* identifies the contact of this pair (ns_touch) */
} ns_event;

/* Id of an event: of its interaction; for NS_EVENT_USER its own; for NS_EVENT_FORMULA that of its
 * element; for births and deaths that of the body or shape; "" if there is none. For a contact
 * between shapes, their names, "crate/ground:1.3.0", written to buf [n]: a shape is named by its id
 * (in a body "body.id"), otherwise by its body, with an index from 0 if the body has several
 * shapes, "body.2", or "fixed.2". The numbers after the colon identify the touching corners, edges
 * or faces (kind, of the first, of the second), and are omitted for shapes that touch at one point
 * only. */
const char *ns_event_id(const ns_model *m, const ns_event *e, char *buf, size_t n);
/* Max. length of the name of a contact between shapes, with its NUL; 0: a run of this model records
 * no events of them. */
size_t ns_event_contact_id_bytes(const ns_model *m);

/* A contact between shapes of rigid bodies; all in world axes. */
typedef struct ns_contact_record {
  /* indices into ns_contact_model.shape; forces are on the body of a, and opposite on that of b */
  int a, b;
  double point[3];    /* m */
  double normal[3];   /* unit vector from b to a */
  double gap;         /* m, < 0 for an overlap */
  double velocity[3]; /* of a relative to b at the point, m/s */
  /* since the previous row (of one step if each step has a row), N s; in event-driven runs of the
   * event */
  double impulse[3];
  double moment[3]; /* of rolling friction, N m s */
  /* mean since the previous row, N; set by the recorder; in event-driven runs the current force */
  double force[3];
} ns_contact_record;

/* 1 if a run of this model records contacts. */
int ns_contacts_recorded(const ns_model *m);
/* 1 if it records their events: as given by <output events>, by default with up to NS_CONTACTS_TOLD
 * shapes. */
enum { NS_CONTACTS_TOLD = 100 };
int ns_contacts_have_events(const ns_model *m);

/* Data known before the run; all borrowed. */
typedef struct ns_run_info {
  const ns_model *model;
  const char *version, *command, *host, *user, *started; /* started: ISO 8601, UTC */
  const char *libraries;                                 /* "libxml2 2.9.14, ..." */
  size_t batch; /* max. number of rows passed at once; set by the recorder, 0: unknown */
} ns_run_info;

/* Data known after the run. */
typedef struct ns_run_result {
  const char *status;    /* "complete", "failed", "interrupted" */
  const char *message;   /* error message, or "" */
  int exit;              /* exit status of the process */
  const char *finished;  /* ISO 8601, UTC */
  double wall;           /* of the step loop, s */
  const ns_state *state; /* last valid state */
} ns_run_result;

typedef struct ns_sink_ops {
  size_t size;             /* sizeof *this when compiled; compared with that of the HDF5 module */
  const char *name, *help; /* "hdf5" */
  const char *suffix;      /* ".h5" */
  /* Create the output. On failure *self is NULL and nothing is left behind that was not there. */
  int (*open)(ns_ctx *c, const char *path, const ns_run_info *info, const ns_channel *channels,
              int nchannels, size_t ncols, void **self);
  /* [nrows x ncols] by rows */
  int (*rows)(void *self, ns_ctx *c, const double *rows, size_t nrows);
  int (*events)(void *self, ns_ctx *c, const ns_event *e, size_t n);
  int (*flush)(void *self, ns_ctx *c); /* after it, all rows passed so far survive kill -9 */
  /* Write certificate and status, close, free self; also after failures. */
  int (*close)(void *self, ns_ctx *c, const ns_run_result *r);
  /* For checkpoints; NULL if a run cannot be resumed into the output. mark: write everything passed
   * so far to disk, and to b the data that `resume` needs to find this point. resume: open the
   * output of an earlier run, check that everything up to the mark is unchanged, discard what
   * follows, and continue. On failure (NS_NOINPUT: the output does not belong to the mark) nothing
   * was changed and *self is NULL. */
  int (*mark)(void *self, ns_ctx *c, ns_blob *b);
  int (*resume)(ns_ctx *c, const char *path, const ns_run_info *info, const ns_channel *channels,
                int nchannels, size_t ncols, ns_blob *b, void **self);
  /* Contacts of a row at time t: called once per row if ns_contacts_recorded, n may be 0; after its
   * `rows`, in their order. NULL: not stored. */
  int (*contacts)(void *self, ns_ctx *c, double t, const ns_contact_record *k, size_t n);
} ns_sink_ops;

#endif
