/* SPDX-License-Identifier: GPL-3.0-or-later */
/* standin -- a program with known manners under failing allocations, to test the test.
 * standin good|leaky|crash|silent|liar|hang|status: good does all that is demanded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 10 };

int main(int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "good";
  char *block[BLOCKS] = {0};
  int n = 0;
  for (; n < BLOCKS; n++) {
    block[n] = n == 3 ? strdup("a string") : malloc(100);
    if (!block[n] && strcmp(how, "crash") == 0) block[n][0] = 1;
    if (!block[n]) break;
    block[n][0] = 'x';
  }
  int rc = n < BLOCKS ? 71 : 0;
  while (rc && strcmp(how, "hang") == 0) sleep(1);
  if (rc && strcmp(how, "liar") == 0) {
    rc = 0;
    puts("less");
  }
  if (rc && strcmp(how, "status") == 0) rc = 42;
  if (rc && strcmp(how, "silent") != 0) fputs("standin: out of memory (a block)\n", stderr);
  if (!rc && n == BLOCKS) puts("done");
  int kept = rc && strcmp(how, "leaky") == 0;
  while (n > kept) free(block[--n]);
  return rc;
}
