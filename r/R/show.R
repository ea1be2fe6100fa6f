# SPDX-License-Identifier: Apache-2.0
# A release for people: numbers with as many digits as their noise leaves. Sizes are noisy; nothing
# else here could tell how many rows there were.

plain <- function(text) .Call(r_plain, enc2utf8(as.character(text)))

percent <- function(share) paste0(format(100 * share, digits = 3), " %")

wrapped <- function(text, ...) strwrap(plain(text), width = 0.9 * getOption("width"), ...)

promise_of <- function(epsilon, delta) {
  paste0("epsilon ", format(epsilon, digits = 4),
         if (isTRUE(delta > 0)) paste0(", delta ", format(delta, digits = 3)) else ", delta 0")
}

# The sign of noise, where it can be shown.
plus_minus <- function() if (l10n_info()[["UTF-8"]]) "\u00b1" else "+-"

# To two digits of the noise: 34.21 +- 0.15.
rounded <- function(value, error) {
  if (is.na(value)) return("?")
  if (is.na(error) || error <= 0 || !is.finite(error)) return(format(value, digits = 3))
  digits <- min(12, 1 - floor(log10(error)))
  show <- function(x) formatC(round(x, digits), format = "f", digits = max(0, digits),
                              big.mark = ",")
  paste(show(value), plus_minus(), show(error))
}

shown <- function(kind, value, error) {
  if (is.na(value)) return("?")
  if (kind == "category") return(paste(rounded(100 * value, 100 * error), "%"))
  if (kind == "date")
    return(paste(format(as.Date(floor(value), origin = "1970-01-01")),
                 if (is.finite(error))
                   paste(plus_minus(), format(max(error, 0.1), digits = 2), "d")))
  rounded(value, error)
}

# The kind of each column of a release.
column_kinds <- function(x) rep(x$features$kind, x$features$width)

center_cells <- function(x, columns) {
  kinds <- column_kinds(x)
  cells <- vapply(columns, function(j) vapply(seq_len(x$k), function(i)
    shown(kinds[j], x$centers[i, j], x$centers_error[i, j]), ""), character(x$k))
  cells <- matrix(cells, x$k, dimnames = list(seq_len(x$k), plain(x$columns[columns])))
  cbind(size = size_cells(x), cells)
}

size_cells <- function(x) vapply(seq_len(x$k), function(i) rounded(x$sizes[i], x$sizes_error), "")

block_cells <- function(x) {
  cells <- apply(x$table, c(1, 2), rounded, error = x$table_error)
  dim(cells) <- dim(x$table)
  counts <- table(factor(x$column_clusters, seq_len(ncol(cells))))
  dimnames(cells) <- list(seq_len(x$k), paste0(colnames(x$table), " (", counts,
                                               ifelse(counts == 1, " column)", " columns)")))
  cells
}

direction_cells <- function(x, most = 4L) {
  lines <- lapply(seq_len(x$k), function(i) vapply(seq_len(x$q), function(a) {
    loads <- x$subspaces[, a, i]
    order <- order(-abs(loads))[seq_len(min(most, length(loads)))]
    paste(sprintf("%s %+.2f", plain(x$columns[order]), loads[order]), collapse = ", ")
  }, ""))
  data.frame(subspace = rep(seq_len(x$k), each = x$q),
             size = unlist(lapply(size_cells(x), function(s) c(s, rep("", x$q - 1L)))),
             direction = rep(seq_len(x$q), x$k), loadings = unlist(lines))
}

counted <- function(n, one, many = paste0(one, "s")) paste(n, if (n == 1) one else many)

headline <- function(x) {
  what <- switch(x$family,
    kmeans = counted(x$k, "group of rows and its mean", "groups of rows and their means"),
    kmedian = counted(x$k, "group of rows and its median", "groups of rows and their medians"),
    subspace = counted(x$k, "subspace that rows lie near", "subspaces that rows lie near"),
    cocluster = paste(counted(x$k, "group of rows", "groups of rows"), "and",
                      counted(x$l, "group of columns", "groups of columns")))
  paste0("tacit ", x$family, ": ", what)
}

