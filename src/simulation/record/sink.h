/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sink.h -- where results go: an operations table that HDF5 and CSV implement.
 *
 * A row is all recorded quantities at one time, doubles side by side; a channel names a range of
 * its columns. The recorder (recorder.h) hands over many rows at once. */
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
  const char *help; /* what it is: "impulse over the step that ended here" */
  size_t col;       /* first column of the row */
  int ncol;
  int vector; /* 1: [N x ncol] in the file even if ncol = 1; 0: [N] */
  /* column headings of CSV [ncol]: "ball.x", "ball.v_x", "ground.lambda" */
  const char *const *labels;
  const char *const *names; /* of the components [ncol]: "x", "y", "phi"; NULL where none */
  const char *unit;         /* "N s", of all components; NULL where unknown or not the same */
  /* of each component [ncol], NULL or "" where unknown; NULL where `unit` says it */
  const char *const *units;
  ns_course course; /* how it goes from row to row */
  /* of a table of a sweep: values are positions among these words; NULL: numbers [nwords] */
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
  NS_EVENT_IMPACT,       /* an impulse met an approaching contact */
  NS_EVENT_CONTACT,      /* contact that lasts: loaded in a second step */
  NS_EVENT_RELEASE,      /* end of a lasting contact */
  NS_EVENT_SWITCH,       /* first order: a multiplier reached or left a bound of its law */
  NS_EVENT_ACCUMULATION, /* event-driven: impacts pile up, the contact rests from here on */
  /* one of the model's own, user_event.h: interaction is -1, row its index; velocities and impulse
     are 0 */
  NS_EVENT_USER,
  NS_EVENT_STICK,  /* friction: a contact that slid is at rest along its plane in a second step */
  NS_EVENT_SLIP,   /* one at rest begins to slide */
  NS_EVENT_BRANCH, /* first order, event-driven: several motions go on from here, one was taken */
  /* event-driven: sliding ends by an impact without collision, as no force of friction fits */
  NS_EVENT_JAM,
  /* event-driven: a formula jumps or has a corner; interaction is -1, row the number of the switch,
     before and after its branch (branches.h); impulse is 0 */
  NS_EVENT_FORMULA,
  /* of a body or a shape of <contacts>: it is there from the step on that ends now, or no more
     (ns_life); interaction is -1, row its number, velocities and impulse are 0 */
  NS_EVENT_BIRTH,
  NS_EVENT_DEATH,
  /* event-driven: a velocity that is prescribed jumps, or v0 is another one; interaction is -1, row
     that of the system, impulse that of its support */
  NS_EVENT_VELOCITY
} ns_event_kind;
enum { NS_EVENT_KINDS = NS_EVENT_VELOCITY + 1 };
/* Its id is not that of a contact: of an <event>, of the element of a formula, of what is born, of
 * the system of a velocity. */
static inline int ns_event_is_own(int kind)
{
  return kind == NS_EVENT_USER || kind == NS_EVENT_FORMULA || kind == NS_EVENT_BIRTH ||
         kind == NS_EVENT_DEATH || kind == NS_EVENT_VELOCITY;
}
const char *ns_event_text(ns_event_kind k); /* "impact", ... */

/* What a row is before an event and after it. LOWER to UPPER: where a multiplier of first order is
 * in the bounds of its law. */
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
  double t; /* end of the step that holds it, or its own time in event-driven runs, s */
  ns_event_kind kind;
  /* index into the model's interactions; -1: of none, of USER and FORMULA or of a contact between
   * shapes */
  int interaction;
  int row; /* row within the interaction */
  /* ydot at begin and end of the step, m/s; of a switch lambda; of stick and slip in 3D its length
   */
  double before, after;
  double impulse; /* N s; of a switch 0; of stick and slip that of friction, in 3D its length */
  /* energy that the contact took, J: - impulse (before + after)/2; of an accumulation what rebounds
   * would have had */
  double lost;
  ns_row_mode was, is; /* before and after it */
  /* FORMULA: id of the element that it stands in, or of the system of that; BIRTH, DEATH: of the
   * body or shape; VELOCITY: of the system; borrowed from the model, may be NULL */
  const char *of;
  /* of a contact between shapes, interaction -1, row 0, of slip 1 (event-driven 0): indices into
   * ns_contact_model.shape */
  int a, b;
  uint64_t feature; /* and which of that pair (ns_touch) */
} ns_event;

