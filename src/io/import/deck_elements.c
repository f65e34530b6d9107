/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/grow.h"
#include "base/suggest.h"
#include "base/text.h"
#include "io/import/deck_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- models ---------------------------------------------------------------------------------- */

int ns_deck_read_model(ns_deck *d, char *s)
{
  if (ns_grow(&d->model, d->nmodels)) return ns_nomem(d->c, "deck");
  ns_deck_model *m = &d->model[d->nmodels];
  char *save, *p = s + strlen(".model");
  *m = (ns_deck_model){.line = d->at, .file = d->file};
  for (char *q = p; *q; q++)
    if (*q == '(' || *q == ')' || *q == ',') *q = ' ';
  for (char *q = p, *to = p; *to; q++) { /* blanks about = go */
    while (isspace((unsigned char)*q) && q[strspn(q, " \t")] == '=') q++;
    *to = *q;
    if (*q == '=') q += strspn(q + 1, " \t");
    if (*to) to++;
  }
  m->name = strtok_r(p, " \t", &save);
  m->type = m->name ? strtok_r(NULL, " \t", &save) : NULL;
  if (!m->type)
    return ns_deck_fail(d,
                        ".model has no name and type, expected `.model NAME TYPE(key=value ...)`");
  for (char *word; (word = strtok_r(NULL, " \t", &save)) && m->n < NS_DECK_PARAMETERS;) {
    char *eq = strchr(word, '=');
    if (eq) *eq = 0;
    m->key[m->n] = word;
    m->value[m->n++] = eq ? eq + 1 : "1";
  }
  d->nmodels++;
  return NS_OK;
}

static int is_model(const ns_deck *d, const char *name)
{
  return NS_NAMED_INDEX(ns_deck_model, name, d->model, d->nmodels, name) >= 0;
}

static ns_deck_model *find_model(ns_deck *d, const char *name)
{
  ns_suggest s = ns_suggest_for(name, strlen(name));
  for (int k = 0; k < d->nmodels; k++) {
    if (!strcmp(d->model[k].name, name)) {
      d->model[k].used = 1;
      return &d->model[k];
    }
    ns_suggest_offer(&s, d->model[k].name);
  }
  ns_deck_fail(d, "%.60s: there is no .model %.60s, expected one in the deck%s%.60s%s", d->word[0],
               name, s.best ? "; did you mean " : "", s.best ? s.best : "", s.best ? "?" : "");
  return NULL;
}

static const char *value_of(const ns_deck_model *m, const char *key)
{
  int k = ns_word_index(m->key, (size_t)m->n, key);
  return k < 0 ? NULL : m->value[k];
}

static const char *either(const char *first, const char *second) { return first ? first : second; }

/* The model of a device and its type; NULL: reported. */
static ns_deck_model *model_of(ns_deck *d, int word, const char *const *types, const char *expected)
{
  if (word >= ns_deck_plain_words(d)) {
    ns_deck_fail(d, "%.60s names no model, expected `%s`", d->word[0], expected);
    return NULL;
  }
  ns_deck_model *m = find_model(d, d->word[word]);
  if (!m) return NULL;
  for (const char *const *t = types; *t; t++)
    if (!strcmp(m->type, *t)) return m;
  ns_deck_fail(d, "%.60s: the model %.60s is of type %.30s, expected `%s`", d->word[0], m->name,
               m->type, expected);
  return NULL;
}

/* ---- elements -------------------------------------------------------------------------------- */

void ns_deck_too_few(ns_deck *d, const char *expected)
{
  ns_deck_fail(d, "%.60s has %d words after its name, expected `%s`", d->word[0], d->nwords - 1,
               expected);
}

/* The line of an element begins; ns_deck_element ends it. */
static void put_head(ns_deck *d, const char *prefix, int nodes)
{
  fprintf(d->body, "    %s%s", prefix, d->word[0]);
  for (int k = 1; k <= nodes; k++) ns_deck_put_name(d, d->word[k]);
  d->has_line = 1;
}

