/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_video.h -- other programs started by `nssim view`: nssim itself for the initial state of a
 * model, a browser and ffmpeg for a video. Intermediate files are in a folder that is removed. */
#ifndef NS_CLI_VIEW_VIDEO_H
#define NS_CLI_VIEW_VIDEO_H

#include "base/context.h"

#include <stddef.h>

/* Create a folder for intermediate files; path to buf [n]. NS_NOCREATE. */
int ns_view_folder(ns_ctx *c, char *buf, size_t n);
void ns_view_folder_remove(const char *folder);
/* Do one step of a model, written to `output`; its messages are reported if it fails. */
int ns_view_first_step(ns_ctx *c, const char *model, const char *output);
/* Check that a video can be made. NS_USAGE: the name ends neither in .mp4 nor in .gif; NS_PLUGIN:
 * the browser or ffmpeg is missing. */
int ns_view_video_check(ns_ctx *c, const char *path);
/* Convert the page to a video of `frames` frames, 30 per second: rendered by Chromium, encoded by
 * ffmpeg. */
int ns_view_video(ns_ctx *c, const char *page, const char *folder, int frames, const char *path);

#endif
