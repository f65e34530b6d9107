/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_video.h -- other programs that nssim view starts: itself for the first row of a model, a
 * browser and ffmpeg for a film. What they write on the way lies in a folder that is removed. */
#ifndef NS_CLI_VIEW_VIDEO_H
#define NS_CLI_VIEW_VIDEO_H

#include "base/context.h"

#include <stddef.h>

/* A folder for what is in between; buf [n]. NS_NOCREATE. */
int ns_view_folder(ns_ctx *c, char *buf, size_t n);
void ns_view_folder_remove(const char *folder);
/* One step of a model, into `output`; what it says is told where it fails. */
int ns_view_first_step(ns_ctx *c, const char *model, const char *output);
/* NS_USAGE: the name ends neither in .mp4 nor in .gif; NS_PLUGIN: browser or ffmpeg is missing. */
int ns_view_video_check(ns_ctx *c, const char *path);
/* The page as a film of so many frames, 30 a second: drawn by Chromium, coded by ffmpeg. */
int ns_view_video(ns_ctx *c, const char *page, const char *folder, int frames, const char *path);

#endif