/* Unless the value is NULL. */
static void put_option(ns_deck *d, const char *key, const char *value)
{
  if (value) fprintf(d->body, " %s=", key);
  if (value) ns_deck_put(d, "%s", value);
}

/* The model of a resistor by its sheet or by its value; NULL: reported. */
static const ns_deck_model *sheet_of(ns_deck *d, const char *name)
{
  const ns_deck_model *m = find_model(d, name);
  int has_sheet = m && value_of(m, "rsh") && ns_deck_option(d, 3, "l") &&
                  (ns_deck_option(d, 3, "w") || value_of(m, "defw"));
  if (m && !has_sheet && !value_of(m, "r")) {
    ns_deck_fail(
        d,
        "%.60s has the model %.60s and no value, expected `%.60s a b value`, or L= and W= with "
        "`.model %.60s R(RSH=)`",
        d->word[0], name, d->word[0], name);
    return NULL;
  }
  return m;
}

/* RSH (L - 2 SHORT)/(W - 2 NARROW), as ngspice 39 computes it, or R of the model. */
static void put_sheet(ns_deck *d, const ns_deck_model *m)
{
  const char *rsh = value_of(m, "rsh"), *l = ns_deck_option(d, 3, "l"),
             *w = either(ns_deck_option(d, 3, "w"), value_of(m, "defw")),
             *less_l = either(value_of(m, "short"), "0"),
             *less_w = either(value_of(m, "narrow"), "0");
  if (!rsh || !l) ns_deck_put(d, " %s", value_of(m, "r"));
  else ns_deck_put(d, " (%s)*((%s)-2*(%s))/((%s)-2*(%s))", rsh, l, less_l, w, less_w);
}

/* R, C, L: value by itself or by its letter. */
static void passive(ns_deck *d)
{
  static const char *const known[] = {"ic", "m", "r", "c", "l", "scale", NULL};
  static const char *const of_length[] = {"l", "w", "ac", NULL};
  const char key[] = {*d->word[0], 0}, *ic = ns_deck_option(d, 3, "ic"),
             *value = ns_deck_option(d, 3, key),
             *many = ns_deck_option(d, 3, "m"), /* so many in parallel */
                 *scale = ns_deck_option(d, 3, "scale");
  int plain = ns_deck_plain_words(d), given = 3, by_model = 0;
  if (!value && plain > 3) value = d->word[3], given = 4;
  if (given == 4 && is_model(d, value)) { /* a value may stand behind its model */
    by_model = *key == 'r' && plain == 4;
    given = plain > 4 ? 5 : 4;
    if (plain > 4) value = d->word[4];
  } else if (given == 4 && plain > 4 && is_model(d, d->word[4])) {
    find_model(d, d->word[4]);
    given = 5;
  }
  if (!value) {
    ns_deck_too_few(d, "Rname a b value");
    return;
  }
  const ns_deck_model *m = by_model ? sheet_of(d, value) : NULL;
  if (by_model && !m) return;
  put_head(d, "", 2);
  if (m) put_sheet(d, m);
  else ns_deck_put(d, " %s", value);
  if (many) ns_deck_put(d, *key == 'c' ? "*(%s)" : "/(%s)", many);
  if (scale) ns_deck_put(d, "*(%s)", scale);
  if (*key != 'r') put_option(d, "ic", ic);
  ns_deck_note_rest(d, given, known, m ? of_length : NULL);
}

/* The numbers of a waveform as words, in place: at most `max` of them. A formula in braces is one
 * word. */
static int wave_words(char *wave, const char **word, int max)
{
  int n = 0, braces = 0;
  char *to = wave;
  for (const char *p = wave; *p; p++) {
    braces += (*p == '{') - (*p == '}');
    if (!braces) *to++ = strchr(",()", *p) ? ' ' : *p;
    else if (!isspace((unsigned char)*p)) *to++ = *p;
  }
  *to = 0;
  char *save, *p = strtok_r(wave, " \t", &save); /* its name */
  while (n < max && p && (p = strtok_r(NULL, " \t", &save))) word[n++] = p;
  return n;
}

/* The numbers of a waveform; those that it does not have are NULL. */
enum { WAVE = 8 };

