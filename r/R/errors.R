# SPDX-License-Identifier: Apache-2.0
# What can go wrong. An error of the library has the class tacit_error, the library's sentence
# (which column, option or file, why, how to mend it; never a data value) and its status.

refuse <- function(..., status = "E_ARGUMENT") {
  stop(structure(class = c("tacit_error", "error", "condition"),
                 list(message = paste(c(...), collapse = ""), call = NULL, status = status)))
}

# The value of a call of the library, or its error. An interrupt is R's own again.
checked <- function(value) {
  if (!inherits(value, "tacit_failure")) return(value)
  if (isTRUE(value$interrupted)) .Call(r_interrupt)
  refuse(in_words_of_r(value$message), status = value$status)
}

# The library sees a frame as an Arrow stream, and speaks to users of the command too. Names in a
# message may have any signs, so most of it is sought as it stands.
in_words_of_r <- function(message) {
  for (i in seq_along(patterns_of_c))
    message <- sub(names(patterns_of_c)[i], patterns_of_c[i], message)
  for (i in seq_along(words_of_c))
    message <- sub(names(words_of_c)[i], words_of_c[i], message, fixed = TRUE)
  message
}

patterns_of_c <- c(
  "^the Arrow stream: (column '[^']*'): " = "\\1 ",
  "^the Arrow stream: the header has" = "the rows have",
  "^the Arrow stream: the header is not the one that" = "the columns are not those that",
  "^the Arrow stream" = "the rows",
  "^(the rows: column [0-9]+) of the header" = "\\1",
  ", or give it a range of its own: .*=lo:hi$" = ", or give it a range of its own",
  "write for example .*=0:100 or, of dates, .*=private to have them estimated$" =
    paste("give c(0, 100), say, or c(\"1990-01-01\", \"2029-12-31\"), or \"private\" to have them",
          "estimated"))

words_of_c <- c(
  "(--columns age,spend; in C: columns)" = "(columns)",
  ", which the data does not have" = ", which the rows do not have",
  "make one with `tacit ledger init`" = "make one with tacit_ledger_create",
  "`tacit ledger init` made" = "tacit_ledger_create made",
  "cast it to numbers" = "make numbers of it",
  "as in sex=F|M" = "as in list(sex = c(\"F\", \"M\"))",
  "as in birth=1920-01-01:2020-12-31" = "as in list(birth = c(\"1920-01-01\", \"2020-12-31\"))",
  "give the file that tacit kmeans, kmedian, subspace or cocluster wrote" =
    "give the file that tacit_write wrote, or the command",
  "take tacit kmeans" = "take tacit_kmeans",
  "that tacit kmeans or kmedian wrote" = "of tacit_kmeans or tacit_kmedian",
  "from a release of tacit kmeans" = "from a release of tacit_kmeans",
  "unit column names" = "unit_column names",
  "rows about must" = "rows_about must")

# What to call a value that is wrong: its class, never what it holds.
kind_of <- function(value) if (is.null(value)) "NULL" else class(value)[1L]
