/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene_files.c -- meshes and height maps of a scene, as files beside the model.
 *
 * A mesh is a text of VTK: PolyData of XML, its arrays as decimals, or in base64 with a header of
 * lengths, compressed by zlib or not, in place or appended (VTK File Formats, Kitware). */
#include "io/import/scene.h"

#include "io/export/export_file.h"
#include "io/hdf5_module.h"
#include "io/load/xml.h"

#include <limits.h>
#include <math.h>
#include <nettle/base64.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 1 << 24 }; /* of one array */

/* ---- arrays ---------------------------------------------------------------------------------- */

typedef struct vtk_text {
  int wide, compressed; /* numbers of headers have 8 bytes; data are compressed */
  const char *appended; /* behind its underscore; NULL: none */
} vtk_text;

static char *property(const xmlNode *x, const char *name) /* to be freed by xmlFree */
{
  return (char *)xmlGetProp(x, BAD_CAST name);
}

static int property_is(const xmlNode *x, const char *name, const char *value)
{
  char *found = property(x, name);
  int same = found && !strcmp(found, value);
  xmlFree(found);
  return same;
}

static const xmlNode *child(const xmlNode *x, const char *name)
{
  for (const xmlNode *k = x ? x->children : NULL; k; k = k->next)
    if (k->type == XML_ELEMENT_NODE && !strcmp((const char *)k->name, name)) return k;
  return NULL;
}

/* n bytes of base64 at *p, which goes on behind the group that the last of them is in. 0: there are
 * not so many. */
static int base64(const char **p, unsigned char *to, size_t n)
{
  for (size_t at = 0; at < n; *p += 4) {
    struct base64_decode_ctx d;
    uint8_t group[3];
    size_t length = sizeof group;
    base64_decode_init(&d);
    if (strnlen(*p, 4) < 4 || !base64_decode_update(&d, &length, group, 4, *p)) return 0;
    size_t taken = length < n - at ? length : n - at;
    memcpy(to + at, group, taken);
    at += taken;
    if (length < sizeof group && at < n) return 0;
  }
  return 1;
}

static uint64_t word(const unsigned char *p, int wide)
{
  uint64_t x = 0;
  for (int k = wide ? 8 : 4; k-- > 0;) x = x << 8 | p[k];
  return x;
}

/* Blocks: their number, length, that of the last where it is shorter, compressed lengths; then the
 * data. */
static unsigned char *unpack(scene *s, const vtk_text *v, const char *p, size_t *size)
{
  unsigned char head[24];
  size_t w = v->wide ? 8 : 4;
  const char *again = p;
  if (!base64(&p, head, 3 * w)) return NULL;
  uint64_t n = word(head, v->wide), length = word(head + w, v->wide),
           last = word(head + 2 * w, v->wide);
  if (n > ENTRIES || length > 8 * (uint64_t)ENTRIES || last > length ||
      n * length > 8 * (uint64_t)ENTRIES)
    return NULL;
  uint64_t full = last && n ? n - 1 : n, all = 0;
  unsigned char *lengths = ns_scene_memory(s, (size_t)(n + 3) * w, 1);
  unsigned char *to = ns_scene_memory(s, (size_t)(full * length + last) + 1, 1);
  if (!lengths || !to || !base64(&again, lengths, (size_t)(n + 3) * w)) return NULL;
  for (uint64_t k = 0; k < n; k++) {
    uint64_t part = word(lengths + (3 + k) * w, v->wide);
    if (part > strlen(again) || (all += part) > strlen(again)) return NULL;
  }
  unsigned char *packed = ns_scene_memory(s, (size_t)all + 1, 1);
  if (!packed || !base64(&again, packed, (size_t)all)) return NULL;
  *size = 0;
  for (uint64_t k = 0; k < n; k++) {
    size_t part = (size_t)word(lengths + (3 + k) * w, v->wide),
           m = (size_t)(k < full ? length : last);
    int rc = s->hdf5->inflate(packed, part, to + *size, m);
    if (rc == NS_NOMEM) ns_nomem(s->c, "a mesh");
    if (rc) return NULL;
    packed += part;
    *size += m;
  }
  return to;
}

/* Bytes of base64 with their number before them, encoded with them or apart. */
static unsigned char *plain(scene *s, const vtk_text *v, const char *p, size_t *size)
{
  unsigned char head[8];
  size_t w = v->wide ? 8 : 4;
  const char *after = p;
  if (!base64(&after, head, w)) return NULL;
  uint64_t n = word(head, v->wide);
  if (n > 8 * (uint64_t)ENTRIES || n > strlen(p)) return NULL;
  int apart = after[-1] == '=';
  unsigned char *to = ns_scene_memory(s, (size_t)n + w + 1, 1);
  if (!to || !base64(apart ? &after : &p, to, (size_t)n + (apart ? 0 : w))) return NULL;
  *size = (size_t)n;
  return apart ? to : to + w;
}

