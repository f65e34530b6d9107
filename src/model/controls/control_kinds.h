/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_kinds.h -- the built-in kinds of control.h, one file each. */
#ifndef NS_MODEL_CONTROLS_CONTROL_KINDS_H
#define NS_MODEL_CONTROLS_CONTROL_KINDS_H

#include "model/controls/control.h"

extern const ns_control_kind ns_control_update; /* formulas */
extern const ns_control_kind ns_control_sensor; /* measurement with quantisation and delay */
extern const ns_control_kind ns_control_pid;
extern const ns_control_kind ns_control_state_space;
extern const ns_control_kind ns_control_transfer_function; /* control_state_space.c */
extern const ns_control_kind ns_control_limiter;           /* saturation, rate */
extern const ns_control_kind ns_control_hysteresis;        /* relay with two thresholds */
extern const ns_control_kind ns_control_smc;               /* LinearSMC; control_relay.c */
extern const ns_control_kind ns_control_smc_ot2;           /* LinearSMCOT2; control_relay.c */
extern const ns_control_kind ns_control_twisting;          /* control_relay.c */
extern const ns_control_kind ns_control_super_twisting;
extern const ns_control_kind ns_control_observer;         /* LuenbergerObserver */
extern const ns_control_kind ns_control_sliding_observer; /* control_observer.c */
extern const ns_control_kind ns_control_kalman;           /* ExtendedKalmanFilter */
extern const ns_control_kind ns_control_plugin;           /* PluginControl */

#endif