/* A number that is not there, or 0. */
static int is_missing(const char *word) { return !word || ns_deck_number(word) == 0; }

/* NULL: out of memory, reported. */
static const char *composed(ns_deck *d, const char *a, char op, const char *b)
{
  const char *text = ns_arena_format(d->a, "%s%c%s", a, op, b);
  if (!text) ns_nomem(d->c, "deck");
  return text;
}

/* NAME(x x x), with 0 for NULL. */
static void put_wave(ns_deck *d, const char *name, const char *const *x, int n)
{
  for (int k = 0; k < n; k++) {
    fputs(k ? " " : name, d->body);
    ns_deck_put(d, "%s", either(x[k], "0"));
  }
  fputc(')', d->body);
}

/* PULSE(V1 V2 TD TR TF PW PER NP), whose times are those of .tran where they are missing or 0. A
 * period that is the end of the run, or longer, is no period. */
static void put_pulse(ns_deck *d, char *wave)
{
  enum { FROM = 3, PERIOD = 6 };
  const char *x[WAVE] = {NULL}, *const otherwise[] = {d->step, d->step, d->stop};
  int n = wave_words(wave, x, WAVE);
  int has_period = !is_missing(x[PERIOD]) &&
                   !(d->stop && ns_deck_number(x[PERIOD]) >= ns_deck_number(d->stop));
  for (int k = FROM; k < PERIOD; k++)
    if (!x[k] || (otherwise[k - FROM] && is_missing(x[k]))) x[k] = otherwise[k - FROM];
  put_wave(d, "pulse(", x, has_period ? n : PERIOD);
}

/* SIN(VO VA FREQ TD THETA PHASE): one period in the time of .tran where FREQ is missing or 0. */
static void put_sine(ns_deck *d, char *wave)
{
  enum { FREQUENCY = 2, MAX = 6 };
  const char *x[WAVE] = {NULL};
  int n = wave_words(wave, x, MAX);
  if (d->stop && is_missing(x[FREQUENCY])) x[FREQUENCY] = composed(d, "1", '/', d->stop);
  put_wave(d, "sin(", x, n > FREQUENCY ? n : FREQUENCY + 1);
}

/* EXP(V1 V2 TD1 TAU1 TD2 TAU2): constants of time are steps of .tran where they are missing or 0,
 * and TD2 one after TD1. */
static void put_exponential(ns_deck *d, char *wave)
{
  enum { FIRST = 2, SECOND = 4, MAX = 6 };
  const char *x[WAVE] = {NULL};
  wave_words(wave, x, MAX);
  int one_later = is_missing(x[SECOND]);
  for (int k = FIRST + 1; k < MAX; k++)
    if (d->step && is_missing(x[k])) x[k] = d->step;
  if (one_later) x[SECOND] = composed(d, either(x[FIRST], "0"), '+', either(x[SECOND], "0"));
  put_wave(d, "exp(", x, MAX);
}

/* SIN 0 1 50, from word *k on to the end, as sin(0 1 50), malloced. */
static char *join_wave(ns_deck *d, int *k)
{
  ns_text_stream joined;
  FILE *f = ns_text_stream_open(&joined);
  if (!f) {
    ns_nomem(d->c, "deck");
    return NULL;
  }
  fprintf(f, "%s(", d->word[*k]);
  while (*k + 1 < d->nwords && !strchr(d->word[*k + 1], '=')) fprintf(f, " %s", d->word[++*k]);
  fputc(')', f);
  char *text = ns_text_stream_close(&joined);
  if (!text) ns_nomem(d->c, "deck");
  return text;
}

/* (SIN 0 1 50) as SIN(0 1 50), in place. */
static char *open_wave(char *s)
{
  size_t n = strcspn(s + 1, " \t");
  if (!s[1 + n]) return s;
  memmove(s, s + 1, n);
  s[n] = '(';
  return s;
}

