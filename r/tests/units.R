# SPDX-License-Identifier: Apache-2.0
# Persons named by a vector beside the rows: the same release as if a column named them, for every
# kind of rows; and never fewer persons protected than was asked.
library(tacit)

set.seed(5)
n <- 3000
who <- sample(1000, n, TRUE)
df <- data.frame(x = runif(n), y = runif(n))
run <- function(data, ..., bounds = list(x = c(0, 1), y = c(0, 1)))
  tacit_kmeans(data, 2, 1, 1e-6, bounds = bounds, ..., max_rows_per_person = 2,
               insecure_test_seed = 9)
first <- run(cbind(df, person = who), unit_column = "person")
stopifnot(grepl("person", first$card$unit), first$card$max_rows_per_person == 2)
same <- function(model) stopifnot(identical(model$json, first$json))
same(run(df, units = who))
same(run(df, units = who + 0))
same(run(as.matrix(df), units = who))
same(run(df, units = as.character(who)))
same(run(df, units = factor(who)))
back <- rev(seq_len(n))
same(run(df[back, ], units = who[back]))
bare <- run(unname(as.matrix(df)), units = who, bounds = c(0, 1))
stopifnot(identical(bare$columns, c("c1", "c2")))

# ---- nobody's rows are left out
lost <- replace(who, 1:500, NA)
stopifnot(identical(run(df, units = lost)$json, run(df[-(1:500), ], units = who[-(1:500)])$json))

# ---- counts, dense and sparse
counts <- kronecker(diag(2L), matrix(3L, n / 2, 6))
blocks <- function(rows, ...) tacit_cocluster(rows, 2, 2, 8, 1e-6, ..., insecure_test_seed = 5)
dense <- blocks(counts, units = who, max_rows_per_person = 3)
stopifnot(grepl("person", dense$card$unit),
          !identical(dense$json, blocks(counts)$json),
          grepl("person", blocks(counts, units = who)$card$unit))
if (requireNamespace("Matrix", quietly = TRUE)) {
  sparse <- Matrix::Matrix(counts + 0, sparse = TRUE)
  of <- function(...) blocks(sparse, max_rows_per_person = 3, ...)$json
  stopifnot(identical(of(units = who), dense$json), identical(of(units = factor(who)), dense$json),
            identical(of(units = replace(who, 1:9, NA)),
                      blocks(counts, units = replace(who, 1:9, NA), max_rows_per_person = 3)$json))
}

# ---- a ledger about persons wants them in every run, and of nobody else
ledger <- tempfile(fileext = ".ledger")
tacit_ledger_create(ledger, df, 3, 1e-5, bounds = c(0, 1), units = who, max_rows_per_person = 2)
refused <- function(expr, status, words = "") {
  error <- tryCatch({ expr; NULL }, error = identity)
  stopifnot(inherits(error, "tacit_error"), error$status == status,
            grepl(words, conditionMessage(error), fixed = TRUE))
}
ask <- function(data = df, ...) tacit_kmeans(data, 2, 1, 1e-6, ledger = ledger, ...)
paid <- ask(units = who)
stopifnot(grepl("person", paid$card$unit), paid$card$max_rows_per_person == 2,
          length(predict(paid, df, ledger = ledger, as_owner = TRUE)) == n,
          grepl("person", capture.output(tacit_ledger(ledger))[5]))
refused(ask(), "E_DECLARED", "units")
refused(ask(units = who, max_rows_per_person = 9), "E_DECLARED", "max_rows_per_person")
rows <- tempfile(fileext = ".ledger")
tacit_ledger_create(rows, df, 3, 1e-5, bounds = c(0, 1))
refused(tacit_kmeans(df, 2, 1, 1e-6, ledger = rows, units = who, max_rows_per_person = 2),
        "E_DECLARED")
stopifnot(sum(tacit_ledger_history(ledger)$kind == "reserve") == 1, tacit_ledger(rows)$runs == 0)

# ---- what is wrong
refused(run(df, units = who[-1]), "E_ARGUMENT", "one entry for each row")
refused(run(df, units = "x"), "E_ARGUMENT", "unit_column")
refused(run(df, units = list(1)), "E_ARGUMENT", "not list")
refused(run(df, units = df), "E_ARGUMENT", "not data.frame")
refused(run(df, units = as.matrix(who)), "E_ARGUMENT", "units")
refused(run(df, units = who, unit_column = "x"), "E_ARGUMENT", "one of them")
refused(run(cbind(df, person = 1), units = who), "E_ARGUMENT", "rename")
refused(run(df, unit_column = who), "E_ARGUMENT", "units")
refused(run(df, unit_column = NA_character_), "E_ARGUMENT", "name of one column")
refused(run(df), "E_ARGUMENT", "units")
refused(tacit_kmeans(df, 2, 1, bounds = c(0, 1), units = who), "E_ARGUMENT", "max_rows_per_person")
plan <- tacit_plan("kmeans", df, 3000, k = 2, epsilon = 1, delta = 1e-6, bounds = c(0, 1),
                   units = who, max_rows_per_person = 2)
stopifnot(inherits(plan, "tacit_plan"))
