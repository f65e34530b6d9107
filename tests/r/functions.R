# SPDX-License-Identifier: GPL-3.0-or-later
# What run-r runs, in a folder of its own.
source(file.path(Sys.getenv("TOP"), "R", "nssim.R"))
ball <- file.path(Sys.getenv("TOP"), "models", "bouncing-ball", "bouncing-ball.xml")
passed <- 0
failed <- 0
claim <- function(what, holds) {
  if (isTRUE(holds)) {
    passed <<- passed + 1
  } else {
    failed <<- failed + 1
    cat("FAIL", what, "\n")
  }
}
refusal <- function(expression) tryCatch({ expression; "" }, error = conditionMessage)

nssim_call("run", ball, "-q", "-o", "a.csv")
nssim_call("run", ball, "-q", "-o", "a.h5")
a <- nssim_read("a.csv")
b <- nssim_read("a.h5")
claim("rows", nrow(a$rows) == 2001)
claim("CSV and HDF5 agree", identical(a$rows, b$rows) && identical(a$events, b$events))
claim("units", identical(a$units, b$units) && a$units[["ball.v_phi"]] == "rad/s" && a$units[["time"]] == "s")
claim("the certificate", a$certificate$impacts == 37 && b$certificate$impacts == 37)
hits <- a$events[a$events$kind == "impact", ]
claim("restitution", nrow(hits) == 37 && max(abs(hits$velocity_after + 0.9 * hits$velocity_before)) < 1e-12)
r <- nssim_run(ball, e = 0.5, R = "200 mm")
values <- sapply(r$model$parameters, function(p) p$value)
claim("parameters", values[[4]] == 0.5 && values[[3]] == 0.2)
said <- refusal(nssim_run("none.xml"))
claim("a missing model is refused", grepl("cannot open none.xml", said) && !grepl("nssim: ", said))
for (name in c("none.csv", "none.h5")) claim(paste(name, "is refused, and why"), refusal(nssim_read(name)) == paste0(name, ": no such file"))
file.copy("a.csv", "lone.csv")
claim("a table without its description is refused", grepl("lone.csv: lone.json is missing", refusal(nssim_read("lone.csv"))))
cat(sprintf("RESULT %d %d 0\n", passed, failed))
quit(status = failed > 0)
