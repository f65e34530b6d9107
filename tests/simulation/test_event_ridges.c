/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cylinders and cones that fall over ridges, event-driven: their contacts go from a face to an edge
 * to a tip, at instants that are parted by rounding alone. Each run has to come to its end, and its
 * certificate to hold: what its impulses do is all that velocities do, and its motion is that of
 * its equations. */
#include "algebra/rotation.h"
#include "simulation/simulation.h"
#include "support/random_model.h"
#include "support/whole.h"

/* A body with a pose and a velocity on something fixed, and others. */
static void fall(generator *to, const char *q, const char *v, double weight, const char *shape,
                 const char *others, const char *law, const char *ground, double T)
{
  put(to,
      "<model xmlns='urn:nssim:model:1' name='m'><systems><NewtonEulerDS id='b' "
      "gyroscopic='midpoint'><q0>%s</q0><v0>%s</v0><fExt>0 0 -%.17g</fExt>%s</NewtonEulerDS>"
      "%s</systems><contacts><NewtonImpactFrictionNSL %s/>%s</contacts><simulation T='%.17g'>"
      "<EventDriven h='0.005' certificate='on'><CVodeOSI/></EventDriven></simulation></model>",
      q, v, weight, shape, others, law, ground, T);
}

static void holds(const char *text)
{
  run r = whole(text);
  ck_assert_double_le(r.x->cert->event_breach, 1);
  ck_assert_double_ge(*r.x->t, r.m->sim.T);
  ck_assert_uint_ge(r.got.nevents, 1);
  run_end(&r);
}

/* ---- poses that once ended a run ------------------------------------------------------------- */

#define ROOF "<Mesh file='tests/data/roof.obj'/>"
#define FIELD(heights) "<HeightField spacing='0.15 0.15' heights='" heights "'/>"
#define CONE(turn) "<Cone radius='0.2' length='0.3' at='0 0 -0.15' turn='" turn "'/>"

typedef struct pose {
  const char *q, *v, *shape, *law, *ground;
  double mass, T;
  const char *others;
} pose;

