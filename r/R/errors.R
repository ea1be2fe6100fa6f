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
  refuse(value$message, status = value$status)
}

# What to call a value that is wrong: its class, never what it holds.
kind_of <- function(value) if (is.null(value)) "NULL" else class(value)[1L]
