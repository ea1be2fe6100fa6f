# SPDX-License-Identifier: Apache-2.0
# Arguments as the library's options and texts have them. What is wrong is refused by its name,
# before a row is read and before anything is spent. Ranges are the library's to check.

whole <- function(name, value, least = 0, most = 2^31 - 1) {
  if (!is.numeric(value) || length(value) != 1L || is.na(value) || value != round(value))
    refuse(name, " must be one whole number, not ", described(value))
  if (value < least || value > most)
    refuse(name, " is out of range; it goes from ", format(least, scientific = FALSE), " to ",
           format(most, scientific = FALSE))
  as.numeric(value)
}

described <- function(value) {
  if (length(value) != 1L && is.atomic(value) && !is.null(value))
    paste0(kind_of(value), " of length ", length(value))
  else if (is.numeric(value)) "a fraction, NA or NaN"
  else kind_of(value)
}

number <- function(name, value) {
  if (!is.numeric(value) || length(value) != 1L || !is.finite(value))
    refuse(name, " must be one finite number")
  as.numeric(value)
}

flag <- function(name, value) {
  if (!is.logical(value) || length(value) != 1L || is.na(value))
    refuse(name, " must be TRUE or FALSE")
  as.numeric(value)
}

word <- function(name, value, words) {
  if (!is.character(value) || length(value) != 1L || is.na(value) || !(value %in% words))
    refuse(name, " must be one of ", paste(words, collapse = ", "))
  match(value, words) - 1
}

whole_or_auto <- function(name, value, least, most) {
  if (!is.character(value)) return(whole(name, value, least, most))
  if (!identical(value, "auto")) refuse(name, " must be a whole number or \"auto\"")
  -1
}

method_number <- function(family, value) {
  known <- .Call(r_methods, family)
  word("method", value, names(known))
  known[[value]]
}

# In the encoding that names of files have here, as R's own functions take it.
file_name <- function(name, value) {
  if (!is.character(value) || length(value) != 1L || is.na(value) || !nzchar(value))
    refuse(name, " must be a path, one text, not ", described(value))
  enc2native(path.expand(value))
}

without_null <- function(list) list[!vapply(list, is.null, NA)]

# ---- texts, as the command takes them ----

# A name as lists of columns take it: quoted as in CSV where that is needed. In UTF-8 from here on:
# paste would put latin1 into the encoding of the locale, which may not have the letters.
quoted <- function(text) {
  text <- enc2utf8(text)
  plain <- nzchar(text) & !grepl("[,\"\n]", text) & text == trimws(text)
  ifelse(plain, text, paste0("\"", gsub("\"", "\"\"", text, fixed = TRUE), "\""))
}

one_text <- function(text) {
  if (is.null(text)) NULL else enc2utf8(paste(quoted(text), collapse = ","))
}

# A number or a date as text that reads back to the same.
figure <- function(name, value) {
  if (!is.atomic(value) && !inherits(value, "POSIXlt"))
    refuse(name, " must be a number, a text or a date, not ", kind_of(value))
  if (length(value) != 1L) refuse(name, " has several values where one is wanted")
  if (is.na(value)) refuse(name, " has a missing value (NA)")
  if (inherits(value, "POSIXt")) # days in UTC, as those of a column
    value <- as.Date(as.POSIXct(value), tz = "UTC")
  if (inherits(value, "Date")) format(value, "%Y-%m-%d")
  else if (is.character(value)) enc2utf8(value)
  else sprintf("%.17g", number(name, value))
}

# list(age = ...) as "age=...". A text stays.
said <- function(name, value, write) {
  if (is.null(value)) return(NULL)
  if (is.character(value) && length(value) == 1L && is.null(names(value))) return(enc2utf8(value))
  columns <- if (!is.null(names(value))) enc2utf8(names(value))
  if (is.null(columns) || any(!nzchar(columns)) || anyDuplicated(columns))
    refuse(name, " must be a list that names each column once, such as list(age = ...), or a text")
  value <- as.list(value)
  parts <- vapply(columns, function(column)
    paste0(column, "=", write(paste0(name, "$", column), value[[match(column, columns)]])), "")
  one_text(parts)
}

bound_text <- function(name, value) {
  if (identical(value, "private")) return("private")
  if (is.character(value) && length(value) == 1L) return(value)
  parts <- if (is.list(value)) value else lapply(seq_along(value), function(i) value[i])
  if (length(parts) == 3L && identical(parts[[1L]], "private"))
    return(paste0("private:", figure(name, parts[[2L]]), ":", figure(name, parts[[3L]])))
  if (length(parts) != 2L)
    refuse(name, " must be c(lower, upper), \"private\" or list(\"private\", lower, upper)")
  paste0(figure(name, parts[[1L]]), ":", figure(name, parts[[2L]]))
}

