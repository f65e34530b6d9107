/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_example.c -- nssim example: list the models that come with nssim, or copy one to play with.
 *
 * A model is a folder <name> with <name>.xml and whatever it needs. */
#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct example {
  const char *name, *folder; /* NULL: list */
} example;

/* ---- listing --------------------------------------------------------------------------------- */

/* libxml2 would write to stderr; what is wrong with a model is for nssim check to say. */
static void say_nothing(void *to, const char *fmt, ...)
{
  (void)to;
  (void)fmt;
}

static const xmlNode *title_of(const xmlDoc *doc)
{
  const xmlNode *root = xmlDocGetRootElement(doc);
  for (const xmlNode *k = root ? root->children : NULL; k; k = k->next)
    if (k->type == XML_ELEMENT_NODE && strcmp((const char *)k->name, "title") == 0) return k;
  return NULL;
}

/* First line of the title of a model, "" where it has none. */
static int find_title(ns_ctx *c, const char *path, char *title, size_t n)
{
  title[0] = '\0';
  xmlResetLastError();
  xmlDoc *doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
  const xmlNode *t = doc ? title_of(doc) : NULL;
  xmlChar *text = t ? xmlNodeGetContent(t) : NULL;
  if (text) {
    const char *line = (const char *)text + strspn((const char *)text, " \t\r\n");
    snprintf(title, n, "%.*s", (int)strcspn(line, "\r\n"), line);
  }
  const xmlError *e = xmlGetLastError();
  int lost = (e && e->code == XML_ERR_NO_MEMORY) || (t && !text);
  xmlFree(text);
  xmlFreeDoc(doc);
  return lost ? ns_nomem(c, path) : NS_OK;
}

/* 1 if the entry of the folder is a model; *path: its XML file. */
static int is_model(const char *models, const char *name, char path[PATH_MAX])
{
  return name[0] != '.' &&
         snprintf(path, PATH_MAX, "%s/%s/%s.xml", models, name, name) < PATH_MAX &&
         access(path, R_OK) == 0;
}

static int list_models(ns_ctx *c, const char *models)
{
  struct dirent **entry;
  char path[PATH_MAX], title[256];
  int n = scandir(models, &entry, NULL, alphasort), shown = 0, rc = NS_OK;
  if (n < 0) return ns_fail(c, NS_NOINPUT, "%s: %s", models, strerror(errno));
  xmlSetGenericErrorFunc(NULL, say_nothing);
  for (int k = 0; k < n; k++) {
    if (rc == NS_OK && is_model(models, entry[k]->d_name, path)) {
      rc = find_title(c, path, title, sizeof title);
      if (rc == NS_OK) printf("%-24s %s\n", entry[k]->d_name, title);
      shown++;
    }
    free(entry[k]);
  }
  free(entry);
  if (rc != NS_OK) return rc;
  if (!shown) return ns_fail(c, NS_NOINPUT, "%s: contains no models", models);
  printf("\nCopy one here: nssim example NAME\n");
  return NS_OK;
}

/* ---- copying --------------------------------------------------------------------------------- */

static int copy_bytes(ns_ctx *c, const char *from, int in, const char *to, int out)
{
  char buf[65536];
  ssize_t n;
  while ((n = read(in, buf, sizeof buf)) > 0)
    for (ssize_t k = 0, w; k < n; k += w)
      if ((w = write(out, buf + k, (size_t)(n - k))) < 0)
        return ns_fail(c, NS_OUTPUT, "%s: %s", to, strerror(errno));
  return n < 0 ? ns_fail(c, NS_NOINPUT, "%s: %s", from, strerror(errno)) : NS_OK;
}

static int copy_file(ns_ctx *c, const char *from, const char *to)
{
  int in = open(from, O_RDONLY | O_CLOEXEC);
  if (in < 0) return ns_fail(c, NS_NOINPUT, "%s: %s", from, strerror(errno));
  int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int rc = out < 0 ? ns_fail(c, NS_NOCREATE, "%s: %s", to, strerror(errno))
                   : copy_bytes(c, from, in, to, out);
  if (out >= 0 && close(out) != 0 && rc == NS_OK)
    rc = ns_fail(c, NS_OUTPUT, "%s: %s", to, strerror(errno));
  close(in);
  return rc;
}

static int copy_folder(ns_ctx *c, const char *from, const char *to);

