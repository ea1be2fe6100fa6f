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

# The library sees a frame as an Arrow stream, and speaks to users of the command too.
in_words_of_r <- function(message) {
  message <- sub("^the Arrow stream: (column '[^']*'): ", "\\1 ", message)
  message <- sub("^the Arrow stream", "the rows", message)
  message <- sub(", which the data does not have", ", which the rows do not have", message)
  message <- sub("(--columns age,spend; in C: columns)", "(columns)", message, fixed = TRUE)
  message <- sub("make one with `tacit ledger init`", "make one with tacit_ledger_create", message,
                 fixed = TRUE)
  sub("cast it to numbers", "make numbers of it", message, fixed = TRUE)
}

# What to call a value that is wrong: its class, never what it holds.
kind_of <- function(value) if (is.null(value)) "NULL" else class(value)[1L]
