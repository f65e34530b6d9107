/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf_actuator.c -- actuators of MJCF on joints and tendons: force = gain u + affine bias, where u
 * is the control or an activation that follows it (MuJoCo, "Computation: Actuation model"). */
#include "io/import/mjcf.h"

#include <math.h>
#include <string.h>

/* dyntype: what comes between control and force; -1: another law. */
static int activation(ns_mjcf *m, const xmlNode *x, int class, ns_robot_actuator *a)
{
  const char *element = ns_robot_element(x), *dyntype = ns_mjcf_get(m, x, class, "dyntype");
  double dynprm[10] = {1};
  int is_filter = ns_mjcf_is_word(dyntype, "filter") || ns_mjcf_is_word(dyntype, "filterexact");
  if (!strcmp(element, "intvelocity") || ns_mjcf_is_word(dyntype, "integrator"))
    a->activation = NS_ROBOT_INTEGRATOR;
  else if (is_filter) a->activation = NS_ROBOT_FILTER;
  else if (dyntype && strcmp(dyntype, "none")) return -1;
  if (is_filter && ns_mjcf_some(m, x, class, "dynprm", 10, dynprm) < 0) return NS_MODEL;
  a->lag = dynprm[0];
  if (!strcmp(element, "position")) {
    double lag = 0;
    if (ns_mjcf_vector(m, x, class, "timeconst", 1, &lag) < 0) return NS_MODEL;
    if (lag > 0) a->activation = NS_ROBOT_FILTER, a->lag = lag;
  }
  if (a->activation == NS_ROBOT_FILTER && !(a->lag > 0))
    return ns_robot_fail(m->r, x, "the time constant of its filter is %g, expected more than 0",
                         a->lag);
  return NS_OK;
}

static int drive_numbers(ns_mjcf *m, const xmlNode *x, int class, ns_robot_actuator *a)
{
  const char *element = ns_robot_element(x);
  double k = 1, kv = 0, gain[10] = {1}, bias[10] = {0};
  int rc = 0;
  a->gain = 1;
  if (!strcmp(element, "position") || !strcmp(element, "intvelocity")) {
    rc = ns_mjcf_vector(m, x, class, "kp", 1, &k) < 0 ||
         ns_mjcf_vector(m, x, class, "kv", 1, &kv) < 0;
    a->gain = k;
    a->bias[1] = -k;
    a->bias[2] = -kv;
  } else if (!strcmp(element, "velocity")) {
    rc = ns_mjcf_vector(m, x, class, "kv", 1, &k) < 0;
    a->gain = k;
    a->bias[2] = -k;
  } else if (!strcmp(element, "general")) {
    const char *gaintype = ns_mjcf_get(m, x, class, "gaintype"),
               *biastype = ns_mjcf_get(m, x, class, "biastype");
    if ((gaintype && strcmp(gaintype, "fixed")) ||
        (biastype && !ns_robot_has("none affine", biastype)))
      return -1;
    rc = ns_mjcf_some(m, x, class, "gainprm", 10, gain) < 0 ||
         ns_mjcf_some(m, x, class, "biasprm", 10, bias) < 0;
    a->gain = gain[0];
    if (ns_mjcf_is_word(biastype, "affine")) memcpy(a->bias, bias, 3 * sizeof *bias);
  }
  return rc ? NS_MODEL : activation(m, x, class, a);
}

static int bounds(ns_mjcf *m, const xmlNode *x, int class, const char *limited, const char *range,
                  double *low, double *high)
{
  double v[2];
  int found = ns_mjcf_vector(m, x, class, range, 2, v);
  if (found < 0) return NS_MODEL;
  if (!ns_mjcf_is_limited(m, x, class, limited, found)) return NS_OK;
  if (!(v[0] <= v[1]))
    return ns_robot_fail(m->r, x, "attribute %s is %g %g, expected the lower bound first", range,
                         v[0], v[1]);
  *low = v[0];
  *high = v[1];
  return NS_OK;
}

int ns_mjcf_add_actuator(ns_mjcf *m, const xmlNode *x)
{
  ns_robot *r = m->r;
  int class = ns_mjcf_class_of(m, x, 0);
  const char *joint = ns_mjcf_get(m, x, class, "joint"),
             *tendon = ns_mjcf_get(m, x, class, "tendon");
  if (!joint) joint = ns_mjcf_get(m, x, class, "jointinparent");
  int j = ns_robot_find_joint(r, joint), of = joint ? -1 : ns_robot_find_tendon(r, tendon);
  if (joint && j < 0)
    return ns_robot_fail(
        r, x, "names the joint %.60s, which does not exist, expected one of the file", joint);
  int known = ns_robot_has("motor position velocity intvelocity general", ns_robot_element(x));
  if (!known || (of < 0 && (!joint || r->joint[j].kind >= NS_ROBOT_BALL))) {
    ns_robot_left_out(r, x, "<%s>%s is ignored", ns_robot_element(x),
                      !known   ? ""
                      : tendon ? " of a tendon that is ignored or does not exist"
                      : !joint ? " that does not act on a joint or a tendon"
                               : " of a ball or free joint");
    return NS_OK;
  }
  int k = ns_robot_add_actuator(r, x, ns_robot_attribute(r, x, "name"), j);
  if (k < 0) return NS_MODEL;
  r->actuator[k].tendon = of;
  ns_robot_actuator *a = &r->actuator[k];
  double gear[6] = {1};
  int rc = drive_numbers(m, x, class, a);
  if (rc < 0 && !r->msg.c.nerrors) {
    ns_robot_left_out(
        r, x,
        "an actuator with another law than gain u + affine bias, or with another activation than "
        "integrator and filter, is ignored");
    r->nactuators--;
    return NS_OK;
  }
  if (ns_mjcf_some(m, x, class, "gear", 6, gear) < 0) return NS_MODEL;
  a->gear = gear[0];
  if (!rc) rc = bounds(m, x, class, "ctrllimited", "ctrlrange", &a->low, &a->high);
  if (!rc && a->activation)
    rc = bounds(m, x, class, "actlimited", "actrange", &a->act_low, &a->act_high);
  return rc ? rc : bounds(m, x, class, "forcelimited", "forcerange", &a->force_low, &a->force_high);
}
