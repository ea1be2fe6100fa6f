# SPDX-License-Identifier: Apache-2.0
# What people see of a release and of a ledger says what is so.
library(tacit)

set.seed(2)
n <- 4000
df <- data.frame(x = rep(c(0.2, 0.8), n / 2) + rnorm(n, 0, 0.03), y = runif(n), day = 0)
df$day <- as.Date("2020-01-01") + 10 * seq_len(n) / n
days <- as.Date(c("2020-01-01", "2020-02-01"))
run <- function(data, k, ...) tacit_kmeans(data, k, 1, 1e-6, ..., insecure_test_seed = 1)
m <- run(df, "auto", bounds = list(x = c(0, 1), y = c(0, 1), day = days))
lines <- function(x) utils::capture.output(print(x))
says <- function(x, words) any(grepl(words, paste(lines(x), collapse = " "), fixed = TRUE))

# ---- k that was chosen, and how sure it is
stopifnot(m$k_choice$verdict %in% c("clear", "weak"), m$k_choice$best == m$k,
          length(m$curve) >= m$k, says(m, "k was chosen"),
          is.null(run(df["x"], 2, bounds = c(0, 1))$k_choice))
even <- run(df[1:50, "y", drop = FALSE], "auto", bounds = c(0, 1))
stopifnot(even$k == 1, says(even, "1 group of rows and its mean"),
          says(even, "so one center was released"))

# ---- clusters count from 1 in notes too, where the library says center 0
nobody <- run(df[0, "x", drop = FALSE], 2, bounds = c(0, 1))
stopifnot(any(grepl("^centers? 1( and 2)?: so few rows", nobody$notes)),
          grepl("centers? 0( and 1)?: so few rows", nobody$json))
from_one <- asNamespace("tacit")$from_one
stopifnot(identical(
  from_one(c("centers 0, 3 and 9: few", "centers 0, 1 and 12 more of 20: few", "center 10: few",
             "only 1 of the 3 centers stood out", "centers 1 and 2: 7 rows", "none")),
  c("centers 1, 4 and 10: few", "centers 1, 2 and 12 more of 20: few", "center 11: few",
    "only 1 of the 3 centers stood out", "centers 2 and 3: 7 rows", "none")),
  identical(from_one(character()), character()))

# ---- a ledger that was read before a run shows what is spent now
path <- tempfile(fileext = ".ledger")
ledger <- tacit_ledger_create(path, df, 2, 1e-5, bounds = list(x = c(0, 1)))
paid <- tacit_kmeans(df, 2, 1, 1e-6, ledger = ledger)
stopifnot(says(ledger, "in 1 run"), identical(lines(ledger), lines(tacit_ledger(path))))
unlink(path)
stopifnot(says(ledger, "as it was when it was read"), says(ledger, "in 0 runs"))

# ---- a summary has each kind of query once
shown <- utils::capture.output(print(summary(m)))
stopifnot(sum(grepl("cells of the tree", shown)) == 1, nrow(m$queries) > 20)

# ---- pictures: `col` is not `columns`, and two maps go on one page
drawn <- function(draw) {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file, compress = FALSE, useKerning = FALSE)
  draw()
  grDevices::dev.off()
  iconv(readLines(file, warn = FALSE), "latin1", "UTF-8")
}
pages <- function(pdf) sum(grepl("/Type /Page ", pdf, fixed = TRUE))
undated <- function(pdf) pdf[!grepl("Date", pdf)]
stopifnot(identical(undated(drawn(function() plot(m))),
                    undated(drawn(function() plot(m, col = 2)))))
both <- drawn(function() {
  graphics::par(mfrow = c(1, 2))
  plot(m, columns = c("x", "y"))
  plot(m, columns = c("day", "y"))
})
stopifnot(pages(both) == 1, any(grepl("Jan", both)))
long <- stats::setNames(df[1], strrep("name of a column ", 20))
stopifnot(any(grepl("...)", drawn(function() plot(run(long, 2, bounds = c(0, 1)))), fixed = TRUE)))

# ---- what is drawn over cells is not cut off: it is clipped to where the cells are
clips <- unique(grep(" re W n$", drawn(function()
  plot(tacit_subspace(matrix(runif(42000), 200), 2, 5, 1e-6, radius = 9, q = 1))), value = TRUE))
stopifnot(length(clips) == 1)

# ---- names that are long, devices that are small, numbers that are large
titled <- function(inches) {
  grDevices::pdf(NULL, inches, 5)
  on.exit(grDevices::dev.off())
  plot(m)
  plot(m, columns = c("x", "y"))
  graphics::par(mfrow = c(1, 2))
  kept <- graphics::par("mfrow", "mar", "cex")
  plot(m)
  stopifnot(identical(kept, graphics::par("mfrow", "mar", "cex")))
}
titled(7)
small <- tryCatch(titled(1), error = conditionMessage)
stopifnot(grepl("margins", small))
wide <- run(data.frame(a = runif(2000, 0, 1e6), b = runif(2000)), 2,
            bounds = list(a = c(0, 1e6), b = c(0, 1e-5)))
told <- drawn(function() plot(wide, columns = c("a", "b")))
stopifnot(any(grepl("(200,000)", told, fixed = TRUE)), !any(grepl("e+05)", told, fixed = TRUE)))

# ---- a card is no wider than the console
before <- options(width = 60)
stopifnot(nchar(lines(m$card)) <= 60, says(m$card, "Linde-Buzo-Gray"), says(m$card, "ledger:     none"))
options(before)
