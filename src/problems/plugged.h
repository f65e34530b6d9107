/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugged.h -- a solver of one-step problems in a plug-in (nssim/plugin.h, nssim_solver).
 *
 * The same table of a plug-in serves both kinds of problems of this folder: boxes (box/box.h) are
 * one block of box rows, contacts (mechanical.h) are blocks of friction, boxes and rolling
 * friction. The matrix is passed by rows, the plug-in is called under guard, and its result is
 * checked by the residual of the problem, not by what the plug-in reports. A plug-in has no data
 * that pass from call to call, so none are saved.
 *
 * Names of such solvers contain a colon, "Library:function", and select the tables below; `create`
 * takes the plug-in from the options. */
#ifndef NS_PROBLEMS_PLUGGED_H
#define NS_PROBLEMS_PLUGGED_H

#include "problems/mechanical.h"

#include "base/guard.h"

/* Check the functions of the nssim_solver of a plug-in. NS_PLUGIN: it has no solve. */
int ns_plugged_check_solver(ns_ctx *c, const ns_plugged *p);

/* 1 if a solver's name is that of a plug-in. */
int ns_solver_is_plugged(const char *name);

/* The tables of solvers whose names contain a colon. */
extern const ns_box_solver_ops ns_box_plugged;
extern const ns_mechanical_solver_ops ns_mechanical_plugged;

#endif