# How sure a k is that was chosen.
choice_line <- function(x) {
  c <- x$k_choice
  near <- if (c$low < c$high)
    paste0("; ", c$low, " to ", c$high, " groups describe the noisy answers about as well")
  switch(c$verdict,
    clear = paste0("k was chosen: the groups stand apart", near),
    weak = paste0("k was chosen: a suggestion, as the groups overlap", near,
                  "; tacit_recut(m, k) takes another at no cost"),
    none = paste("k was chosen: the rows look no more grouped than an even cloud, so one center",
                 "was released; tacit_recut(m, k) would divide the cloud"),
    noisy = paste("k was chosen: noise hides whether there are groups, so one center was released;",
                  "more rows, fewer columns or a larger epsilon would tell"),
    "")
}

promise_line <- function(x) {
  if (!x$is_private) return(paste("NOT PRIVATE:", x$why_not_private))
  x$guarantee
}

print_table <- function(x, columns) {
  if (x$family == "cocluster") {
    cat("table of row and column clusters, in ", x$table_unit, ":\n", sep = "")
    print(block_cells(x), quote = FALSE, right = TRUE)
  } else if (x$family == "subspace") {
    print(direction_cells(x), row.names = FALSE, right = FALSE)
  } else {
    some <- seq_len(min(columns, length(x$columns)))
    print(center_cells(x, some), quote = FALSE, right = TRUE)
    if (length(some) < length(x$columns))
      cat("and ", counted(length(x$columns) - length(some), "more column"), "; centers has all\n",
          sep = "")
  }
}

print.tacit_model <- function(x, columns = 8L, ...) {
  cat(headline(x), "\n", sep = "")
  print_table(x, columns)
  if (x$family != "subspace")
    cat(plus_minus(), ": what the privacy noise does to a number, one standard deviation\n",
        sep = "")
  if (!is.null(x$k_choice)) cat(wrapped(choice_line(x)), sep = "\n")
  for (note in x$notes) cat(wrapped(note, initial = "note: ", prefix = "  "), sep = "\n")
  cat(wrapped(promise_line(x)), sep = "\n")
  invisible(x)
}

summary.tacit_model <- function(object, ...) {
  structure(list(model = object), class = "summary.tacit_model")
}

print.summary.tacit_model <- function(x, ...) {
  print(x$model, columns = Inf)
  m <- x$model
  if (!is.null(m$spreads)) {
    cat("\nhow much rows of a group differ in a column, one standard deviation:\n")
    print(signif(m$spreads, 3))
  }
  if (!is.null(m$tau)) cat("\ntau of the table:", signif(m$tau, 3), "\n")
  cat("\n")
  print(m$card)
  cat("\nqueries:\n")
  print(query_lines(m$queries), row.names = FALSE, right = FALSE)
  invisible(x)
}

# Queries of one name on one line, in the order in which they were first asked.
query_lines <- function(queries) {
  name <- paste(queries$what, queries$noise, sep = "\r")
  first <- !duplicated(name)
  at <- match(name, name[first])
  data.frame(what = queries$what[first], noise = queries$noise[first],
             times = tabulate(at, sum(first)),
             share = round(as.vector(rowsum(queries$share, at)), 4),
             answers = as.vector(rowsum(queries$answers, at)))
}

print.tacit_card <- function(x, ...) {
  line <- function(name, value) {
    parts <- strwrap(value, 0.9 * getOption("width") - 14)
    heads <- c(paste0("  ", name, ":"), rep("", max(0L, length(parts) - 1L)))
    cat(paste0(formatC(heads, width = -14), parts), sep = "\n")
  }
  cat("privacy card\n")
  line("protects", if (is.na(x$unit)) "nobody" else
    paste0("each ", plain(x$unit), ", ", x$neighbors,
           if (x$max_rows_per_person > 1) paste0(", ", x$max_rows_per_person, " rows of each")))
  line("promise", promise_of(x$epsilon, x$delta))
  line("spent", paste0(format(x$spent, digits = 4), " of ", format(x$budget, digits = 4), " in ",
                       plain(x$parameter)))
  line("ledger", if (x$in_ledger) paste("run", plain(x$ledger_run)) else "none")
  line("noise", plain(x$randomness))
  line("method", plain(x$paper))
  line("made by", paste("tacit", plain(x$version)))
  invisible(x)
}
