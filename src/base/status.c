/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/status.h"

int ns_status_exit(int code)
{
#define X(name, value, exit, text) \
  case NS_##name: return exit;
  switch (code) {
    NS_STATUS_LIST(X)
  }
#undef X
  return 70;
}
