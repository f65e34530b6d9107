/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/events.h"

#include "io/hdf5/h5.h"
#include "simulation/record/sink.h"

#include <string.h>

static size_t width(const ns_event_column *col, size_t idlen)
{
  switch (col->form) {
  case NS_COLUMN_REAL: return 8;
  case NS_COLUMN_INT: return 4;
  case NS_COLUMN_ID: return idlen;
  default: return 1;
  }
}

size_t ns_h5_event_size(size_t idlen)
{
  size_t size = 0;
  for (int k = 0; k < NS_EVENT_COLUMNS; k++) size += width(&ns_event_columns[k], idlen);
  return size;
}

/* ---- the type -------------------------------------------------------------------------------- */

/* Of kinds or modes, by their names. */
static hid_t enumeration(const ns_event_column *col, unsigned kinds)
{
  int of_kinds = col->form == NS_COLUMN_KIND;
  hid_t t = H5Tenum_create(H5T_NATIVE_INT8);
  for (int8_t k = 0; t >= 0 && k < (of_kinds ? (int)NS_EVENT_KINDS : (int)NS_ROW_MODES); k++)
    if (!of_kinds || kinds >> k & 1u)
      H5Tenum_insert(
          t, of_kinds ? ns_event_text((ns_event_kind)k) : ns_row_mode_text((ns_row_mode)k), &k);
  return t;
}

/* *owned: it is to be closed. */
static hid_t type_of(const ns_event_column *col, size_t idlen, unsigned kinds, int *owned)
{
  *owned = col->form != NS_COLUMN_REAL && col->form != NS_COLUMN_INT;
  if (col->form == NS_COLUMN_ID) return ns_h5_text_type(idlen);
  if (*owned) return enumeration(col, kinds);
  return col->form == NS_COLUMN_REAL ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32;
}

hid_t ns_h5_event_type(size_t idlen, unsigned kinds)
{
  ns_h5_member m[NS_EVENT_COLUMNS];
  size_t at = 0;
  for (int k = 0; k < NS_EVENT_COLUMNS; k++) {
    const ns_event_column *col = &ns_event_columns[k];
    m[k] = (ns_h5_member){.name = col->name, .at = at};
    m[k].type = type_of(col, idlen, kinds, &m[k].owned);
    at += width(col, idlen);
  }
  return ns_h5_compound_type(at, m, NS_EVENT_COLUMNS);
}

/* ---- rows ------------------------------------------------------------------------------------ */

void ns_h5_event_pack(size_t idlen, const ns_result_event *e, char *row)
{
  memset(row, 0, ns_h5_event_size(idlen));
  for (int k = 0; k < NS_EVENT_COLUMNS; row += width(&ns_event_columns[k++], idlen)) {
    const ns_event_column *col = &ns_event_columns[k];
    const void *at = (const char *)e + col->at;
    int whole = col->form == NS_COLUMN_REAL || col->form == NS_COLUMN_ID ? 0 : *(const int *)at;
    const int32_t number = whole;
    const int8_t code = (int8_t)whole;
    switch (col->form) {
    case NS_COLUMN_REAL: memcpy(row, at, sizeof(double)); break;
    case NS_COLUMN_INT: memcpy(row, &number, sizeof number); break;
    case NS_COLUMN_ID: strcpy(row, e->interaction); break;
    default: memcpy(row, &code, sizeof code);
    }
  }
}

void ns_h5_event_unpack(size_t idlen, const char *row, ns_result_event *e)
{
  for (int k = 0; k < NS_EVENT_COLUMNS; row += width(&ns_event_columns[k++], idlen)) {
    const ns_event_column *col = &ns_event_columns[k];
    void *at = (char *)e + col->at;
    int32_t number;
    int8_t code;
    switch (col->form) {
    case NS_COLUMN_REAL: memcpy(at, row, sizeof(double)); break;
    case NS_COLUMN_INT:
      memcpy(&number, row, sizeof number);
      *(int *)at = number;
      break;
    case NS_COLUMN_ID: e->interaction = row; break;
    default: memcpy(&code, row, sizeof code); *(int *)at = code;
    }
  }
}