static const pose poses[] = {
    /* tips that slide from one side of a ridge to the other */
    {"0.1531363808723967 -0.11811773511811821 0.22337459099124482 -0.60787254879276564 "
     "0.29169634078026069 0.73835813619769153 0.015214200940703203",
     "0.67669400260625034 -0.35201431420071649 -0.33834700130312523 0.26922432231523968 "
     "-0.033620466287498318 -1.0555821108348773",
     "<Cone radius='0.1151' length='0.1417' density='800'/>", "en='0' mu='0.3'", ROOF, 1.573, 0.01,
     ""},
    {"-0.0230 -0.0223 0.3051 -0.602560 -0.569830 0.490761 -0.267149",
     "-0.166 0.162 -1 -3.626 -3.836 -0.946",
     "<Cone radius='0.0921' length='0.1051' density='800'/>", "en='0' mu='0.4'",
     FIELD("0.057 0.040 -0.040 0.047 -0.008 0.024; 0.006 0.026 -0.012 -0.035 0.032 -0.011; "
           "-0.023 0.012 -0.011 0.004 0.026 -0.036; -0.028 -0.002 0.042 0.024 0.006 0.053; "
           "0.022 -0.020 -0.046 0.045 0.052 -0.037; -0.030 -0.000 0.051 0.055 -0.060 0.058"),
     0.746786, 0.6, ""},
    /* a rim that comes back to a face where that ends */
    {"-0.0129 -0.0266 0.3101 -0.630547 0.047131 0.766582 0.111985",
     "0.197 0.094 -1 -2.549 1.585 -0.690",
     "<Cylinder radius='0.0670' length='0.1101' density='800'/>", "en='0' mu='1'",
     FIELD("-0.030 0.003 0.045 0.000 0.053 -0.008; 0.049 -0.009 0.034 0.046 0.037 0.043; "
           "-0.036 -0.005 -0.045 -0.036 -0.043 0.025; -0.059 0.037 0.012 0.009 -0.046 -0.033; "
           "-0.053 0.046 -0.035 -0.031 0.013 -0.008; 0.027 -0.052 -0.046 -0.016 -0.047 -0.013"),
     1.24329, 0.6, ""},
    /* a rim that strikes an edge at its end */
    {"-0.0297 -0.0222 0.3568 0.266869 0.350850 -0.023781 -0.897284",
     "0.096 -0.091 -1 2.153 3.975 -2.431",
     "<Cylinder radius='0.1002' length='0.1568' density='800'/>", "en='0.3' mu='0.2'",
     FIELD("0.046 -0.034 -0.033 0.053 -0.048 -0.000; 0.011 -0.005 0.024 0.032 0.006 0.052; "
           "-0.055 -0.038 0.058 0.054 0.026 0.005; 0.014 0.009 -0.040 -0.016 -0.032 0.003; "
           "-0.045 -0.000 -0.029 0.005 -0.001 0.011; -0.008 0.011 -0.035 0.049 0.060 -0.017"),
     3.95693, 0.48, ""},
    /* tips that leave a cap across its rim */
    {"-0.0312 0.0009 0.4942 0.643730 0.292752 -0.613690 0.351130",
     "-0.096 0.056 -1 -2.296 -3.457 2.164", "<Cone radius='0.0720' length='0.1942' density='800'/>",
     "en='0' mu='0'", CONE("-0.192516 0.780671 0.568910 0.172718"), 0.842371, 0.6, ""},
    {"-0.0014 0.0071 0.4197 0.375216 -0.755645 0.176388 -0.507051",
     "-0.139 0.037 -1 -0.840 -0.900 -3.612",
     "<Cone radius='0.0676' length='0.1197' density='800'/>", "en='0' mu='0'",
     CONE("-0.229230 0.642419 0.731196 0.010250"), 0.458605, 0.6, ""},
    /* a cap that slides off an edge: two points of its rim run into one */
    {"0.0065 -0.0327 0.4760 -0.405605 0.012087 -0.288307 0.867305",
     "-0.051 -0.132 -1 0.984 0.014 -0.632",
     "<Cylinder radius='0.1173' length='0.1260' density='800'/>", "en='0' mu='0'", ROOF, 4.35879,
     0.6, ""},
    /* two edges that run into one corner: their forces change with what drift is taken out, and the
       one that vanished is below zero when the flow goes on */
    {"0.0265 -0.0084 0.5344 -0.092939 0.201135 -0.225600 -0.948690",
     "0.039 0.107 -1 -3.890 1.720 -0.846", "<Box size='0.0751 0.1127 0.1844' density='800'/>",
     "en='0' mu='0'", ROOF, 1.24862, 0.6,
     "<NewtonEulerDS id='c' gyroscopic='midpoint'><q0>-0.0327 -0.0214 0.8381 -0.473683 -0.722461 "
     "-0.335934 0.375265</q0><v0>-0.074 0.176 -1 1.605 2.812 2.531</v0><fExt>0 0 "
     "-9.81*0.832111</fExt><Box size='0.0836 0.1253 0.0993' density='800'/></NewtonEulerDS>"},
    /* a rounded box whose corner slides past the end of a roof: its edges take over */
    {"-0.46317852302441603 -0.041532074978571108 0.09214508004584758 -0.50799841555704228 "
     "-0.1353913292702143 0.82195870260238779 -0.21906777254123544",
     "-1.623169489212525 -0.11446378477882721 -0.8115847446062624 -0.41351871459699591 0 0",
     "<Box size='0.1319 0.0871 0.1234' density='800' rounding='0.01'/>", "en='0' mu='0.4'", ROOF,
     1.134149, 0.02, ""},
    /* a vertex between higher and lower ones that comes to the edge of a box */
    {"-0.04157322288825565 0.29036313626429788 0.05179972155767653 -0.490889193845719 "
     "0.23294046004802296 -0.61607966869145381 0.57027395457196206",
     "-0.063270315007484201 0.56436453202090009 -0.20547689786416584 5.5089208566891923 "
     "-1.3853257568774746 0.14948522311253903",
     "<Box size='0.1976 0.0935 0.1484' density='800'/>", "en='0.3' mu='0.2'",
     FIELD("0.007 -0.002 0.055 -0.014 -0.006 0.009; -0.014 0.049 0.045 0.027 -0.053 0.059; "
           "0.006 0.012 0.005 0.002 0.052 -0.027; -0.043 0.060 -0.029 -0.027 -0.007 0.048; "
           "-0.015 -0.058 -0.028 -0.032 -0.058 0.047; 0.028 -0.044 -0.031 0.058 0.024 -0.006"),
     2.193425, 0.02, ""},
    /* a corner that rebounds from one side of a valley to the other */
    {"0.058117732385029479 -0.14105764883697197 0.025988590170611753 0.035568512072246282 "
     "0.91723711933479546 -0.39605768246046447 -0.02343629722074075",
     "-0.41538245782315436 -0.63070482559508223 -0.31003971840838024 -5.8560100111976698 "
     "4.5442442103798566 -10.173144624892199",
     "<ConvexHull points='0.040 0.088 -0.099; -0.043 0.079 0.018; -0.035 -0.048 0.070; "
     "0.099 0.029 0.052; 0.048 0.050 -0.011; 0.063 0.028 0.084; 0.080 -0.043 0.001; "
     "-0.022 -0.077 -0.041' density='800'/>",
     "en='0.3' mu='0.2'",
     FIELD("-0.040 -0.012 -0.041 -0.011 -0.046 0.003; 0.008 -0.018 0.037 -0.056 0.057 -0.008; "
           "-0.040 -0.014 -0.009 -0.059 0.024 0.017; 0.011 0.016 0.049 -0.002 0.006 0.053; "
           "0.046 -0.039 -0.047 0.048 0.015 -0.057; -0.035 -0.020 -0.011 -0.029 -0.023 0.007"),
     2, 0.02, ""},
    /* a rim that comes to the side of a cone at a second point near the first */
    {"0.040028396484606557 -0.17877591013476901 0.0027449860094304925 0.35093127515704758 "
     "-0.36984867705469965 0.85232955844467417 -0.11659125181180688",
     "-0.033946533460168578 -0.35378392512925472 -0.061606197824054944 -2.8844240952501305 "
     "-4.3131253462136643 5.215951191953538",
     "<Cone radius='0.092206559739267974' length='0.092690237310952731' density='800'/>",
     "en='0' mu='0.4'",
     "<Cylinder radius='0.15' length='0.3' at='0 0 -0.15' turn='-0.70705474680419311 "
     "-0.051549121927419929 -0.072236368759587985 0.70156837163500962'/>",
     0.660201, 0.0065, ""},
};
enum { POSES = sizeof poses / sizeof *poses };