category_text <- function(name, value) {
  if (identical(value, "boolean") || (is.character(value) && length(value) == 1L)) return(value)
  if (is.factor(value))
    refuse(name, " must be the categories themselves, not a column; say levels(...) if these are ",
           "public and no row decided them")
  if (!is.character(value) && !is.numeric(value))
    refuse(name, " must be a vector of categories, or \"boolean\"")
  words <- vapply(seq_along(value), function(i) figure(name, value[i]), "")
  if (any(grepl("|", words, fixed = TRUE)))
    refuse(name, " has a category with the sign |, which stands between categories; rename it in ",
           "the rows")
  paste(words, collapse = "|")
}

missing_text <- function(name, value) {
  if (is.character(value) && length(value) == 1L) return(value)
  if (length(value) != 2L || !identical(as.character(value[[1L]]), "fill"))
    refuse(name, " must be a text or list(\"fill\", value)")
  paste0("fill:", figure(name, value[[2L]]))
}

columns_text <- function(columns) {
  if (is.null(columns)) return(NULL)
  if ((!is.character(columns) && !is.numeric(columns)) || !length(columns) || anyNA(columns))
    refuse("columns must be a vector of names, or of numbers from 1")
  if (is.numeric(columns) && any(columns < 1 | columns != round(columns)))
    refuse("columns must be names, or whole numbers from 1; to leave some out, list the others")
  one_text(if (is.numeric(columns)) sprintf("%.0f", columns) else columns) # 1e5 is no name
}

# ---- the domain ----

# What values are possible, as r_data_domain takes it; NULL: the declaration says it.
domain_of <- function(bounds, radius, center, columns, only_categories, declared) {
  if (!is.null(bounds) && !is.null(radius))
    refuse("bounds and radius exclude each other; keep one")
  if (!is.null(center) && is.null(radius))
    refuse("center is the center of radius; give radius too, or leave it out")
  if (!is.null(radius))
    return(without_null(list(radius = number("radius", radius),
                             center = if (!is.null(center)) each("center", center, columns))))
  if (is.null(bounds)) {
    if (only_categories) return(list(text = ""))
    if (declared) return(NULL)
    refuse("what values are possible is missing: give bounds, for example bounds = c(0, 1) or ",
           "bounds = list(age = c(0, 120)), or radius; it is never taken from the rows",
           status = "E_DOMAIN")
  }
  bounds_of(bounds, columns)
}

bounds_of <- function(bounds, columns) {
  if (is.matrix(bounds)) {
    if (!is.numeric(bounds) || nrow(bounds) != 2L)
      refuse("bounds as a matrix has two rows of numbers, lower and upper, and a column for each ",
             "column of the rows", status = "E_DOMAIN")
    if (!is.null(colnames(bounds))) {
      wanted <- lapply(seq_len(ncol(bounds)), function(j) as.numeric(bounds[, j]))
      return(list(text = said("bounds", with_names(wanted, colnames(bounds)), bound_text)))
    }
    bounds <- list(bounds[1L, ], bounds[2L, ])
  }
  if (is.data.frame(bounds) || !(is.list(bounds) || is.atomic(bounds)))
    refuse("bounds must be a list such as list(age = c(0, 120)), c(lower, upper) or a matrix, not ",
           kind_of(bounds), status = "E_DOMAIN")
  if (is.character(bounds) && !is.null(names(bounds))) bounds <- as.list(bounds) # c(age = "0:110")
  if (is.list(bounds) && is.null(names(bounds)) && length(bounds) == 2L)
    return(list(lower = each("the lower bounds", bounds[[1L]], columns),
                upper = each("the upper bounds", bounds[[2L]], columns)))
  if (is.list(bounds)) {
    if (!length(bounds))
      refuse("bounds name no column; give a range for each column to use", status = "E_DOMAIN")
    return(list(text = said("bounds", bounds, bound_text)))
  }
  list(text = enc2utf8(bound_text("bounds", bounds)))
}

with_names <- function(value, names) {
  names(value) <- names
  value
}

each <- function(name, value, columns) {
  if (!is.numeric(value) || !(length(value) %in% c(1L, columns)))
    refuse(name, " must be one number, or one for each of the ", columns, " columns in use")
  rep_len(as.numeric(value), columns)
}

# ---- the budget ----

relations <- c("add-remove", "replace", "entry")

budget_of <- function(epsilon, delta, neighbors, max_rows_per_person, insecure_test_seed,
                      bounds_share, as_owner = FALSE) {
  if (is.null(epsilon))
    refuse("no privacy budget was given: set epsilon, for example epsilon = 1; about 1 is usual, ",
           "smaller is safer, and there is no default", status = "E_BUDGET_UNSET")
  without_null(list(
    epsilon = number("epsilon", epsilon), delta = number("delta", delta),
    neighbors = neighbors,
    max_rows_per_person = if (!is.null(max_rows_per_person))
      whole("max_rows_per_person", max_rows_per_person, 1, 32768),
    insecure_test_seed = if (!is.null(insecure_test_seed))
      whole("insecure_test_seed", insecure_test_seed, 0, 2^53),
    bounds_share = if (!is.null(bounds_share)) number("bounds_share", bounds_share),
    as_owner = flag("as_owner", as_owner)))
}
