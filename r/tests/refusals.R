# SPDX-License-Identifier: Apache-2.0
# What is wrong is refused by its name, with its cause and what to do, and no value is shown.
library(tacit)

refused <- function(expr, status, ...) {
  error <- tryCatch({ expr; NULL }, error = function(e) e)
  if (is.null(error)) stop("was not refused: ", deparse(substitute(expr))[1L])
  if (!inherits(error, "tacit_error") || error$status != status)
    stop("refused otherwise: ", class(error)[1L], " ", error$status, ": ", conditionMessage(error))
  for (words in c(...))
    if (!grepl(words, conditionMessage(error), fixed = TRUE))
      stop("does not say ", words, ": ", conditionMessage(error))
  foreign <- "987654|Arrow|--|tacit [klpsc]|lo:hi|=F|header" # values, and words of others than R's
  if (grepl(foreign, conditionMessage(error))) stop("says too much: ", conditionMessage(error))
}

df <- data.frame(age = c(20, 987654, 40), name = c("x", "y", "z"), when = Sys.Date() + 0:2)
df$gap <- difftime(Sys.time() + c(1, 2, 987654), Sys.time())
df$z <- complex(3, 1, 2)
df$l <- list(1, 2, 3)
df$m <- matrix(1:6, 3)
ask <- list(age = c(0, 110))
km <- function(data = df, k = 2, epsilon = 1, ...) tacit_kmeans(data, k, epsilon, ...)

# ---- the budget
refused(tacit_kmeans(df, 2, bounds = ask), "E_BUDGET_UNSET", "epsilon", "no default")
refused(km(epsilon = 0, bounds = ask), "E_ARGUMENT", "epsilon")
refused(km(epsilon = NA, bounds = ask), "E_ARGUMENT", "epsilon must be one finite number")
refused(km(delta = 2, bounds = ask), "E_ARGUMENT", "delta")
refused(km(epsilon = "1", bounds = ask), "E_ARGUMENT", "epsilon")
# ---- the domain
refused(km(), "E_DOMAIN", "bounds", "never taken from the rows")
refused(km(bounds = list(agee = c(0, 1))), "E_DOMAIN", "'agee'", "'age'")
refused(km(bounds = list(age = c(1, 0))), "E_DOMAIN", "age")
refused(km(bounds = list(age = 1:3)), "E_ARGUMENT", "bounds$age", "c(lower, upper)")
refused(km(bounds = list(age = c(0, NA))), "E_ARGUMENT", "bounds$age")
refused(km(bounds = ask, radius = 1), "E_ARGUMENT", "exclude each other")
refused(km(bounds = ask, center = 1), "E_ARGUMENT", "radius")
refused(km(bounds = df["age"]), "E_DOMAIN", "data.frame")
refused(km(bounds = list()), "E_DOMAIN", "no column")
refused(km(bounds = c(agee = "0:110")), "E_DOMAIN", "'agee'")
refused(km(df["age"], bounds = list(cost = c(0, 1))), "E_DOMAIN", "the rows do not have",
        "its columns: age")
refused(km(df["age"], bounds = ask, columns = "cost"), "E_ARGUMENT", "its columns: age")
refused(km(df["age"], bounds = c(0, 1), unit_column = "who", max_rows_per_person = 1), "E_ARGUMENT",
        "unit_column names", "its columns: age")