START_TEST(goes_on_over_a_ridge)
{
  const pose *p = &poses[_i];
  generator g = {.state = 1};
  fall(&g, p->q, p->v, 9.81 * p->mass, p->shape, p->others, p->law, p->ground, p->T);
  holds(g.text);
}
END_TEST

/* ---- random falls ---------------------------------------------------------------------------- */

enum { FALLS = 40, ROWS = 6 };

static void put_turn(generator *to, generator *g)
{
  double p[4], size = 0;
  for (int i = 0; i < 4; i++) p[i] = between(g, -1, 1), size = hypot(size, p[i]);
  put(to, "%.17g %.17g %.17g %.17g", p[0] / size, p[1] / size, p[2] / size, p[3] / size);
}

/* Returns its height. */
static double put_ground(generator *to, generator *g, int kind)
{
  if (kind == 0) put(to, ROOF);
  if (kind == 1) put(to, "<HeightField spacing='0.15 0.15' heights='");
  for (int i = 0; kind == 1 && i < ROWS * ROWS; i++)
    put(to, "%.3f%s", between(g, -0.06, 0.06), i % ROWS < ROWS - 1 ? " " : i < 35 ? ";" : "'/>");
  if (kind < 2) return kind ? 0.15 : 0.3;
  put(to, "<%s at='0 0 -0.15' turn='",
      kind == 2 ? "Cone radius='0.2' length='0.3'" : "Cylinder radius='0.15' length='0.3'");
  put_turn(to, g);
  put(to, "'/>");
  return 0.25;
}

