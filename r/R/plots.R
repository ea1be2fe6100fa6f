# SPDX-License-Identifier: Apache-2.0
# Pictures of a release, from released numbers alone.

# The dots come first: `col`, which many plots take, must not be read as part of `columns`.
plot.tacit_model <- function(x, ..., columns = NULL, main = NULL) {
  if (is.null(main)) main <- headline(x)
  if (x$family == "cocluster") plot_blocks(x, main)
  else if (x$family == "subspace") plot_loadings(x, main)
  else if (length(columns) == 2L) plot_map(x, column_places(x, columns), main)
  else plot_centers(x, if (is.null(columns)) seq_along(x$columns) else column_places(x, columns),
                    main)
  invisible(x)
}

# As small as it takes to be no wider than the picture: sizes may stand beside it.
plot_title <- function(main) {
  fits <- par("pin")[1L] / strwidth(main, units = "inches")
  mtext(main, side = 3, line = 1, adj = 0, cex = par("cex") * min(1, fits))
}

# Numbers of an axis as people write them.
plot_axis <- function(side) {
  ticks <- axTicks(side)
  axis(side, ticks, format(ticks, big.mark = ",", scientific = 9, trim = TRUE))
}

# What was promised, below the picture.
plot_promise <- function(x) {
  mtext(if (x$is_private) paste("privacy:", promise_of(x$card$epsilon, x$card$delta))
        else "NOT PRIVATE", side = 1, line = 4.5, cex = 0.8 * par("cex"), adj = 0,
        col = if (x$is_private) "gray30" else "red3")
}

# Names that leave room for the picture.
short <- function(names, most = 24L) {
  names <- plain(names)
  ifelse(nchar(names) > most, paste0(substr(names, 1, most - 3L), "..."), names)
}

column_places <- function(x, columns) {
  places <- if (is.numeric(columns)) columns else match(columns, x$columns)
  if (anyNA(places) || any(!(places %in% seq_along(x$columns))))
    refuse("columns names a column that the release does not have; it has ",
           paste(plain(first_names(x$columns)), collapse = ", "))
  places
}

first_names <- function(names) if (length(names) > 20L) c(names[1:20], "...") else names

palette_of <- function(k) hcl.colors(max(k, 2L), "Dark 3")[seq_len(k)]

# Every column's declared range from left to right, the centers in it with two standard deviations
# of their noise, and the noisy sizes beside: a page of its own.
plot_centers <- function(x, columns, main) {
  # No more than these, and without layout(1): where margins do not fit, R's own error is to be seen.
  before <- par("mfrow", "mar", "cex")
  on.exit(par(before))
  names <- short(x$columns[columns])
  low <- if (is.null(x$lower)) x$center - x$radius else x$lower
  high <- if (is.null(x$upper)) x$center + x$radius else x$upper
  place <- function(value, j) (value - low[j]) / (high[j] - low[j])
  colors <- palette_of(x$k)
  layout(matrix(1:2, 1), widths = c(3, 1.4))
  rows <- length(columns)
  par(mar = c(6, 2 + 0.45 * max(nchar(names)), 3, 0.5), cex = 0.85)
  plot(NA, xlim = c(0, 1), ylim = c(rows + 0.5, 0.5), axes = FALSE, ann = FALSE)
  axis(1, c(0, 0.5, 1), c("lower bound", "middle", "upper bound"))
  axis(2, seq_len(rows), names, las = 1, tick = FALSE)
  abline(h = seq_len(rows - 1) + 0.5, col = "gray90")
  for (r in seq_len(rows)) for (i in seq_len(x$k)) {
    j <- columns[r]
    y <- r + if (x$k > 1) 0.7 * ((i - 1) / (x$k - 1) - 0.5) else 0
    at <- place(x$centers[i, j], j)
    noise <- 2 * x$centers_error[i, j] / (high[j] - low[j])
    if (is.finite(noise)) segments(max(0, at - noise), y, min(1, at + noise), y, col = colors[i])
    points(at, y, pch = 19, col = colors[i])
  }
  plot_title(main)
  plot_promise(x)
  plot_sizes(x, colors)
}

