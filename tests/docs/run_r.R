# SPDX-License-Identifier: Apache-2.0
# Usage: Rscript run_r.R DOCS/r.md    in an empty folder: the page's example runs on a table made
# here, and leaves behind what it says.
page <- readLines(commandArgs(TRUE)[1L])
begin <- which(page == "```r")
stopifnot(length(begin) == 1L)
end <- begin + which(page[-seq_len(begin)] == "```")[1L]
set.seed(1) # nobody lives in the table
n <- 5000
df <- data.frame(name = "x", age = runif(n, 0, 100), cost = runif(n, 0, 80000))
grDevices::pdf(NULL)
eval(parse(text = page[(begin + 1L):(end - 1L)]))
stopifnot(identical(colnames(m$centers), c("age", "cost")), nrow(m$centers) == 5L,
          identical(tacit_read("segments.json")$centers, m$centers),
          length(predict(m, df)) == n,
          any(grepl("<html", readLines("segments.html"), fixed = TRUE)))