/* DC x AC y z SIN(...): what is of .tran. */
static void source(ns_deck *d)
{
  static const char *const waves[] = {"sin", "pulse",   "exp",      "pwl",     "sffm",
                                      "am",  "trnoise", "trrandom", "external"};
  const char *dc = NULL, *wave = NULL, *repeat = ns_deck_option(d, 3, "r"),
             *delay = ns_deck_option(d, 3, "td");
  char *joined = NULL;
  for (int k = 3; k < d->nwords; k++) {
    const char *w = d->word[k];
    int is_wave = 0;
    if (*w == '(' && isalpha((unsigned char)w[1])) w = d->word[k] = open_wave(d->word[k]);
    for (size_t i = 0; i < sizeof waves / sizeof *waves; i++)
      is_wave |= !strncmp(w, waves[i], strlen(waves[i])) &&
                 !isalnum((unsigned char)w[strlen(waves[i])]);
    if (is_wave && !strchr(w, '(')) wave = joined = join_wave(d, &k);
    else if (is_wave) wave = w;
    else if (!strcmp(w, "dc") && k + 1 < d->nwords) dc = d->word[++k];
    else if (!strcmp(w, "ac")) {
      while (k + 1 < d->nwords &&
             (isdigit((unsigned char)*d->word[k + 1]) || *d->word[k + 1] == '.'))
        k++;
      ns_deck_note(d, "%s: AC is for another analysis and is ignored", d->word[0]);
    } else if (!dc && !strchr(w, '=')) dc = w;
    else if (strncmp(w, "r=", 2) && strncmp(w, "td=", 3))
      ns_deck_note(d, "%s: \"%s\" is ignored", d->word[0], w);
  }
  int known = wave && (!strncmp(wave, "sin", 3) || !strncmp(wave, "pulse", 5) ||
                       !strncmp(wave, "exp", 3) || !strncmp(wave, "pwl", 3));
  if (wave && (!known || !strchr(wave, '('))) {
    ns_deck_fail(d,
                 "%.60s: %.60s is not a waveform of nssim netlists, expected SIN(...), PULSE(...), "
                 "EXP(...) or PWL(...)",
                 d->word[0], wave);
    free(joined);
    return;
  }
  if (d->c->rc == NS_NOMEM) return;
  put_head(d, "", 2);
  fputc(' ', d->body);
  char *blanks = wave ? strdup(wave) : NULL;
  for (char *p = blanks; p && *p; p++)
    if (*p == ',') *p = ' ';
  if (blanks && !strncmp(blanks, "pulse", 5)) put_pulse(d, blanks);
  else if (blanks && !strncmp(blanks, "sin", 3)) put_sine(d, blanks);
  else if (blanks && !strncmp(blanks, "exp", 3)) put_exponential(d, blanks);
  else ns_deck_put(d, "%s", blanks ? blanks : wave ? wave : either(dc, "0"));
  put_option(d, "r", repeat);
  put_option(d, "td", delay);
  NS_FREE(blanks, joined);
}

/* B1 a b v=...; E1 a b value={...}, vol=...; G1 a b cur=... */
static void behaviour(ns_deck *d, const char *line)
{
  static const struct {
    const char *key;
    char as;
  } keys[] = {{"v", 'v'}, {"i", 'i'}, {"value", 0}, {"vol", 'v'}, {"cur", 'i'}};
  const char *eq = strchr(line, '='), *name = d->nwords > 3 ? d->word[3] : "";
  size_t n = strcspn(name, "=");
  for (size_t k = 0; k < sizeof keys / sizeof *keys && eq; k++) {
    if (strlen(keys[k].key) != n || strncmp(name, keys[k].key, n)) continue;
    char as = keys[k].as ? keys[k].as : *d->word[0] == 'e' ? 'v' : 'i';
    put_head(d, *d->word[0] == 'b' ? "" : "b", 2);
    fprintf(d->body, " %c=", as);
    char *quotes = strdup(eq + 1);
    for (char *p = quotes; p && *p; p++)
      if (*p == '\'') *p = ' ';
    ns_deck_put(d, "%s", quotes ? quotes : eq + 1);
    free(quotes);
    if (*d->word[0] != 'b') ns_deck_note(d, "%s is the source b%s", d->word[0], d->word[0]);
    return;
  }
  ns_deck_fail(
      d,
      "%.60s is not a source of nssim netlists, expected `Bname a b v=FORMULA` or `Ename a b c d "
      "gain`",
      d->word[0]);
}

