# SPDX-License-Identifier: Apache-2.0
# A release holds what was paid for and nothing else; R's seed has no part in the noise; the command
# gives the same bytes. TACIT_COMMAND: the command; without it that part is left out.
library(tacit)

set.seed(3)
n <- 1237
df <- data.frame(age = round(rnorm(n, 50, 15), 3), cost = rexp(n, 1e-4))
ask <- list(age = c(0, 110), cost = c(0, 9e4))

# ---- an object is a function of its file
m <- tacit_kmeans(df, 3, 1, 1e-6, bounds = ask)
file <- tempfile(fileext = ".json")
tacit_write(m, file)
again <- tacit_read(file)
stopifnot(identical(m, again))
kept <- tempfile(fileext = ".rds")
saveRDS(m, kept)
stopifnot(identical(predict(readRDS(kept), df), predict(m, df)), file.size(kept) < 20000)
types <- function(x) c(typeof(x), if (is.list(x)) unlist(lapply(x, types)),
                       if (!is.null(attributes(x))) unlist(lapply(attributes(x), types)))
stopifnot(!any(c("environment", "externalptr", "closure", "language") %in% types(m)))

# ---- the number of rows is shown nowhere: what is printed is a function of the file too
shown <- c(capture.output(print(m)), capture.output(summary(m)), capture.output(str(unclass(m))))
stopifnot(any(grepl("size", shown)), !any(grepl("1237|1,237", shown)),
          identical(capture.output(print(m)), capture.output(print(again))))

# ---- set.seed says nothing of the noise, and a run does not move R's generator
set.seed(1)
before <- .Random.seed
a <- tacit_kmeans(df, 3, 1, 1e-6, bounds = ask)
stopifnot(identical(before, .Random.seed))
set.seed(1)
b <- tacit_kmeans(df, 3, 1, 1e-6, bounds = ask)
stopifnot(!identical(a$centers, b$centers), !identical(a$sizes, b$sizes))

# ---- a test seed is no privacy, and everybody is told
weak <- tacit_kmeans(df, 3, 1, 1e-6, bounds = ask, insecure_test_seed = 1)
stopifnot(!weak$is_private, any(grepl("NOT PRIVATE", capture.output(print(weak)))))

# ---- a page for people
page <- tempfile(fileext = ".html")
tacit_report(m, page)
stopifnot(any(grepl("<html", readLines(page, warn = FALSE), ignore.case = TRUE)))

# ---- texts of somebody else's file are shown plain
evil <- gsub("\"age\"", "\"a\\u001b[31mge\"", m$json, fixed = TRUE)
writeLines(evil, file)
odd <- tacit_read(file)
stopifnot(!identical(odd$columns, m$columns),
          !any(grepl("\033", capture.output(print(odd)), fixed = TRUE)))

# ---- a ledger
ledger <- tempfile(fileext = ".ledger")
made <- tacit_ledger_create(ledger, df, epsilon = 2, delta = 1e-5, bounds = ask)
stopifnot(inherits(made, "tacit_ledger"), made$spent == 0)
paid <- tacit_kmeans(df, 3, 1, 1e-6, ledger = ledger)
stopifnot(paid$card$in_ledger, tacit_ledger(ledger)$spent > 0,
          identical(tacit_ledger_history(ledger)$kind, c("open", "reserve", "commit")))
refused <- function(expr) tryCatch({ expr; "" }, tacit_error = function(e) e$status)
stopifnot(refused(tacit_kmeans(df, 3, 5, 1e-6, ledger = ledger)) == "E_BUDGET_SPENT",
          refused(tacit_kmeans(df, 3, 0.1, 1e-6, ledger = ledger,
                               bounds = list(age = c(0, 10), cost = c(0, 9e4)))) == "E_DECLARED",
          refused(tacit_kmeans(df["age"], 3, 0.1, 1e-6, ledger = ledger)) == "E_DECLARED",
          refused(predict(paid, df, ledger = ledger)) == "E_DECLARED",
          refused(tacit_ledger_create(ledger, df, 2, 1e-5, bounds = ask)) != "",
          length(predict(paid, df, ledger = ledger, as_owner = TRUE)) == n,
          "owner" %in% tacit_ledger_history(ledger)$kind)

