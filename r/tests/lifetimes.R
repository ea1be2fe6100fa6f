# SPDX-License-Identifier: Apache-2.0
# What is made is freed, once, whatever happens in between: collection at every allocation, failures
# half way, and Ctrl-C.
library(tacit)

df <- data.frame(age = c(20, 21, 22, NA, 80, 81), sex = factor(c("F", "M", "F", "M", NA, "F")),
                 visits = c(1L, 2L, NA, 4L, 5L, 6L), member = c(TRUE, FALSE, NA, TRUE, TRUE, FALSE),
                 joined = as.Date("2020-01-01") + 0:5)
ask <- function() tacit_kmeans(df, 2, 1, 1e-6, insecure_test_seed = 1,
                               bounds = list(age = c(0, 110), visits = c(0, 9),
                                             joined = as.Date(c("2019-01-01", "2024-01-01"))),
                               categories = list(sex = c("F", "M"), member = "boolean"))
plain <- ask()
labels <- predict(plain, df)
ledger <- tempfile(fileext = ".ledger")
tacit_ledger_create(ledger, df, epsilon = 1, delta = 1e-6, bounds = list(age = c(0, 110)))
entries <- tacit_ledger_history(ledger)

# ---- collection at every allocation of the wrappers
library <- asNamespace("tacit")
step <- function(expr) { gctorture(TRUE); on.exit(gctorture(FALSE)); expr }
tortured <- step(.Call(library$r_methods, "kmeans"))
stopifnot(identical(tortured, .Call(library$r_methods, "kmeans")))
specs <- lapply(names(df), function(name) library$column_of(name, df[[name]], TRUE))
said <- list(categories = "sex=F|M,member=boolean")
budget <- list(epsilon = 1, delta = 1e-6, neighbors = 0, insecure_test_seed = 1)
fields <- step({
  ctx <- .Call(library$r_ctx, 1L)
  rows <- .Call(library$r_data_columns, ctx, specs, 6, said, NULL)
  text <- list(text = "age=0:110,visits=0:9,joined=2019-01-01:2024-01-01")
  .Call(library$r_data_domain, ctx, rows, text)
  model <- .Call(library$r_run, ctx, rows, NULL, "kmeans", budget, list(k = 2))
  json <- .Call(library$r_model_text, ctx, model, FALSE)
  fields <- .Call(library$r_model_fields, model)
  again <- .Call(library$r_model_parse, ctx, json)
  wrong <- .Call(library$r_model_parse, ctx, "{")
  told <- .Call(library$r_predict, ctx, again, .Call(library$r_data_columns, ctx, specs, 6,
                                                     list(columns = paste(names(df), collapse = ",")),
                                                     NULL))
  book <- .Call(library$r_ledger_history, ctx, .Call(library$r_ledger_open, ctx, ledger))
  fields
})
stopifnot(identical(json, plain$json), identical(fields$sizes, unname(plain$sizes)),
          identical(told, labels), inherits(wrong, "tacit_failure"),
          identical(as.data.frame(book), entries))

# ---- handles that are closed or of another kind are refused, not followed
closed <- function(expr) inherits(tryCatch(expr, error = identity), "simpleError")
.Call(library$r_close, model)
.Call(library$r_close, model)
stopifnot(closed(.Call(library$r_model_fields, model)), closed(.Call(library$r_model_fields, ctx)),
          closed(.Call(library$r_model_fields, 1)))
rm(ctx, rows, model, again)
invisible(gc())

# ---- many runs and refusals do not add up in memory
used <- function() {
  line <- grep("^VmRSS", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line))
}
if (file.exists("/proc/self/status")) {
  day <- as.Date("2020-01-01") + rep(0:199, 1000)
  wide <- data.frame(x = runif(2e5), d = day, e = day) # days are written anew for the library
  days <- c("2020-01-01", "2021-01-01")
  once <- function() {
    try(tacit_kmeans(wide, 2, 1, 1e-6, bounds = list(x = c(0, 1), d = days, e = days),
                     method = "grid"), silent = TRUE)
    try(tacit_kmeans(wide, 2, 1, 1e-6, bounds = list(x = c(0, 1), nobody = c(0, 9))),
        silent = TRUE)
  }
  for (i in 1:20) once()
  invisible(gc())
  before <- used()
  for (i in 1:40) once()
  invisible(gc())
  grown <- used() - before
  cat("memory grew by", grown, "kB\n")
  stopifnot(grown < 45000) # R and malloc keep some; days that were lost would be 64000 more
}

# ---- Ctrl-C: R's own interrupt, soon, and the next run is as good as ever
rows <- matrix(rnorm(6000), ncol = 6)
began <- Sys.time()
system(sprintf("(sleep 1; kill -INT %d) &", Sys.getpid()))
stopped <- tryCatch({
  tacit_subspace(rows, 2, 1, radius = 5, q = 2, method = "gibbs", rounds = 1000000,
                 insecure_test_seed = 1)
  "finished"
}, interrupt = function(e) "interrupted")
took <- as.numeric(Sys.time() - began, units = "secs")
stopifnot(stopped == "interrupted", took < 30, identical(ask(), plain))
