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
  both <- .Call(library$r_model_compare, ctx, model, again)
  book <- .Call(library$r_ledger_history, ctx, .Call(library$r_ledger_open, ctx, ledger))
  fields
})
stopifnot(identical(json, plain$json), identical(fields$sizes, unname(plain$sizes)),
          identical(told, labels), inherits(wrong, "tacit_failure"),
          identical(as.data.frame(book), entries))

sparse <- function() {
  ctx <- .Call(library$r_ctx, 1L)
  rows <- .Call(library$r_data_sparse, ctx, c(0, 2, 2, 3), c(0L, 1L, 1L), c(3, 4, 5), 2L,
                c("a", "b"), list(), c(0, 0, -1))
  model <- .Call(library$r_run, ctx, rows, NULL, "cocluster", budget,
                 list(row_clusters = 2, column_clusters = 2))
  .Call(library$r_model_text, ctx, model, FALSE)
}
stopifnot(identical(step(sparse()), sparse()))

# ---- handles that are closed or of another kind are refused, not followed
closed <- function(expr) inherits(tryCatch(expr, error = identity), "simpleError")
.Call(library$r_close, model)
.Call(library$r_close, model)
stopifnot(closed(.Call(library$r_model_fields, model)), closed(.Call(library$r_model_fields, ctx)),
          closed(.Call(library$r_model_fields, 1)))
rm(ctx, rows, model, again)
invisible(gc())

# ---- many runs and refusals do not add up: bytes that malloc has handed out and not got back. What
# a process holds (RSS) will not do: threads and fragments move it by more than what is looked for.
source <- tempfile(fileext = ".c")
writeLines(c("#include <malloc.h>",
             "void in_use(double *out)", "{",
             "#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)",
             "    struct mallinfo2 m = mallinfo2();",
             "    *out = (double)m.uordblks + (double)m.hblkhd;",
             "#endif", "}"), source)
object <- sub("[.]c$", .Platform$dynlib.ext, source)
built <- system2(file.path(R.home("bin"), "R"), c("CMD", "SHLIB", "-o", object, source),
                 stdout = TRUE, stderr = TRUE)
if (file.exists(object)) {
  dyn.load(object)
  used <- function() {
    for (i in 1:3) gc() # handles that finalizers free may hold others
    .C("in_use", out = -1)$out
  }
  day <- as.Date("2020-01-01") + rep(0:199, 250)
  wide <- data.frame(x = runif(5e4), d = day, e = day) # days are written anew for the library
  days <- c("2020-01-01", "2021-01-01")
  model <- NULL
  once <- function() {
    try(model <<- tacit_kmeans(wide, 2, 1, 1e-6, bounds = list(x = c(0, 1), d = days, e = days),
                               method = "grid"), silent = TRUE)
    try(tacit_kmeans(wide, 2, 1, 1e-6, bounds = list(x = c(0, 1), nobody = c(0, 9))),
        silent = TRUE)
    predict(model, wide)
    tacit_ledger_history(ledger)
    NULL
  }
  # What is lost is lost by every run. R itself grows now and then, so the least of some counts.
  grown <- vapply(1:5, function(batch) {
    before <- used()
    for (i in 1:10) once()
    used() - before
  }, 0)
  if (used() < 0) cat("this C library does not count: lost memory was not looked for\n") else {
    cat("10 runs left", grown, "bytes\n")
    stopifnot(min(grown) < 2000) # days that were lost would be 8 million, names 3,300
  }
} else {
  cat("no compiler: lost memory was not looked for\n", built, sep = "\n")
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

# ---- a time limit is an error, as of any function of R
stopped <- tryCatch({
  setTimeLimit(elapsed = 1, transient = TRUE)
  tacit_subspace(rows, 2, 1, radius = 5, q = 2, method = "gibbs", rounds = 1000000,
                 insecure_test_seed = 1)
  "finished"
}, interrupt = function(e) "interrupted", error = identity)
setTimeLimit()
many <- tacit_kmeans(data.frame(x = runif(2000)), 2, 1, 1e-6, bounds = c(0, 1))
made <- tryCatch({
  setTimeLimit(elapsed = 0.1, transient = TRUE)
  tacit_synthesize(many, 2e7)
  "finished"
}, error = identity)
setTimeLimit()
stopifnot(inherits(made, "tacit_error"), made$status == "E_CANCELLED")
stopifnot(inherits(stopped, "tacit_error"), stopped$status == "E_CANCELLED",
          grepl("time limit", conditionMessage(stopped)), identical(ask(), plain))
