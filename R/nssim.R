# SPDX-License-Identifier: GPL-3.0-or-later
# Functions to run nssim and read its results in R: source("nssim.R"). They require the package jsonlite (in Debian
# r-cran-jsonlite) and the program nssim, which also converts HDF5. The program must be on PATH; otherwise set the
# environment variable NSSIM to its path.
#
#   r <- nssim_read("ball.csv")          # or "ball.h5"
#   r$rows$ball.x                        # a column of the data frame r$rows
#   r$units[["ball.x"]]                  # its unit, "" if unknown
#   r$events                             # the table of events, a data frame
#   r$measures, r$certificate, r$provenance, r$model   # lists, see nssim-output(5)
#   r <- nssim_run("bouncing-ball.xml", e = 0.8, R = "20 mm")

# Run nssim and return its standard output, by lines. If nssim fails, stop with its messages.
nssim_call <- function(...) {
  program <- Sys.getenv("NSSIM", "nssim")
  said <- tempfile()
  on.exit(unlink(said))
  out <- suppressWarnings(system2(program, shQuote(c(...)), stdout = TRUE, stderr = said))
  status <- attr(out, "status")
  if (!is.null(status) && status != 0) {
    stop(paste(sub("^nssim: error: ", "", readLines(said)), collapse = "\n"), call. = FALSE)
  }
  invisible(out)
}

nssim_read <- function(path) {
  if (!requireNamespace("jsonlite", quietly = TRUE)) {
    stop("nssim_read requires the package jsonlite (in Debian r-cran-jsonlite)", call. = FALSE)
  }
  if (!file.exists(path)) stop(path, ": no such file", call. = FALSE)
  table <- function(...) read.csv(..., check.names = FALSE, stringsAsFactors = FALSE)
  events <- NULL
  if (grepl("\\.csv$", path)) {
    stem <- sub("\\.csv$", "", path)
    beside <- paste0(stem, ".json")
    if (!file.exists(beside)) {
      stop(path, ": ", beside, " is missing, which describes the columns; read the table of a sweep with read.csv", call. = FALSE)
    }
    said <- jsonlite::fromJSON(beside, simplifyVector = FALSE)
    rows <- table(path)
    beside <- paste0(stem, ".events.csv")
    if (file.exists(beside)) events <- table(beside)
  } else {
    said <- jsonlite::fromJSON(paste(nssim_call("info", "--json", path), collapse = "\n"), simplifyVector = FALSE)
    rows <- table(text = nssim_call("info", "--print", "*", path))
    events <- table(text = nssim_call("info", "--events", path))
  }
  units <- list()
  for (ch in said$channels) {
    for (i in seq_along(ch$labels)) {
      u <- if (is.null(ch$units)) ch$unit else ch$units[[i]]
      units[[ch$labels[[i]]]] <- if (is.null(u)) "" else u
    }
  }
  list(path = path, rows = rows, units = units, events = events, measures = said$measures,
       certificate = said$certificate, provenance = said$provenance, model = said$model)
}

# Run a model and return its result. Further arguments are parameters of the model.
nssim_run <- function(model, ...) {
  given <- list(...)
  words <- character()
  for (name in names(given)) {
    value <- given[[name]]
    if (is.numeric(value)) value <- sprintf("%.17g", value)
    words <- c(words, paste0("--parameter=", name, "=", value))
  }
  stem <- tempfile("nssim")
  on.exit(unlink(paste0(stem, c(".csv", ".json", ".events.csv", ".contacts.csv"))))
  nssim_call("run", "-q", words, paste0("--output=", stem, ".csv"), model)
  nssim_read(paste0(stem, ".csv"))
}
