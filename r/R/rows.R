# SPDX-License-Identifier: Apache-2.0
# Frames and matrices as the library's data. Only names, types and classes are looked at here. A
# value decides nothing before it is paid for: what is missing or out of range is the library's to
# treat, by rules that are fixed before.

# One column: what kind it is, and its values. `wanted`: whether it can matter; texts that cannot are
# not looked through.
column_of <- function(name, x, wanted) {
  as <- function(kind, values = NULL, ...) list(name = enc2utf8(name), kind = kind,
                                                values = values, ...)
  if (!wanted || !usable(x)) return(as("nothing"))
  if (inherits(x, "POSIXlt")) x <- as.POSIXct(x)
  if (is.factor(x)) {
    words <- levels(x)
    codes <- as_plain(x)
    codes[is.na(words)[codes]] <- NA # addNA() makes a level of what is missing
    words[is.na(words)] <- ""
    return(as("levels", codes, levels = enc2utf8(words)))
  }
  if (is.character(x)) {
    x <- as_plain(x) # a class of somebody else's could refuse a value
    x[Encoding(x) == "bytes"] <- NA # R refuses to translate them, and a refusal would tell
    words <- unique(x[!is.na(x)])
    return(as("levels", match(x, words), levels = enc2utf8(words)))
  }
  if (inherits(x, "Date")) return(as("days", as.numeric(as_plain(x))))
  if (inherits(x, "POSIXct")) return(as("seconds", as.numeric(as_plain(x))))
  if (inherits(x, "integer64")) return(as("integer64", as_plain(x)))
  if (is.logical(x)) return(as("logical", x))
  if (is.integer(x)) return(as("integer", x))
  if (is.double(x)) return(as("double", x))
  as("nothing")
}

as_plain <- function(x) {
  attributes(x) <- NULL
  x
}

# A column that cannot be used, by its name and what to do.
refuse_column <- function(name, x) {
  fix <- if (inherits(x, "difftime"))
    "is a difftime, whose unit R chooses by the values; give as.numeric(x, units = \"days\")"
  else if (is.complex(x)) "holds complex numbers; give real and imaginary parts as two columns"
  else if (is.list(x)) "is a list; give one number or text for each row"
  else if (!is.null(dim(x)))
    "is a matrix; give its columns one by one, and not scaled by their own means: bounds scale them"
  else paste0("is of class ", kind_of(x), "; give numbers, texts, factors, logicals or dates")
  refuse("column ", sQuote(name, FALSE), " ", fix)
}

usable <- function(x) {
  length(dim(x)) < 2L && !inherits(x, "difftime") &&
    (inherits(x, "POSIXlt") || typeof(x) %in% c("double", "integer", "logical", "character"))
}

# Which columns are in use is known once their bounds are: one of them that cannot be used would be
# as if every value were missing.
check_used <- function(rows, data, unit_column = NULL) {
  if (!is.data.frame(data)) return(invisible())
  places <- match(c(.Call(r_data_names, rows), unit_column), base::names(data))
  for (j in places[!is.na(places)])
    if (!usable(data[[j]])) refuse_column(base::names(data)[j], data[[j]])
}

# scale() leaves a mark. By means that were public the rows may be scaled; nothing tells.
warn_if_scaled <- function(data) {
  if (!is.null(attr(data, "scaled:center")) || !is.null(attr(data, "scaled:scale")))
    warning("the rows come from scale(): by means or deviations of the rows themselves the promise ",
            "would not hold; give the rows as they are, since bounds scale them", call. = FALSE)
}

# The columns that can matter, as far as that is said; NULL: any.
named_columns <- function(columns, bounds, categories, unit_column) {
  if (!is.null(columns)) {
    if (!is.character(columns)) return(NULL)
    found <- columns
  } else {
    if (!is.list(bounds) || is.null(names(bounds))) return(NULL)
    if (!is.null(categories) && is.null(names(categories))) return(NULL)
    found <- c(names(bounds), names(categories))
  }
  if (any(grepl("^[0-9]+$", found))) NULL else c(found, unit_column)
}

is_sparse <- function(data) isS4(data) && inherits(data, c("dgCMatrix", "CsparseMatrix"))

# The column that says whose row it is, where the caller gave units beside the rows.
person_column <- "person"

# Units as that column, which must be new.
unit_spec <- function(units, rows, names) {
  if (!usable(units))
    refuse("units must be a vector that names the person of each row, not ", described(units))
  if (length(units) != rows)
    refuse("units must have one entry for each row, naming the person",
           if (length(units) == 1L) "; a column of the rows that does is unit_column")
  if (person_column %in% names)
    refuse("units become the column 'person', which the rows have already; if it says whose row ",
           "it is, give unit_column = \"person\", else rename it")
  column_of(person_column, units, TRUE)
}