/* Of its interaction or, of a NS_EVENT_USER, its own id, of a NS_EVENT_FORMULA that of its element,
 * of a birth or death of the body or shape;
 * "" where there is none. Of a contact between shapes their names, "crate/ground:1.3.0", written to
 * buf [n]: a shape is named by its id (in a body "body.id"), else by its body, if that has several
 * by their number from 0, "body.2", or "fixed.2"; the numbers behind the colon say which corners,
 * edges or faces meet (kind, of the first, of the second), and are left out of shapes that meet at
 * one point alone. */
const char *ns_event_id(const ns_model *m, const ns_event *e, char *buf, size_t n);
/* Bytes that the longest name of a contact between shapes takes, with its NUL; 0: a run of this
 * model tells no events of them. */
size_t ns_event_contact_id_bytes(const ns_model *m);

/* A contact between shapes of rigid bodies; all in world axes. */
typedef struct ns_contact_record {
  /* indices into ns_contact_model.shape; forces are on the body of a, and opposite on that of b */
  int a, b;
  double point[3];    /* m */
  double normal[3];   /* unit vector from b to a */
  double gap;         /* m, < 0 where they overlap */
  double velocity[3]; /* of a relative to b there, m/s */
  /* since the row before, the step that ended where each has a row, N s; in event-driven runs of
   * the event */
  double impulse[3];
  double moment[3]; /* of rolling friction, N m s */
  /* mean since the row before, N; set by the recorder; in event-driven runs that of the instant */
  double force[3];
} ns_contact_record;

/* Whether a run of this model records them. */
int ns_contacts_recorded(const ns_model *m);
/* Whether it tells their events: where <output events> says so, otherwise with up to
 * NS_CONTACTS_TOLD shapes. */
enum { NS_CONTACTS_TOLD = 100 };
int ns_contacts_have_events(const ns_model *m);

/* What is known before the run; all borrowed. */
typedef struct ns_run_info {
  const ns_model *model;
  const char *version, *command, *host, *user, *started; /* started: ISO 8601, UTC */
  const char *libraries;                                 /* "libxml2 2.9.14, ..." */
  size_t batch; /* most rows handed over at once; set by the recorder, 0: unknown */
} ns_run_info;

/* What is known after it. */
typedef struct ns_run_result {
  const char *status;    /* "complete", "failed", "interrupted" */
  const char *message;   /* sentence of the failure, "" */
  int exit;              /* exit status of the process */
  const char *finished;  /* ISO 8601, UTC */
  double wall;           /* of the step loop, s */
  const ns_state *state; /* last good state */
} ns_run_result;

typedef struct ns_sink_ops {
  size_t size;             /* sizeof *this where compiled, which the HDF5 module is held against */
  const char *name, *help; /* "hdf5" */
  const char *suffix;      /* ".h5" */
  /* Create the output. On failure *self is NULL and nothing is left behind that was not there. */
  int (*open)(ns_ctx *c, const char *path, const ns_run_info *info, const ns_channel *channels,
              int nchannels, size_t ncols, void **self);
  /* [nrows x ncols] by rows */
  int (*rows)(void *self, ns_ctx *c, const double *rows, size_t nrows);
  int (*events)(void *self, ns_ctx *c, const ns_event *e, size_t n);
  int (*flush)(void *self, ns_ctx *c); /* what was handed over survives kill -9 after this */
  /* Write certificate and status, close, free self; also after failures. */
  int (*close)(void *self, ns_ctx *c, const ns_run_result *r);
  /* For checkpoints; NULL where a run cannot be resumed into it. mark: what was handed over goes to
   * the disk, and to b what `resume` needs in order to find this moment again. resume: open what an
   * earlier run left, check that all up to the mark is there as it was, drop what stands behind it,
   * and go on. On failure (NS_NOINPUT: the output is not that of the mark) nothing was changed and
   * *self is NULL. */
  int (*mark)(void *self, ns_ctx *c, ns_blob *b);
  int (*resume)(ns_ctx *c, const char *path, const ns_run_info *info, const ns_channel *channels,
                int nchannels, size_t ncols, ns_blob *b, void **self);
  /* Contacts of the next row, whose time is t: once for each row where ns_contacts_recorded, n may
   * be 0; after its `rows`, in their order. NULL: it keeps none. */
  int (*contacts)(void *self, ns_ctx *c, double t, const ns_contact_record *k, size_t n);
} ns_sink_ops;

#endif