# ---- the same bytes as the command's
command <- Sys.getenv("TACIT_COMMAND")
if (nzchar(command)) {
  table <- data.frame(who = paste0("p", seq_len(n) %/% 3), age = replace(df$age, 5:20, NA),
                      cost = df$cost, visits = replace(rpois(n, 4), 100:110, NA),
                      sex = factor(sample(c("F", "M", NA), n, TRUE)),
                      member = sample(c(TRUE, FALSE, NA), n, TRUE),
                      joined = as.Date("2020-01-01") + sample(1000, n, TRUE))
  table$joined[7] <- NA
  written <- table
  written$cost <- sprintf("%.17g", written$cost)
  written$member <- tolower(written$member)
  csv <- tempfile(fileext = ".csv")
  write.csv(written, csv, row.names = FALSE, na = "", quote = FALSE)
  run <- function(...) {
    out <- tempfile(fileext = ".json")
    said <- suppressWarnings(system2(command, c(..., "--insecure-test-seed", "11", "--quiet", "-o",
                                                out), stdout = TRUE, stderr = TRUE))
    if (!file.exists(out)) stop(paste(said, collapse = "\n"))
    readBin(out, "raw", file.size(out))
  }
  bytes <- function(model) {
    out <- tempfile(fileext = ".json")
    tacit_write(model, out)
    readBin(out, "raw", file.size(out))
  }
  stopifnot(identical(
    bytes(tacit_kmeans(table, 3, 1, 1e-6, bounds = list(age = c(0, 110), cost = c(1, 9e4),
      visits = c(0, 20), joined = as.Date(c("2019-01-01", "2024-01-01"))),
      categories = list(sex = c("F", "M"), member = "boolean"), weights = list(age = 2),
      transforms = list(cost = "log"), missing = list(age = list("fill", 40),
      sex = "own-category"), unit_column = "who", max_rows_per_person = 2,
      insecure_test_seed = 11)),
    run("kmeans", csv, "-k", "3", "--epsilon", "1", "--delta", "1e-6", "--bounds",
        "age=0:110,cost=1:90000,visits=0:20,joined=2019-01-01:2024-01-01", "--categories",
        "'sex=F|M,member=boolean'", "--weights", "age=2", "--log", "cost", "--missing",
        "age=fill:40,sex=own-category", "--unit-column", "who", "--max-rows-per-person", "2")))
  two <- c("--epsilon", "1", "--delta", "1e-6", "--bounds", "age=0:110,cost=0:90000")
  stopifnot(identical(bytes(tacit_kmedian(table, 3, 1, 1e-6, bounds = ask,
                                          insecure_test_seed = 11)),
                      run("kmedian", csv, "-k", "3", two)))
  # rows near planes, and counts, of the command's own making
  union <- tempfile(fileext = ".csv")
  system2(command, c("generate", "subspaces", "--rows", "3000", "-o", union), stdout = FALSE,
          stderr = FALSE)
  stopifnot(identical(bytes(tacit_subspace(read.csv(union), 3, 1, 1e-6, radius = 1, q = 3,
                                           insecure_test_seed = 11)),
                      run("subspace", union, "-k", "3", "-q", "3", "--epsilon", "1", "--delta",
                          "1e-6", "--radius", "1")))
  items <- as.data.frame(matrix(rpois(2000 * 30, 0.5), 2000))
  baskets <- tempfile(fileext = ".csv")
  write.csv(items, baskets, row.names = FALSE)
  stopifnot(identical(bytes(tacit_cocluster(items, 3, 3, 1, 1e-6, insecure_test_seed = 11)),
                      run("cocluster", baskets, "--rows", "3", "--cols", "3", "--epsilon", "1",
                          "--delta", "1e-6", "--format", "csv")))
} else {
  cat("TACIT_COMMAND is not set: releases were not compared with the command's\n")
}
