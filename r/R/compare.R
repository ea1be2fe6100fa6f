# SPDX-License-Identifier: Apache-2.0
# Two releases, such as one of each month: which cluster is which, and what changed beyond the
# noise. From released numbers, so nothing is spent.

tacit_compare <- function(first, second) {
  told <- with_model(first, function(ctx, one) with_model(second, function(ctx2, other)
    checked(.Call(r_model_compare, ctx, one, other))))
  changes <- as.data.frame(told$changes)
  changes$column <- first$columns[changes$column] # NA: the size
  structure(list(pairs = as.data.frame(told$pairs), changes = changes, numbers = told$numbers,
                 threshold = told$threshold), class = "tacit_comparison")
}

print.tacit_comparison <- function(x, ...) {
  shown <- cbind(pair = seq_len(nrow(x$pairs)), x$pairs)
  shown$size_z <- round(shown$size_z, 1)
  shown$distance <- signif(shown$distance, 3)
  shown[c("first_size", "second_size")] <- round(shown[c("first_size", "second_size")])
  cat("pairs of clusters:\n")
  print(shown, row.names = FALSE)
  changed <- nrow(x$changes)
  cat("\n", if (changed == 0) "none" else changed, " of ", counted(x$numbers, "number"),
      if (changed < 2) " differs" else " differ", " by more than noise explains (z above ",
      format(x$threshold, digits = 3), ")", if (changed) ":", "\n", sep = "")
  if (changed) {
    shown <- x$changes
    shown$column <- ifelse(is.na(shown$column), "size", plain(shown$column))
    shown[c("before", "after", "z")] <- lapply(shown[c("before", "after", "z")], signif, 4)
    print(shown, row.names = FALSE)
  }
  invisible(x)
}