refused(km(bounds = c(0, 1)), "E_DOMAIN", "'name'", "a range of its own")
refused(km(bounds = list(when = c("1.1.2020", "2.2.2020"))), "E_DOMAIN", "'when'", "1990-01-01")
refused(km(bounds = list(when = c(0, 9))), "E_ARGUMENT", "'when'", "list(birth = c(")
# ---- columns
refused(km(bounds = list(name = c(0, 1))), "E_ARGUMENT", "'name'", "categories")
refused(km(bounds = list(gap = c(0, 1))), "E_ARGUMENT", "'gap'", "units = \"days\"")
refused(km(bounds = list(z = c(0, 1))), "E_ARGUMENT", "'z'", "complex")
refused(km(bounds = list(l = c(0, 1))), "E_ARGUMENT", "'l'", "list")
refused(km(bounds = list(m = c(0, 1))), "E_ARGUMENT", "'m'", "matrix")
# ... however they come to be in use: every row would lack a value, and the budget would be gone
for (bad in c("gap", "z", "l", "m")) {
  two <- df[c("age", bad)]
  named <- paste0("'", bad, "'")
  refused(km(two, bounds = c(0, 1)), "E_ARGUMENT", named)
  refused(km(two, bounds = rbind(c(0, 0), c(1, 1))), "E_ARGUMENT", named)
  refused(km(df, bounds = c(0, 1), columns = match(bad, names(df))), "E_ARGUMENT", named)
  refused(km(two, bounds = paste0(bad, "=0:1")), "E_ARGUMENT", named)
  refused(km(two, radius = 1), "E_ARGUMENT", named)
  refused(km(two, bounds = ask, unit_column = bad, max_rows_per_person = 1), "E_ARGUMENT", named)
  refused(tacit_subspace(two, 1, 1, radius = 1, q = 1), "E_ARGUMENT", named)
  refused(tacit_cocluster(two, 1, 1, 1), "E_ARGUMENT", named)
  refused(tacit_ledger_create(tempfile(), two, 1, bounds = c(0, 1)), "E_ARGUMENT", named)
}
refused(km(bounds = list(m = c(0, 1))), "E_ARGUMENT", "'m'", "not scaled")
paid <- tempfile()
tacit_ledger_create(paid, data.frame(age = 1, z = 1), 1, bounds = list(age = c(0, 110), z = c(0, 1)))
refused(km(df[c("age", "z")], delta = 0, ledger = paid), "E_ARGUMENT", "'z'", "complex")
stopifnot(tacit_ledger(paid)$runs == 0)
long <- df["age"]
attr(long, "row.names") <- 1:2
refused(km(long, bounds = ask), "E_ARGUMENT", "'age'", "not as long")
refused(km(bounds = ask, categories = list(name = factor(df$name))), "E_ARGUMENT",
        "categories$name", "levels(")
refused(km(bounds = ask, weights = list(2)), "E_ARGUMENT", "weights")
refused(km(bounds = ask, transforms = list(age = log)), "E_ARGUMENT", "transforms$age", "function")
refused(km(bounds = ask, columns = -1), "E_ARGUMENT", "columns", "from 1")
refused(km(bounds = ask, columns = 0), "E_ARGUMENT", "columns", "from 1")
refused(km(bounds = ask, columns = 1.5), "E_ARGUMENT", "columns", "from 1")
refused(km(bounds = c(0, 1), columns = 1e5), "E_ARGUMENT", "'100000'") # not '1e+05'
refused(km(bounds = ask, columns = c("age", "nobody")), "E_ARGUMENT", "the rows", "'nobody'")
refused(km(bounds = list(age = c(0, 110)), categories = list(name = c("x|y", "z"))), "E_ARGUMENT",
        "categories$name", "sign |")
refused(km(bounds = ask, categories = list(name = c("x", NA))), "E_ARGUMENT", "NA")
refused(km(setNames(df[1:2], c("a", "a")), bounds = c(0, 1)), "E_FORMAT", "'a' twice")
refused(km(setNames(df[1:2], c("a", "")), bounds = c(0, 1)), "E_FORMAT", "no name")
refused(km(df[0], bounds = c(0, 1)), "E_ARGUMENT", "no columns")
# ---- rows
refused(km("people.csv", bounds = ask), "E_ARGUMENT", "read.csv")
refused(km(1:10, bounds = ask), "E_ARGUMENT", "data.frame(x = data)")
refused(km(list(1, 2), bounds = ask), "E_ARGUMENT", "as.data.frame")
refused(km(matrix("a", 2, 2), bounds = c(0, 1)), "E_ARGUMENT", "character")
refused(km(NULL, bounds = ask), "E_ARGUMENT", "NULL")
# ---- means of the rows are no public numbers
scaled <- scale(matrix(c(1, 2, 3, 4, 5, 9), 3))
told <- tryCatch(km(scaled, bounds = c(-3, 3)), warning = conditionMessage)
stopifnot(grepl("scale()", told, fixed = TRUE), !is.character(tryCatch(
  km(matrix(c(scaled), 3), bounds = c(-3, 3)), warning = conditionMessage)))
# ---- options
refused(km(k = 0, bounds = ask), "E_ARGUMENT", "k is out of range")
refused(km(k = 2.5, bounds = ask), "E_ARGUMENT", "k must be one whole number")
refused(tacit_kmeans(df, epsilon = 1, bounds = ask), "E_ARGUMENT", "k is missing")
refused(km(k = "many", bounds = ask), "E_ARGUMENT", "\"auto\"")
refused(km(bounds = ask, k_max = 5), "E_ARGUMENT", "k_max", "auto")
refused(km(bounds = ask, method = "best"), "E_ARGUMENT", "method", "lloyd")
refused(km(bounds = ask, neighbors = "swap"), "E_ARGUMENT", "neighbors", "replace")
refused(km(bounds = ask, unit_column = "name"), "E_ARGUMENT", "max_rows_per_person")
refused(km(bounds = ask, max_rows_per_person = 3), "E_ARGUMENT", "unit_column")
refused(km(bounds = ask, threads = -1), "E_ARGUMENT", "threads")
refused(km(bounds = ask, ledger = "no such file"), "E_LEDGER", "no such file",
        "tacit_ledger_create")
