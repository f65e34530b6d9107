/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/view_video.h"

#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <nettle/base64.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { NOT_STARTED = 127, INTERRUPTED = 75, CAPACITY = 4200 };

static const char *const browsers[] = {"chromium", "chromium-browser", "google-chrome", NULL};

/* ---- folder ---------------------------------------------------------------------------------- */

int ns_view_folder(ns_ctx *c, char *buf, size_t n)
{
  const char *tmp = getenv("TMPDIR");
  snprintf(buf, n, "%s/nssim-view-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (mkdtemp(buf)) return NS_OK;
  return ns_fail(c, NS_NOCREATE, "%s: cannot create a temporary folder: %s", buf, strerror(errno));
}

/* The folder, and the profile of the browser in it. */
void ns_view_folder_remove(const char *folder)
{
  DIR *d = opendir(folder);
  struct dirent *e;
  char path[CAPACITY];
  while (d && (e = readdir(d))) {
    struct stat st;
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) ns_view_folder_remove(path);
    else unlink(path);
  }
  if (d) closedir(d);
  rmdir(folder);
}

/* ---- programs -------------------------------------------------------------------------------- */

/* Exit status of a program whose outputs go to files (NULL: nowhere); NOT_STARTED where there is
 * none of that name. */
static int run(const char *program, char *const *argv, const char *out, const char *err)
{
  posix_spawn_file_actions_t a;
  pid_t pid = -1;
  int status = 0, flags = O_WRONLY | O_CREAT | O_TRUNC;
  if (posix_spawn_file_actions_init(&a)) return NOT_STARTED;
  int e = posix_spawn_file_actions_addopen(&a, 0, "/dev/null", O_RDONLY, 0);
  if (!e) e = posix_spawn_file_actions_addopen(&a, 1, out ? out : "/dev/null", flags, 0600);
  if (!e) e = posix_spawn_file_actions_addopen(&a, 2, err ? err : "/dev/null", flags, 0600);
  if (!e) e = posix_spawnp(&pid, program, &a, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&a);
  if (e) return NOT_STARTED;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The whole file, to be freed; NULL where it cannot be read. */
static char *slurp(const char *path, size_t *n)
{
  FILE *f = fopen(path, "rb");
  struct stat st;
  char *text = NULL;
  *n = 0;
  if (f && fstat(fileno(f), &st) == 0 && (text = malloc((size_t)st.st_size + 1))) {
    *n = fread(text, 1, (size_t)st.st_size, f);
    text[*n] = 0;
  }
  if (f) fclose(f);
  return text;
}

/* The line of a model's messages that says what is wrong. */
static int tell(ns_ctx *c, const char *path)
{
  static const char mark[] = "nssim: error: ", unknown[] = "the model cannot make its first step";
  size_t n;
  char *text = slurp(path, &n), *at = text ? strstr(text, mark) : NULL;
  char *end = at ? strchr(at, '\n') : NULL;
  if (end) *end = 0;
  int rc = ns_fail(c, NS_MODEL, "%s", at ? at + sizeof mark - 1 : unknown);
  free(text);
  return rc;
}

int ns_view_first_step(ns_ctx *c, const char *model, const char *output)
{
  char said[CAPACITY];
  char name[] = "nssim", command[] = "run", quiet[] = "-q", steps[] = "--max-steps=1", o[] = "-o",
       dashes[] = "--", *path = strdup(model), *to = strdup(output);
  char *argv[] = {name, command, quiet, steps, o, to, dashes, path, NULL};
  snprintf(said, sizeof said, "%s.said", output);
  int status = path && to ? run("/proc/self/exe", argv, NULL, said) : NOT_STARTED;
  free(path);
  free(to);
  if (status == 0 || status == INTERRUPTED) return NS_OK;
  return tell(c, said);
}

/* ---- films ----------------------------------------------------------------------------------- */

static const char *find_browser(void)
{
  char word[] = "--version";
  for (const char *const *k = browsers; *k; k++) {
    char name[32], *argv[] = {name, word, NULL};
    snprintf(name, sizeof name, "%s", *k);
    if (run(*k, argv, NULL, NULL) == 0) return *k;
  }
  return NULL;
}

int ns_view_video_check(ns_ctx *c, const char *path)
{
  char ffmpeg[] = "ffmpeg", word[] = "-version", *argv[] = {ffmpeg, word, NULL};
  if (!ns_ends_in(path, ".mp4") && !ns_ends_in(path, ".gif"))
    return ns_fail(c, NS_USAGE, "--video %s: expected a name that ends in .mp4 or .gif", path);
  if (!find_browser())
    return ns_fail(c, NS_PLUGIN,
                   "--video: requires Chromium, which is not installed; install Debian's chromium, "
                   "or open the page in a browser and record the screen");
  if (run(ffmpeg, argv, NULL, NULL) == 0) return NS_OK;
  return ns_fail(c, NS_PLUGIN,
                 "--video: requires ffmpeg, which is not installed; install Debian's ffmpeg");
}

/* The frames that the page wrote as data URLs, each to a file of its own; their number. */
static int unpack(const char *dom, const char *folder)
{
  static const char mark[] = "data:image/jpeg;base64,";
  int k = 0;
  for (const char *at = strstr(dom, mark); at; at = strstr(at, mark)) {
    struct base64_decode_ctx d;
    char path[CAPACITY];
    at += sizeof mark - 1;
    size_t n = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="),
           bytes = 0;
    uint8_t *jpeg = malloc(BASE64_DECODE_LENGTH(n) + 1);
    base64_decode_init(&d);
    int good = jpeg && base64_decode_update(&d, &bytes, jpeg, n, at);
    snprintf(path, sizeof path, "%s/%06d.jpg", folder, k);
    FILE *f = good ? fopen(path, "wb") : NULL;
    good = f && fwrite(jpeg, 1, bytes, f) == bytes;
    if (f) good &= fclose(f) == 0;
    free(jpeg);
    if (!good) return 0;
    k++;
  }
  return k;
}

static int draw_frames(ns_ctx *c, const char *page, const char *folder, int frames)
{
  char url[CAPACITY], dom[CAPACITY], profile[CAPACITY];
  char *full = realpath(page, NULL);
  const char *program = find_browser();
  char headless[] = "--headless", gl[] = "--use-angle=swiftshader",
       unsafe[] = "--enable-unsafe-swiftshader", gpu[] = "--disable-gpu", run1[] = "--no-first-run",
       net[] = "--disable-background-networking", size[] = "--window-size=1280,720",
       dump[] = "--dump-dom", alone[] = "--no-sandbox";
  char name[32];
  snprintf(name, sizeof name, "%s", program ? program : "");
  snprintf(url, sizeof url, "file://%s#light&video=%d", full ? full : page, frames);
  snprintf(dom, sizeof dom, "%s/dom", folder);
  snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", folder);
  free(full);
  /* its sandbox refuses root; the page is ours */
  char *argv[] = {name, headless, gl,   unsafe, gpu, run1,
                  net,  profile,  size, dump,   url, geteuid() == 0 ? alone : NULL,
                  NULL};
  int status = run(name, argv, dom, NULL), made = 0;
  size_t n;
  char *text = slurp(dom, &n);
  if (text) made = unpack(text, folder);
  free(text);
  if (made == frames) return NS_OK;
  return ns_fail(c, NS_PLUGIN, "--video: %s (status %d) drew %d of %d frames; does it have WebGL?",
                 name, status, made, frames);
}

int ns_view_video(ns_ctx *c, const char *page, const char *folder, int frames, const char *path)
{
  int rc = draw_frames(c, page, folder, frames), gif = ns_ends_in(path, ".gif");
  if (rc) return rc;
  char input[CAPACITY], output[CAPACITY], said[CAPACITY];
  snprintf(input, sizeof input, "%s/%%06d.jpg", folder);
  snprintf(output, sizeof output, "file:%s", path);
  snprintf(said, sizeof said, "%s/said", folder);
  char name[] = "ffmpeg", over[] = "-y", quiet[] = "-loglevel", error[] = "error",
       rate[] = "-framerate", thirty[] = "30", i[] = "-i", filter[] = "-vf", format[] = "-pix_fmt",
       yuv[] = "yuv420p", plain[] = "crop=trunc(iw/2)*2:trunc(ih/2)*2",
       few[] = "fps=15,scale=640:-1,split[a][b];[a]palettegen[p];[b][p]paletteuse", rgb[] = "pal8";
  char *argv[] = {name,   over,
                  quiet,  error,
                  rate,   thirty,
                  i,      input,
                  filter, gif ? few : plain,
                  format, gif ? rgb : yuv,
                  output, NULL};
  int status = run(name, argv, NULL, said);
  if (!status) return NS_OK;
  size_t n;
  char *text = slurp(said, &n);
  for (char *s = text; s && *s; s++)
    if ((unsigned char)*s < ' ') *s = ' ';
  rc = ns_fail(c, NS_PLUGIN, "--video: ffmpeg failed (status %d): %.400s", status,
               text ? text : "");
  free(text);
  return rc;
}