/* Files and folders alone: a link could point anywhere. */
static int copy_entry(ns_ctx *c, const char *from, const char *to, const char *name)
{
  char source[PATH_MAX], target[PATH_MAX];
  struct stat st;
  if (snprintf(source, sizeof source, "%s/%s", from, name) >= PATH_MAX ||
      snprintf(target, sizeof target, "%s/%s", to, name) >= PATH_MAX)
    return ns_fail(c, NS_NOCREATE, "%s/%s: the path is too long", to, name);
  if (lstat(source, &st) != 0) return ns_fail(c, NS_NOINPUT, "%s: %s", source, strerror(errno));
  if (S_ISREG(st.st_mode)) return copy_file(c, source, target);
  if (S_ISDIR(st.st_mode)) return copy_folder(c, source, target);
  return NS_OK;
}

static int copy_folder(ns_ctx *c, const char *from, const char *to)
{
  if (mkdir(to, 0777) != 0) {
    if (errno == EEXIST)
      return ns_fail(c, NS_NOCREATE,
                     "%s: already exists, and nothing is overwritten; name another folder", to);
    return ns_fail(c, NS_NOCREATE, "%s: cannot create the folder: %s", to, strerror(errno));
  }
  DIR *d = opendir(from);
  if (!d) return ns_fail(c, NS_NOINPUT, "%s: %s", from, strerror(errno));
  int rc = NS_OK;
  for (struct dirent *e; rc == NS_OK && (e = readdir(d));)
    if (e->d_name[0] != '.') rc = copy_entry(c, from, to, e->d_name);
  closedir(d);
  return rc;
}

static int unknown_model(ns_ctx *c, const char *models, const char *name)
{
  struct dirent **entry;
  char path[PATH_MAX];
  ns_suggest s = ns_suggest_for(name, strlen(name));
  int n = scandir(models, &entry, NULL, alphasort);
  for (int k = 0; k < n; k++)
    if (is_model(models, entry[k]->d_name, path)) ns_suggest_offer(&s, entry[k]->d_name);
  for (int k = 0; k < n && !s.best; k++) /* a name that was broken off */
    if (!strncmp(entry[k]->d_name, name, strlen(name)) && is_model(models, entry[k]->d_name, path))
      s.best = entry[k]->d_name;
  int rc = s.best ? ns_fail(c, NS_NOINPUT, "no example '%s'; did you mean '%s'?", name, s.best)
                  : ns_fail(c, NS_NOINPUT, "no example '%s'; `nssim example` lists them", name);
  for (int k = 0; k < n; k++) free(entry[k]);
  if (n >= 0) free(entry);
  return rc;
}

static int copy_model(ns_ctx *c, const char *models, const example *x)
{
  char path[PATH_MAX], from[PATH_MAX];
  const char *to = x->folder ? x->folder : x->name;
  if (strchr(x->name, '/') || !is_model(models, x->name, path))
    return unknown_model(c, models, x->name);
  if (snprintf(from, sizeof from, "%s/%s", models, x->name) >= PATH_MAX)
    return ns_fail(c, NS_NOINPUT, "%s: the path is too long", models);
  int rc = copy_folder(c, from, to);
  if (rc == NS_OK)
    printf("Copied to %s. Next:\n"
           "  cd %s && nssim %s.xml -o out.h5\n"
           "The comment at the head of %s.xml describes the model.\n",
           to, to, x->name, x->name);
  return rc;
}

/* ---- options --------------------------------------------------------------------------------- */

static const char doc[] =
    "List the example models, or copy one of them, by default to a folder with its name.\n\n"
    "Examples:\n"
    "  nssim example\n"
    "  nssim example bouncing-ball\n"
    "  nssim example bouncing-ball my-ball\n"
    "\vExisting files are not overwritten. NSSIM_DATA_DIR names another folder that contains "
    "models/.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  example *x = state->input;
  if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
  if (!*arg) ns_console_refuse(state, "an empty name");
  if (x->folder) ns_console_refuse(state, "'%s': expected a name and at most one folder", arg);
  if (x->name) x->folder = arg;
  else x->name = arg;
  return 0;
}

static const struct argp example_argp = {0, parse_option, "[NAME [FOLDER]]", doc, 0, 0, 0};

int ns_cmd_example(int argc, char **argv)
{
  example x = {0};
  char models[PATH_MAX];
  ns_ctx c = ns_cli_context();
  int status = ns_console_parse(&example_argp, argc, argv, &x);
  if (status) return status;
  if (!ns_paths_data("models", models, sizeof models))
    ns_fail(&c, NS_NOINPUT,
            "the example models are not installed; set NSSIM_DATA_DIR to the folder that contains "
            "models/");
  else if (x.name) copy_model(&c, models, &x);
  else list_models(&c, models);
  return ns_cli_exit(&c);
}