static double entry(const unsigned char *p, const char *type)
{
  if (!strcmp(type, "Float32")) {
    float x;
    uint32_t bits = (uint32_t)word(p, 0);
    memcpy(&x, &bits, sizeof x);
    return ns_scene_meant((double)x, 1);
  }
  if (!strcmp(type, "Float64")) {
    double x;
    uint64_t bits = word(p, 1);
    memcpy(&x, &bits, sizeof x);
    return x;
  }
  return strstr(type, "64") ? (double)(int64_t)word(p, 1) : (double)(int32_t)word(p, 0);
}

/* Numbers of a DataArray; NULL: it cannot be read. */
static double *array(scene *s, const vtk_text *v, const xmlNode *x, size_t *n)
{
  char *type = property(x, "type"), *offset = property(x, "offset"),
       *content = (char *)xmlNodeGetContent(x);
  int appended = property_is(x, "format", "appended"), ascii = property_is(x, "format", "ascii");
  int known = type && (!strcmp(type, "Float32") || !strcmp(type, "Float64") ||
                       !strcmp(type, "Int32") || !strcmp(type, "Int64"));
  size_t size = 0, width = known && strstr(type, "64") ? 8 : 4;
  double *to = NULL;
  *n = 0;
  if (known && ascii && content) {
    to = ns_scene_memory(s, strlen(content) / 2 + 1, sizeof *to);
    char *end, *p = content;
    for (double value; to && (value = strtod(p, &end), end != p); p = end) to[(*n)++] = value;
  } else if (known && (content || appended)) {
    const char *p = content ? content : "";
    size_t shift = appended && offset ? (size_t)strtoull(offset, NULL, 10) : 0;
    if (appended) p = v->appended && shift < strlen(v->appended) ? v->appended + shift : "";
    p += strspn(p, " \t\r\n");
    unsigned char *bytes = v->compressed ? unpack(s, v, p, &size) : plain(s, v, p, &size);
    if (bytes) to = ns_scene_memory(s, size / width + 1, sizeof *to);
    for (size_t k = 0; to && k < size / width; k++) to[k] = entry(bytes + k * width, type);
    *n = to ? size / width : 0;
  }
  xmlFree(type);
  xmlFree(offset);
  xmlFree(content);
  return to;
}

static double *named_array(scene *s, const vtk_text *v, const xmlNode *parent, const char *name,
                           size_t *n)
{
  for (const xmlNode *k = parent ? parent->children : NULL; k; k = k->next)
    if (k->type == XML_ELEMENT_NODE && (!name || property_is(k, "Name", name)))
      return array(s, v, k, n);
  *n = 0;
  return NULL;
}

/* ---- a mesh ---------------------------------------------------------------------------------- */

/* Corners in lists: those of polygon k end before offset k. Polygons of more than three corners
 * become fans. */
static int read_triangles(scene *s, scene_shape *k, const double *corner, size_t ncorners,
                          const double *offset, size_t n)
{
  double from = 0;
  k->corner = ns_scene_memory(s, 3 * ncorners + 3, sizeof *k->corner);
  if (!k->corner) return 0;
  for (size_t p = 0; p < n; from = offset[p++]) {
    if (!(offset[p] >= from + 3 && offset[p] <= (double)ncorners)) return 0;
    for (size_t i = (size_t)from; i < (size_t)offset[p]; i++)
      if (!(corner[i] >= 0 && corner[i] < (double)k->n)) return 0;
    for (size_t i = (size_t)from + 2; i < (size_t)offset[p]; i++) {
      int *to = k->corner + 3 * k->ntriangles++;
      to[0] = (int)corner[(size_t)from];
      to[1] = (int)corner[i - 1];
      to[2] = (int)corner[i];
    }
  }
  return k->ntriangles > 0;
}