static void diode(ns_deck *d)
{
  static const char *const types[] = {"d", NULL};
  const ns_deck_model *m = model_of(d, 3, types, "Dname a b MODEL with `.model MODEL D(...)`");
  if (!m) return;
  const char *bv = either(value_of(m, "bv"), value_of(m, "vrev"));
  put_head(d, bv ? "z" : "", 2);
  if (bv) ns_deck_put(d, " %s", bv);
  put_option(d, "vf", value_of(m, "vfwd"));
  put_option(d, "ron", either(value_of(m, "ron"), value_of(m, "rs")));
  put_option(d, "roff", value_of(m, "roff"));
  if (bv) ns_deck_note(d, "%s is the Zener diode z%s", d->word[0], d->word[0]);
}

/* Thresholds t + h and t - h of a formula, or those of VSWITCH. */
static void put_switch(ns_deck *d, const ns_deck_model *m, const char *formula, const char *t,
                       const char *h, const char *state)
{
  const char *vt = either(value_of(m, t), "0"), *vh = either(value_of(m, h), "0");
  ns_deck_put(d, " %s", formula);
  if (strcmp(m->type, "vswitch")) ns_deck_put(d, " on=(%s)+(%s) off=(%s)-(%s)", vt, vh, vt, vh);
  else
    ns_deck_put(d, " on=%s off=%s", either(value_of(m, "von"), "1"),
                either(value_of(m, "voff"), "0"));
  put_option(d, "ron", either(value_of(m, "ron"), "1"));
  put_option(d, "roff", value_of(m, "roff"));
  if (state && !strcmp(state, "on")) put_option(d, "ic", "1");
}

static void voltage_switch(ns_deck *d)
{
  static const char *const types[] = {"sw", "vswitch", NULL};
  char formula[400];
  const ns_deck_model *m = model_of(
      d, 5, types, "Sname a b c d MODEL with `.model MODEL SW(VT= VH= RON= ROFF=)`");
  if (!m) return;
  snprintf(formula, sizeof formula, "v(%.150s,%.150s)", d->word[3], d->word[4]);
  put_head(d, "", 2);
  put_switch(d, m, formula, "vt", "vh", d->nwords > 6 ? d->word[6] : NULL);
}

static void current_switch(ns_deck *d)
{
  static const char *const types[] = {"csw", NULL};
  char formula[200];
  const ns_deck_model *m = model_of(
      d, 4, types, "Wname a b VNAME MODEL with `.model MODEL CSW(IT= IH= RON= ROFF=)`");
  if (!m) return;
  snprintf(formula, sizeof formula, "i(%.150s)", d->word[3]);
  put_head(d, "s", 2);
  put_switch(d, m, formula, "it", "ih", d->nwords > 5 ? d->word[5] : NULL);
  ns_deck_note(d, "%s is the switch s%s", d->word[0], d->word[0]);
}

/* A dimension of a transistor: on its line, in its model, or what SPICE takes. */
static const char *dimension(const ns_deck *d, const ns_deck_model *m, int options, const char *key)
{
  return either(either(ns_deck_option(d, options, key), value_of(m, key)), "100u");
}

/* " ron=" of a transistor with the channel of level 1 at the gate drive of the deck. 0: there is no
 * such resistance, and nothing is written. */