refused(km(bounds = ask, schema = "{"), "E_FORMAT")
refused(tacit_subspace(matrix(1, 9, 3), 2, 1, radius = 1, q = 9), "E_ARGUMENT", "q")
refused(tacit_cocluster(matrix(-1, 9, 9), 2, 2, 1), "E_FORMAT")
refused(tacit_plan("kmeans", df, 10, nonsense = 1), "E_ARGUMENT", "no argument nonsense")
refused(tacit_plan("kmeans", df, 10, 2, epsilon = 1), "E_ARGUMENT", "by their names, such as")
# ---- releases
m <- km(data.frame(age = rep(c(20, 80), 500)), bounds = ask, delta = 1e-6)
refused(predict(m), "E_ARGUMENT", "newdata")
refused(predict(m, data.frame(x = 1)), "E_ARGUMENT", "'age'")
refused(predict(m, matrix(1, 2, 3)), "E_ARGUMENT", "3 columns")
refused(tacit_compare(m, km(data.frame(age = 1), bounds = list(age = c(0, 9)))), "E_ARGUMENT")
refused(tacit_compare(m, "x"), "E_ARGUMENT", "tacit_model")
refused(tacit_recut(m, 100000), "E_ARGUMENT", "k")
refused(tacit_recut(m, "auto"), "E_ARGUMENT", "k")
refused(tacit_read(tempfile()), "E_OPEN")
refused(tacit_write(list(), "x"), "E_ARGUMENT", "tacit_model")
refused(tacit_report(m, file.path(tempdir(), "none", "x.html")), "E_WRITE", "folder")
refused(tacit_report(m, tempdir()), "E_WRITE", "cannot be written")
# ---- what is spent is not forgotten
kept <- file.path(tempdir(), "rows.csv.ledger")
tacit_ledger_create(kept, df["age"], 1, bounds = ask)
file.create(file.path(tempdir(), "rows.csv"))
file.symlink("rows.csv.ledger", file.path(tempdir(), "page.html"))
tacit_ledger_create(file.path(tempdir(), "budget.db"), df["age"], 1, bounds = ask)
for (name in c("rows.csv", "rows.csv.ledger", "rows.csv.ledger-journal", "page.html", "budget.db"))
  for (write in c(tacit_report, tacit_write))
    refused(write(m, file.path(tempdir(), name)), "E_WRITE", "never written over")
stopifnot(tacit_ledger(kept)$runs == 0)
refused(tacit_read(paste0(R.home("share"), "/licenses/GPL-2")), "E_FORMAT", "tacit_write")
refused(tacit_ledger(tempdir()), "E_LEDGER", "tacit_ledger_create made")
broken <- m
broken$json <- substr(m$json, 1, 50)
refused(predict(broken, data.frame(age = 1)), "E_FORMAT")
for (lost in list(character(), NA, 5, list("{"))) {
  broken$json <- lost
  refused(predict(broken, data.frame(age = 1)), "E_ARGUMENT", "has lost its text")
}
refused(tacit_synthesize(m, 0), "E_ARGUMENT", "rows")
blocks <- tacit_cocluster(matrix(1:4, 2), 1, 1, 1)
refused(tacit_recut(blocks, 2), "E_ARGUMENT", "give one of tacit_kmeans or tacit_kmedian")
refused(tacit_synthesize(blocks, 2), "E_ARGUMENT", "from a release of tacit_kmeans")
# ---- every sentence of the library that R says otherwise
refused(tacit_subspace(df["age"], 1, 1, radius = 1, q = 1), "E_ARGUMENT", "take tacit_kmeans")
refused(tacit_plan("kmeans", df["age"], 1e14, k = 1, epsilon = 1, bounds = ask), "E_ARGUMENT",
        "rows_about must")
refused(km(bounds = ask, columns = c("age", "when")), "E_DOMAIN", "'when'", "(columns)")
refused(km(data.frame(years = 1, z = 1), delta = 0, ledger = paid), "E_DECLARED",
        "the rows: column 1 is called 'years'")
grDevices::pdf(NULL)
stopifnot(inherits(tryCatch(plot(m, columns = "no"), tacit_error = identity), "tacit_error"))
# ---- no rows at all: a release as any, since that nobody is there is private
none <- km(data.frame(age = numeric()), bounds = ask, delta = 1e-6)
stopifnot(nrow(none$centers) == 2, length(predict(none, data.frame(age = numeric()))) == 0)