START_TEST(falls_come_to_their_end)
{
  static const char *const law[] = {"en='0' mu='0'", "en='0' mu='0.4'", "en='0.3' mu='0.2'",
                                    "en='0' mu='1'"};
  generator g = {.state = 800 + (unsigned)_i}, at = {0}, v = {0}, shape = {0}, ground = {0};
  generator model = {0};
  double R = between(&g, 0.05, 0.12), L = between(&g, 0.06, 0.25), pi = acos(-1);
  int is_cone = _i % 2;
  double z = put_ground(&ground, &g, _i / 2 % 4) + fmax(R, L) + 0.05;
  put(&at, "%.17g %.17g %.17g ", between(&g, -0.04, 0.04), between(&g, -0.04, 0.04), z);
  put_turn(&at, &g);
  put(&v, "%.17g %.17g -1", between(&g, -0.2, 0.2), between(&g, -0.2, 0.2));
  for (int i = 0; i < 3; i++) put(&v, " %.17g", between(&g, -4, 4));
  put(&shape, "<%s radius='%.17g' length='%.17g' density='800'/>", is_cone ? "Cone" : "Cylinder", R,
      L);
  fall(&model, at.text, v.text, 9.81 * 800 * pi * R * R * L / (is_cone ? 3 : 1), shape.text, "",
       law[_i / 8 % 4], ground.text, 0.6);
  holds(model.text);
}
END_TEST

/* ---- past the end ---------------------------------------------------------------------------- */

enum { SLIDES = 25, ROLLS = 70 };

/* A rounded box that lies flat on one side of the roof, turned about its normal, slides past the
 * lower end: balls of its corners leave the side, its edges meet the end at the same place. */
START_TEST(rounded_boxes_slide_past_an_end)
{
  generator g = {.state = 900 + (unsigned)_i}, at = {0}, v = {0}, shape = {0}, model = {0};
  char law[64];
  double out[] = {-1 / sqrt(5), 0, 2 / sqrt(5)}, down[] = {-2 / sqrt(5), 0, -1 / sqrt(5)};
  double lean[4], turn[4], q[4], size[3];
  ns_quaternion_exp((double[]){0, atan2(out[0], out[2]), 0}, lean);
  ns_quaternion_exp((double[]){0, 0, between(&g, -3, 3)}, turn);
  ns_quaternion_mul(lean, turn, q);
  for (int i = 0; i < 3; i++) size[i] = i < 2 ? between(&g, 0.08, 0.16) : between(&g, 0.05, 0.1);
  double x = between(&g, -0.4, -0.37), speed = between(&g, 1, 2), height = size[2] / 2;
  put(&at, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g", x + height * out[0], between(&g, -0.1, 0.1),
      0.25 + x / 2 + height * out[2], q[0], q[1], q[2], q[3]);
  put(&v, "%.17g %.17g %.17g 0 0 %.17g", speed * down[0], between(&g, -0.3, 0.3), speed * down[2],
      between(&g, -2, 2));
  put(&shape, "<Box size='%.17g %.17g %.17g' density='800' rounding='%.17g'/>", size[0], size[1],
      size[2], between(&g, 0.005, 0.015));
  snprintf(law, sizeof law, "en='0' mu='%.17g'", between(&g, 0, 0.5));
  fall(&model, at.text, v.text, 9.81 * 800 * size[0] * size[1] * size[2], shape.text, "", law, ROOF,
       0.15);
  holds(model.text);
}
END_TEST

/* A cylinder that lies on one side of the roof and rolls, at some angle, past the lower end by most
 * of its friction: its rim and its line meet the edge at one point, of which the rim lifts. */