static int read_polydata(scene *s, scene_shape *k, xmlDoc *doc)
{
  const xmlNode *root = xmlDocGetRootElement(doc), *appended = child(root, "AppendedData");
  const xmlNode *piece = child(child(root, "PolyData"), "Piece");
  vtk_text v = {.wide = property_is(root, "header_type", "UInt64"),
                .compressed = property_is(root, "compressor", "vtkZLibDataCompressor")};
  char *tail = appended ? (char *)xmlNodeGetContent(appended) : NULL;
  size_t nx = 0, nc = 0, no = 0;
  v.appended = tail ? strchr(tail, '_') : NULL;
  if (v.appended) v.appended++;
  const double *x = named_array(s, &v, child(piece, "Points"), NULL, &nx);
  const double *corner = named_array(s, &v, child(piece, "Polys"), "connectivity", &nc);
  const double *offset = named_array(s, &v, child(piece, "Polys"), "offsets", &no);
  xmlFree(tail);
  const ns_hdf5_value *scale = ns_scene_attribute(k->node, "scale");
  double by = scale && scale->number ? scale->number[0] : 1;
  int good = x && corner && offset && nx >= 9 && nx % 3 == 0 && isfinite(by) && by > 0;
  k->point = good ? ns_scene_memory(s, nx, sizeof *k->point) : NULL;
  k->n = k->point ? (int)(nx / 3) : 0;
  for (size_t i = 0; i < nx && k->point; i++) {
    k->point[i] = x[i] * by;
    good &= fabs(k->point[i]) < 1e12;
  }
  return good && k->point && read_triangles(s, k, corner, nc, offset, no);
}

int ns_scene_read_mesh(scene *s, scene_shape *k)
{
  const ns_hdf5_value *d = &k->node->data;
  const char *text = d->text && d->n ? d->text[0] : "";
  ns_ctx quiet = {0};
  xmlDoc *doc = NULL;
  int rc = ns_xml_parse(&quiet, "the mesh", text, strlen(text), "VTKFile", &doc);
  int good = !rc && read_polydata(s, k, doc);
  xmlFreeDoc(doc);
  if (good) return NS_OK;
  return ns_scene_fault(s, "/data/ref", k->name,
                        "contains no PolyData of VTK that can be read, expected points and "
                        "polygons, as text or base64, compressed by zlib or not");
}

/* ---- files ----------------------------------------------------------------------------------- */

static void write_mesh(const scene_shape *k, FILE *f)
{
  for (int i = 0; i < k->n; i++) {
    fprintf(f, "v %s\n", NUMBERS(k->point + 3 * i, 3));
  }
  for (int i = 0; i < k->ntriangles; i++)
    fprintf(f, "f %d %d %d\n", k->corner[3 * i] + 1, k->corner[3 * i + 1] + 1,
            k->corner[3 * i + 2] + 1);
}

/* A line of the file is a row along x. */
static void write_heights(const scene_shape *k, FILE *f)
{
  const ns_hdf5_value *d = &k->node->data;
  for (size_t j = 0; j < d->cols; j++)
    for (size_t i = 0; i < d->rows; i++) {
      double z = ns_scene_meant(d->number[i * d->cols + j], d->single) + k->outside;
      fprintf(f, "%s%c", NUMBER(z), i + 1 < d->rows ? ',' : '\n');
    }
}

/* MODEL-SHAPE.csv beside the model; *base: without its folder. */
static const char *path_beside(scene *s, const scene_shape *k, const char **base)
{
  const char *model = s->opt->output, *slash = strrchr(model, '/'),
             *name = slash ? slash + 1 : model;
  const char *dot = strrchr(name, '.');
  int stem = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
  size_t folder = (size_t)(name - model), n = strlen(model) + strlen(k->name) + 8;
  char *path = ns_scene_memory(s, n, 1);
  if (!path) return NULL;
  snprintf(path, n, "%.*s-%s%s", (int)folder + stem, model, k->name,
           k->kind == SCENE_MESH ? ".obj" : ".csv");
  for (char *p = path + folder + (size_t)stem + 1; p[4];
       p++) /* a name of the file is no path here */
    if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
          *p == '-'))
      *p = '_';
  *base = path + folder;
  return path;
}

void ns_scene_write_file(scene *s, scene_shape *k)
{
  ns_export_file to;
  const char *base;
  if (k->file || s->bad) return;
  if (!s->opt->output) {
    ns_scene_fault(s, "/data/ref", k->name,
                   "is a %s, which needs a file next to the model: write nssim import %.200s -o "
                   "model.xml, and run that",
                   k->kind == SCENE_MESH ? "mesh" : "height map", s->source->path);
    return;
  }
  const char *path = path_beside(s, k, &base);
  if (!path || ns_export_file_open(s->c, path, &to)) {
    s->bad = 1;
    return;
  }
  if (k->kind == SCENE_MESH) write_mesh(k, to.f);
  else write_heights(k, to.f);
  if (ns_export_file_close(&to)) s->bad = 1;
  k->file = base;
}