# Opened data, with all its columns in their order. `wanted`: see above. `names`: of a matrix without.
open_rows <- function(ctx, data, said, declaration = NULL, wanted = NULL, names = NULL,
                      units = NULL) {
  if (is_sparse(data)) return(open_sparse(ctx, data, said, declaration, names, units))
  if (is.data.frame(data)) {
    check_names(base::names(data))
    specs <- lapply(base::names(data), function(name)
      column_of(name, data[[name]], is.null(wanted) || name %in% wanted))
    for (spec in specs)
      if (spec$kind != "nothing" && length(spec$values) != nrow(data))
        refuse("column ", sQuote(spec$name, FALSE), " is not as long as the table; make it anew, ",
               "with data.frame(...)")
  } else if (is.matrix(data)) {
    specs <- matrix_columns(data, names)
  } else {
    refuse_rows(data)
  }
  if (!is.null(units)) {
    specs <- c(specs, list(unit_spec(units, nrow(data), vapply(specs, `[[`, "", "name"))))
    if (is.null(declaration)) said$unit_column <- person_column
  }
  checked(.Call(r_data_columns, ctx, specs, as.numeric(nrow(data)), said, declaration))
}

# A matrix column by column, without a copy.
matrix_columns <- function(data, names) {
  if (!is.numeric(data) && !is.logical(data))
    refuse("a matrix of rows holds numbers, not ", typeof(data), "; give a data.frame, whose texts ",
           "can be declared as categories")
  if (ncol(data) == 0L) refuse("the rows have no columns")
  if (is.null(names)) names <- colnames(data)
  if (is.null(names)) names <- paste0("c", seq_len(ncol(data)))
  check_names(names)
  lapply(seq_len(ncol(data)), function(j)
    list(name = enc2utf8(names[j]), kind = typeof(data), values = data,
         first = (j - 1) * as.numeric(nrow(data))))
}

check_names <- function(names) {
  if (!length(names)) refuse("the rows have no columns")
  if (anyNA(names) || any(!nzchar(names)))
    refuse("a column has no name; give each one, with names(data) <- ...", status = "E_FORMAT")
  if (anyDuplicated(names))
    refuse("the rows have column ", sQuote(names[anyDuplicated(names)], FALSE),
           " twice; names must differ", status = "E_FORMAT")
}

refuse_rows <- function(data) {
  if (is.character(data) && length(data) == 1L)
    refuse("rows are a data.frame or a matrix, not a path: read the file first, for example with ",
           "read.csv; a file with a ledger beside it is for the command tacit")
  if (isS4(data))
    refuse("rows of class ", kind_of(data), " are not known; give as(data, \"CsparseMatrix\") or ",
           "a matrix")
  if (is.atomic(data) && !is.null(data))
    refuse("rows are a table with one row for each person, not a vector; give data.frame(x = data)")
  refuse("rows are a data.frame or a matrix, not ", kind_of(data), "; give as.data.frame(data)")
}

# A column-compressed matrix of package Matrix, row by row.
open_sparse <- function(ctx, data, said, declaration, names, units) {
  if (!is.null(declaration))
    refuse("a sparse matrix takes no ledger and no schema from R; give as.matrix(data)")
  if (!is.null(said$columns) || !is.null(said$unit_column))
    refuse("of a sparse matrix all columns are used, and none names persons; choose columns with ",
           "data[, columns], and give units in place of unit_column")
  if (!inherits(data, "dgCMatrix"))
    refuse("a sparse matrix of class ", kind_of(data), " is not known; give ",
           "as(as(data, \"generalMatrix\"), \"dMatrix\")")
  size <- attr(data, "Dim")
  row <- attr(data, "i")
  column <- rep.int(seq_len(size[2L]) - 1L, diff(attr(data, "p")))
  order <- order(row, column)
  starts <- c(0, cumsum(as.numeric(tabulate(row + 1L, size[1L]))))
  if (is.null(names)) names <- attr(data, "Dimnames")[[2L]]
  if (!is.null(names)) check_names(names)
  who <- if (!is.null(units)) unit_codes(unit_spec(units, size[1L], names))
  checked(.Call(r_data_sparse, ctx, starts, column[order], as.numeric(attr(data, "x"))[order],
                size[2L], enc2utf8(as.character(names)), said, who))
}

# Persons as whole numbers; -1: nobody.
unit_codes <- function(spec) {
  if (spec$kind == "integer64") # bits in doubles, which R would compare as doubles
    refuse("units beside a sparse matrix cannot be of class integer64; give as.character(units)")
  codes <- match(spec$values, unique(spec$values)) - 1
  replace(codes, is.na(spec$values), -1)
}
