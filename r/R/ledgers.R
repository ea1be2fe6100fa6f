# SPDX-License-Identifier: Apache-2.0
# A ledger is held by its path: every call opens it, and closes it.

with_ledger <- function(path, then) {
  path <- ledger_path(path)
  ctx <- new_ctx()
  ledger <- NULL
  on.exit(close_all(ledger, ctx))
  ledger <- checked(.Call(r_ledger_open, ctx, path))
  then(ctx, ledger, path)
}

tacit_ledger_create <- function(path, data, epsilon = NULL, delta = 0, bounds = NULL, radius = NULL,
                                center = NULL, columns = NULL, categories = NULL, weights = NULL,
                                transforms = NULL, missing = NULL, unit_column = NULL, units = NULL,
                                max_rows_per_person = NULL, neighbors = "add-remove",
                                schema = NULL, dataset = NULL) {
  path <- file_name("path", path)
  dataset <- if (is.null(dataset)) basename(path) else file_name("dataset", dataset)
  a <- arguments(environment())
  a$threads <- 0
  # A table of counts has no domain; whoever gives none declares one.
  family <- if (is.null(bounds) && is.null(radius) && is.null(categories)) "cocluster" else "kmeans"
  with_rows(family, data, a, function(ctx, rows, ledger, budget)
    checked(.Call(r_ledger_create, ctx, rows, path, enc2utf8(dataset), budget)))
  tacit_ledger(path)
}

tacit_ledger <- function(path) {
  with_ledger(path, function(ctx, ledger, path) {
    found <- checked(.Call(r_ledger_summary, ctx, ledger))
    structure(c(list(path = normalizePath(path)), found), class = "tacit_ledger")
  })
}

tacit_ledger_history <- function(path) {
  with_ledger(path, function(ctx, ledger, path)
    as.data.frame(checked(.Call(r_ledger_history, ctx, ledger))))
}

# What is spent by now: a summary that was kept may be older than the last run.
print.tacit_ledger <- function(x, ...) {
  x <- tryCatch(tacit_ledger(x), tacit_error = function(e) {
    cat("as it was when it was read: ", conditionMessage(e), "\n", sep = "")
    x
  })
  cat("ledger ", plain(x$path), " of ", plain(x$dataset), "\n",
      "  budget: ", promise_of(x$epsilon, x$delta), "\n",
      "  spent:  ", percent(x$spent), " in ", counted(x$runs, "run"), "\n",
      "  left:   one more run could ask for ", promise_of(x$epsilon_left, x$delta_left), "\n",
      "  about:  ", if (is.na(x$unit_column)) "single rows"
                    else paste("persons, named by column", plain(x$unit_column)), "\n", sep = "")
  invisible(x)
}