plot_sizes <- function(x, colors) {
  par(mar = c(6, 3, 3, 1))
  if (anyNA(x$sizes)) return(plot.new())
  error <- 2 * x$sizes_error
  at <- barplot(rev(pmax(0, x$sizes)), horiz = TRUE, las = 1, col = rev(colors), border = NA,
                names.arg = rev(seq_len(x$k)), xlim = c(0, 1.05 * max(x$sizes + error, 1)),
                axes = FALSE)
  plot_axis(1)
  segments(rev(pmax(0, x$sizes - error)), at, rev(x$sizes + error), at)
  mtext("noisy size", side = 3, line = 1, adj = 0)
}

# Two columns as a map: centers with the ellipse of two standard deviations of their noise.
plot_map <- function(x, columns, main) {
  colors <- palette_of(x$k)
  low <- if (is.null(x$lower)) x$center - x$radius else x$lower
  high <- if (is.null(x$upper)) x$center + x$radius else x$upper
  before <- par(mar = c(6, 4, 3, 1))
  on.exit(par(before))
  plot(NA, xlim = c(low[columns[1]], high[columns[1]]), ylim = c(low[columns[2]], high[columns[2]]),
       xlab = plain(x$columns[columns[1]]), ylab = plain(x$columns[columns[2]]), axes = FALSE)
  dates <- column_kinds(x)[columns] == "date"
  for (side in 1:2) if (dates[side]) axis.Date(side, as.Date(par("usr")[2 * side - 1:0],
                                                             origin = "1970-01-01")) else plot_axis(side)
  box()
  turn <- seq(0, 2 * pi, length.out = 60)
  for (i in seq_len(x$k)) {
    at <- x$centers[i, columns]
    noise <- 2 * x$centers_error[i, columns]
    if (all(is.finite(noise)))
      polygon(at[1] + noise[1] * cos(turn), at[2] + noise[2] * sin(turn), border = colors[i],
              col = paste0(substr(colors[i], 1, 7), "33"))
    share <- if (anyNA(x$sizes)) 0.1 else max(0, x$sizes[i]) / max(1, sum(pmax(0, x$sizes)))
    points(at[1], at[2], pch = 19, col = colors[i], cex = 0.8 + 3 * sqrt(share))
    text(at[1], at[2], i, pos = 4, offset = 0.9)
  }
  plot_title(main)
  plot_promise(x)
}

# A matrix as colored cells, first row on top, with a number in each where they are not many; `over`
# draws on it, while the margins are still its own.
plot_cells <- function(x, cells, numbers, limit, colors, rows, columns, main, label, over) {
  before <- par(mar = c(6, 2 + 0.45 * max(nchar(rows)), 3, 1))
  on.exit(par(before))
  image(seq_len(ncol(cells)), seq_len(nrow(cells)), t(cells[rev(seq_len(nrow(cells))), ,
                                                            drop = FALSE]),
        zlim = limit, col = colors, axes = FALSE, xlab = label, ylab = "")
  axis(1, seq_len(ncol(cells)), columns, tick = FALSE)
  axis(2, seq_len(nrow(cells)), rev(rows), las = 1, tick = FALSE)
  plot_title(main)
  plot_promise(x)
  if (length(cells) <= 400) {
    dark <- abs(cells) > 0.5 * max(abs(limit))
    text(col(cells), nrow(cells) + 1 - row(cells), numbers, cex = 0.8,
         col = ifelse(dark, "white", "black"))
  }
  over()
}

# Each row cluster's counts by column cluster, as shares of the row.
plot_blocks <- function(x, main) {
  kept <- pmax(x$table, 0)
  shares <- kept / pmax(rowSums(kept), 1e-9)
  mark <- which(kept < 2 * x$table_error, arr.ind = TRUE) # no more than noise
  plot_cells(x, shares, round(x$table), c(0, 1), hcl.colors(32, "Blues", rev = TRUE),
             paste("rows", rownames(x$table)), colnames(x$table), main, "column clusters",
             function() if (nrow(mark))
               rect(mark[, 2] - 0.5, nrow(shares) + 0.5 - mark[, 1], mark[, 2] + 0.5,
                    nrow(shares) + 1.5 - mark[, 1], density = 8, col = "gray60", border = NA))
}

plot_loadings <- function(x, main) {
  cells <- matrix(x$subspaces, nrow = length(x$columns))
  labels <- paste0(rep(seq_len(x$k), each = x$q), ".", rep(seq_len(x$q), x$k))
  plot_cells(x, cells, sprintf("%.2f", cells), c(-1, 1), hcl.colors(33, "Blue-Red 3"),
             short(x$columns), labels, main, "subspace.direction",
             function() abline(v = x$q * seq_len(x$k - 1) + 0.5))
}