static int put_channel(ns_deck *d, const ns_deck_model *m, int options, int negative)
{
  const char *level = value_of(m, "level"), *kp = value_of(m, "kp"), *tox = value_of(m, "tox"),
             *vto = either(value_of(m, "vto"), "0"), *rd = value_of(m, "rd"),
             *rs = value_of(m, "rs");
  int vertical = !strcmp(m->type, "vdmos");
  double oxide = 3.9 * 8.8541878e-12, above = d->drive - fabs(ns_deck_number(vto));
  if ((level && !(ns_deck_number(level) <= 3)) || above <= 0) return 0; /* not finite: a formula */
  ns_deck_put(d, " ron=");
  if (rd) ns_deck_put(d, "%s+", rd);
  if (rs) ns_deck_put(d, "%s+", rs);
  if (kp || vertical || !tox) ns_deck_put(d, "1/((%s)", kp ? kp : vertical ? "1" : "2e-5");
  else ns_deck_put(d, "1/((%g*(%s)/(%s))", oxide * 1e-4, either(value_of(m, "uo"), "600"), tox);
  if (!vertical)
    ns_deck_put(d, "*(%s)/(%s)", dimension(d, m, options, "w"), dimension(d, m, options, "l"));
  ns_deck_put(d, negative ? "*(%g+(%s)))" : "*(%g-(%s)))", d->drive, vto);
  ns_deck_note(
      d,
      "%s: ron is that of its channel at a gate of %.4g V, the largest voltage of a source; RON= "
      "in its .model replaces it",
      d->word[0], d->drive);
  return 1;
}

/* A bulk or substrate may stand before the model; an area, off behind it are ignored. */
static void transistor(ns_deck *d, int mos)
{
  static const char *const of_m[] = {"nmos", "pmos", "vdmos", NULL}, *const of_q[] = {"npn", "pnp",
                                                                                      NULL};
  const char *usage = mos ? "Mname d g s [b] MODEL with `.model MODEL NMOS(VTO= RON=)`"
                          : "Qname c b e [s] MODEL with `.model MODEL NPN(...)`";
  int last = ns_deck_plain_words(d) - 1, at = 4;
  if (last < 4) {
    ns_deck_too_few(d, usage);
    return;
  }
  while (at < last && !is_model(d, d->word[at])) at++;
  if (at == last && !is_model(d, d->word[at])) at = last > 5 ? 5 : last; /* told to be none */
  const ns_deck_model *m = model_of(d, at, mos ? of_m : of_q, usage);
  if (!m) return;
  for (int k = at + 1; k <= last; k++)
    ns_deck_note(d, "%s: \"%s\" is ignored", d->word[0], d->word[k]);
  int negative = !strcmp(m->type, "pmos") || !strcmp(m->type, "pnp") || value_of(m, "pchan");
  const char *vto = mos ? value_of(m, "vto") : NULL, *ron = value_of(m, "ron");
  put_head(d, "", 3);
  ns_deck_put(d, " %s", vto ? vto : mos ? (negative ? "-1e-9" : "0") : negative ? "-0.6" : "0.6");
  int has_channel = mos && !ron && put_channel(d, m, at + 1, negative);
  if (!ron && mos) ron = value_of(m, "rd");
  if (!ron && !has_channel && mos)
    ns_deck_note(
        d,
        "%s has no resistance while it conducts; two that conduct in series short-circuit their "
        "supply: give RON= in its .model",
        d->word[0]);
  if (!has_channel) put_option(d, "ron", ron);
}

/* E1 a b POLY(2) c d e f 0 1 2: as it stands, but for what nodes and elements are called. */
static void polynomial(ns_deck *d, const char *line, int current)
{
  static const char apart[] = " \t,()";
  const char *s = strstr(line, "poly") + strlen("poly");
  int n = (int)strtol(s + strspn(s, apart), NULL, 10), names = current ? n : 2 * n;
  s += strspn(s, apart);
  s += strcspn(s, apart);
  put_head(d, "", 2);
  fprintf(d->body, " POLY(%d)", n);
  for (int k = 0; *(s += strspn(s, apart)); k++) {
    size_t size = strcspn(s, apart);
    char *w = strndup(s, size);
    if (k < names) ns_deck_put_name(d, w ? w : "");
    else ns_deck_put(d, " %s", w ? w : "");
    free(w);
    s += size;
  }
}

static int is_third(const ns_deck *d, const char *word)
{
  return d->nwords > 3 && !strncmp(d->word[3], word, strlen(word));
}