START_TEST(cylinders_roll_past_an_end)
{
  generator g = {.state = 1050 + (unsigned)_i}, at = {0}, v = {0}, shape = {0}, model = {0};
  char law[64];
  double lean[4], lie[4], turn[4], p[4], q[4], angle = between(&g, -0.5, 0.5);
  double out[] = {-1 / sqrt(5), 0, 2 / sqrt(5)}, R = between(&g, 0.03, 0.1),
         L = between(&g, 0.1, 0.25), speed = between(&g, 0.5, 2);
  double x = (L / 2 * fabs(sin(angle)) + between(&g, 0.01, 0.05)) * 2 / sqrt(5) - 0.5;
  ns_quaternion_exp((double[]){0, atan2(out[0], out[2]), 0}, lean);
  ns_quaternion_exp((double[]){0, 0, angle}, turn);
  ns_quaternion_exp((double[]){-acos(0), 0, 0}, lie);
  ns_quaternion_mul(turn, lie, p);
  ns_quaternion_mul(lean, p, q);
  put(&at, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g", x + R * out[0], between(&g, -0.1, 0.1),
      0.25 + x / 2 + R * out[2], q[0], q[1], q[2], q[3]);
  put(&v, "%.17g %.17g %.17g 0 0 %.17g", -speed * cos(angle) * 2 / sqrt(5), -speed * sin(angle),
      -speed * cos(angle) / sqrt(5), -speed / R);
  put(&shape, "<Cylinder radius='%.17g' length='%.17g' density='800'/>", R, L);
  snprintf(law, sizeof law, "en='0' mu='%.17g'", between(&g, 0.2, 0.45));
  fall(&model, at.text, v.text, 9.81 * 800 * acos(-1) * R * R * L, shape.text, "", law, ROOF, 0.1);
  holds(model.text);
}
END_TEST

/* ---- inside ---------------------------------------------------------------------------------- */

/* What begins within a mesh is refused, by steps as by events: a ball, whose middle is behind all
 * triangles, two of them, a box that no corner of reaches out. */
START_TEST(what_begins_inside_is_refused)
{
  static const char *const strategy[] = {"<EventDriven h='0.005'><CVodeOSI/></EventDriven>",
                                         "<TimeStepping h='1e-3'><MoreauJeanOSI/></TimeStepping>"};
  static const char *const inside[] = {"<Sphere radius='0.07'/>", "<Sphere radius='0.01'/>",
                                       "<Box size='0.01 0.02 0.01'/>"};
  generator g = {.state = 1};
  ns_ctx c = {0};
  ns_simulation *s = NULL;
  put(&g, "<model xmlns='urn:nssim:model:1' name='m'><systems>");
  for (int i = 0; i < 2; i++)
    put(&g,
        "<NewtonEulerDS id='b%d'><q0>%.17g 0.2 -0.05 1 0 0 0</q0><mass>1</mass><inertia diag='1 1 "
        "1'/>%s</NewtonEulerDS>",
        i, i ? 0.3 : 0.9, inside[_i / 2]);
  put(&g,
      "</systems><contacts><NewtonImpactFrictionNSL en='0' mu='0.3'/>" ROOF
      "</contacts><simulation T='0.4'>%s</simulation></model>",
      strategy[_i % 2]);
  ns_model *m = load(g.text, &c);
  ck_assert_msg(m != NULL, "%s", c.msg);
  int rc = ns_simulation_create(&c, m, &s);
  if (!rc) rc = ns_simulation_run(s, &c, NULL, NULL);
  ck_assert_int_eq(rc, NS_MODEL);
  ck_assert_msg(strstr(c.msg, "at the start, 0.05 m below its surface"), "%s", c.msg);
  ns_simulation_destroy(s);
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 300);
  tcase_add_loop_test(t, goes_on_over_a_ridge, 0, POSES);
  tcase_add_loop_test(t, what_begins_inside_is_refused, 0, 6);
  tcase_add_loop_test(t, rounded_boxes_slide_past_an_end, 0, some_of(SLIDES));
  tcase_add_loop_test(t, cylinders_roll_past_an_end, 0, few_of(ROLLS));
  tcase_add_loop_test(t, falls_come_to_their_end, 0, some_of(FALLS));
}

int main(void) { return suite_run("falls over ridges, by events", fill); }
