# SPDX-License-Identifier: Apache-2.0
# What a run would be worth: tried on made-up rows. No row is read and nothing is spent.

tacit_plan <- function(family, data, rows_about, ...) {
  families <- c("kmeans", "kmedian", "subspace", "cocluster")
  word("family", family, families)
  if (is.character(data) && length(data) >= 1L && !anyNA(data)) data <- empty_columns(data)
  run <- switch(family, kmeans = tacit_kmeans, kmedian = tacit_kmedian, subspace = tacit_subspace,
                cocluster = tacit_cocluster)
  given <- list(...)
  unknown <- setdiff(names(given), names(formals(run)))
  if ((length(given) && is.null(names(given))) || any(!nzchar(names(given))))
    refuse("a plan takes the arguments of tacit_", family, " by their names, such as k = 5")
  if (length(unknown)) refuse("tacit_", family, " has no argument ", unknown[1L])
  a <- lapply(formals(run)[-1L], eval)
  a[names(given)] <- given
  a$rows_about <- number("rows_about", rows_about)
  plan <- run_or_plan(family, data, a)
  plan$queries <- as.data.frame(plan$queries)
  plan$forecasts <- as.data.frame(plan$forecasts)
  structure(c(list(family = family, rows_about = rows_about), plan), class = "tacit_plan")
}

empty_columns <- function(names) {
  check_names(names)
  frame <- lapply(names, function(name) numeric())
  names(frame) <- names
  as.data.frame(frame, check.names = FALSE, optional = TRUE)
}

print.tacit_plan <- function(x, ...) {
  cat("plan of ", x$family, " for about ", format(x$rows_about, big.mark = ","), " rows: ",
      x$verdict, "\n", sep = "")
  if (nzchar(x$advice)) cat(wrapped(x$advice), "", sep = "\n")
  if (nrow(x$forecasts)) {
    shown <- x$forecasts
    shown[] <- lapply(shown, function(one)
      if (is.numeric(one)) ifelse(is.na(one), "", format(round(one, 2), nsmall = 2)) else one)
    print(shown, row.names = FALSE)
  }
  if (is.finite(x$least_epsilon))
    cat("the smallest epsilon that would be usable: ", x$least_epsilon, "\n", sep = "")
  invisible(x)
}