/* E1 a b TABLE {v(c)} = (0,0) (1,1) */
static void four_nodes(ns_deck *d, const char *line)
{
  int is_table = is_third(d, "table"), is_poly = is_third(d, "poly");
  if (is_poly) polynomial(d, line, 0);
  else if (!is_table && ns_deck_plain_words(d) < 6) behaviour(d, line);
  else {
    put_head(d, "", is_table ? 2 : 4);
    ns_deck_put(d, " %s", is_table ? strstr(line, "table") : d->word[5]);
  }
}

static void by_current(ns_deck *d, const char *line)
{
  int is_poly = is_third(d, "poly");
  if (is_poly) polynomial(d, line, 1);
  else if (ns_deck_plain_words(d) < 5)
    ns_deck_fail(d, "%.60s is not a source of nssim netlists, expected `Fname a b VNAME gain`",
                 d->word[0]);
  else {
    put_head(d, "", 3);
    ns_deck_put(d, " %s", d->word[4]);
  }
}

static void coupling(ns_deck *d)
{
  if (d->nwords != 4)
    ns_deck_too_few(d, "Kname L1 L2 coupling; write a separate K for each pair of inductors");
  else if (fabs(ns_deck_number(d->word[3])) > 1)
    ns_deck_fail(d, "%.60s: the coupling is %.40s, expected a number from -1 to 1", d->word[0],
                 d->word[3]);
  else {
    put_head(d, "", 2);
    ns_deck_put(d, " %s", d->word[3]);
  }
}

/* Words from..to-1 of X or .subckt: names, and key=value. */
static void put_words(ns_deck *d, int from, int to)
{
  for (int k = from; k < to; k++) {
    if (!strcmp(d->word[k], "params:")) continue;
    if (strchr(d->word[k], '=')) ns_deck_put(d, " %s", d->word[k]);
    else ns_deck_put_name(d, d->word[k]);
  }
}

void ns_deck_put_call(ns_deck *d, const char *head, int behind)
{
  int n = ns_deck_plain_words(d);
  if (n > behind && !strcmp(d->word[n - 1], "params:")) n--;
  fprintf(d->body, "    %s", head);
  put_words(d, 1, n - behind);
  for (int k = 0; k < d->nglobals; k++) ns_deck_put_name(d, d->global[k]);
  put_words(d, n - behind, d->nwords);
  fputc('\n', d->body);
}
/* Whether a device of two ends has both at one node, where it carries nothing that any other device
 * can see. */
static int is_joined(const ns_deck *d)
{
  const char *one = d->word[1], *other = d->word[2];
  return strchr("rcdswmqig", *d->word[0]) && d->nwords > 3 &&
         (!strcmp(one, other) || (!strcmp(one, "gnd") && !strcmp(other, "0")) ||
          (!strcmp(one, "0") && !strcmp(other, "gnd")));
}

void ns_deck_element(ns_deck *d, const char *line)
{
  d->has_line = 0;
  if (d->nwords < 3 && *line != 'x') {
    ns_deck_too_few(d, "its nodes and its value");
    return;
  }
  if (is_joined(d)) {
    ns_deck_note(d, "%s has both ends at node %s and is omitted", d->word[0], d->word[1]);
    return;
  }
  switch (*line) {
  case 'r':
  case 'c':
  case 'l': passive(d); break;
  case 'v':
  case 'i': source(d); break;
  case 'b': behaviour(d, line); break;
  case 'e':
  case 'g': four_nodes(d, line); break;
  case 'f':
  case 'h': by_current(d, line); break;
  case 'k': coupling(d); break;
  case 'd': diode(d); break;
  case 's': voltage_switch(d); break;
  case 'w': current_switch(d); break;
  case 'm': transistor(d, 1); break;
  case 'q': transistor(d, 0); break;
  case 'x': ns_deck_put_call(d, d->word[0], 1); break; /* X1 a b NAME params: p=1 */
  default:
    ns_deck_fail(
        d,
        "%.60s: nssim netlists have no such device (%c), expected one of R C L K V I B E F G H D "
        "S W M Q X; replace it",
        d->word[0], toupper((unsigned char)*line));
  }
  if (d->has_line) fputc('\n', d->body);
}
