# SPDX-License-Identifier: Apache-2.0
# A release in R: its JSON text, which is all that was paid for, and its fields for reading. No row
# and no pointer is in it, so that saveRDS keeps a release and nothing else.

released <- function(ctx, model) {
  json <- checked(.Call(r_model_text, ctx, model, FALSE))
  fields <- .Call(r_model_fields, model)
  names <- fields$columns
  clusters <- as.character(seq_len(fields$k))
  for (field in c("centers", "centers_error", "spreads", "spreads_error", "offsets"))
    if (!is.null(fields[[field]])) dimnames(fields[[field]]) <- list(clusters, names)
  for (field in c("lower", "upper", "center", "column_clusters", "column_z"))
    if (!is.null(fields[[field]])) names(fields[[field]]) <- names
  if (!is.null(fields$sizes)) names(fields$sizes) <- clusters
  if (!is.null(fields$subspaces)) dimnames(fields$subspaces) <- list(names, NULL, clusters)
  if (!is.null(fields$table))
    dimnames(fields$table) <- list(clusters, column_cluster_names(fields))
  if (!is.null(fields$tau)) names(fields$tau) <- c("rows", "columns")
  fields$notes <- from_one(fields$notes)
  fields$features <- as.data.frame(fields$features)
  fields$queries <- as.data.frame(fields$queries)
  class(fields$card) <- "tacit_card"
  structure(c(without_null(fields), list(json = json)), class = "tacit_model")
}

# Notes of the library count centers from 0, as the command and Python do; here clusters are 1 to k.
from_one <- function(notes) {
  found <- regexpr("^centers? [0-9]+(, [0-9]+)*( and [0-9]+(?=:))?(?=:| and [0-9]+ more of )",
                   notes, perl = TRUE)
  heads <- regmatches(notes, found)
  numbers <- gregexpr("[0-9]+", heads)
  regmatches(heads, numbers) <- lapply(regmatches(heads, numbers),
                                       function(each) as.character(as.numeric(each) + 1))
  regmatches(notes, found) <- heads
  notes
}

column_cluster_names <- function(fields) {
  names <- as.character(seq_len(fields$l))
  c(names, if (ncol(fields$table) > fields$l) "rest")
}

# The library's model of a release, parsed from its text.
with_model <- function(object, then, threads = 0) {
  if (!inherits(object, "tacit_model"))
    refuse("the release must be a tacit_model, not ", kind_of(object), "; tacit_read reads a file")
  if (!is.character(object$json) || length(object$json) != 1L || is.na(object$json))
    refuse("the release has lost its text, json; read it again with tacit_read or readRDS")
  ctx <- new_ctx(threads)
  model <- NULL
  on.exit(close_all(model, ctx))
  model <- checked(.Call(r_model_parse, ctx, object$json))
  then(ctx, model)
}

tacit_read <- function(file) {
  file <- file_name("file", file)
  if (file == "-") refuse("file must name a file; standard input is R's own")
  ctx <- new_ctx()
  model <- NULL
  on.exit(close_all(model, ctx))
  model <- checked(.Call(r_model_read, ctx, file))
  released(ctx, model)
}

tacit_write <- function(model, file) {
  file <- file_name("file", file)
  with_model(model, function(ctx, handle) checked(.Call(r_model_write, ctx, handle, file)))
  invisible(model)
}

# Whatever it is called: an SQLite file with the number that ledgers have.
holds_ledger <- function(file) {
  head <- tryCatch(readBin(file, "raw", 72L), error = function(e) raw(), warning = function(w) raw())
  length(head) == 72L && identical(head[1:15], charToRaw("SQLite format 3")) &&
    identical(head[69:72], charToRaw("tact"))
}

# A ledger, its journal, or a file with a ledger beside it, behind links too: as tacit_write has it.
is_guarded <- function(file) {
  names <- c(file, normalizePath(file, mustWork = FALSE))
  beside <- paste0(names, ".ledger")
  any(grepl("[.]ledger(-journal|-wal|-shm)?$", names)) || any(file.exists(beside)) ||
    any(nzchar(Sys.readlink(beside), keepNA = TRUE), na.rm = TRUE) ||
    (isTRUE(file.size(file) >= 72) && holds_ledger(file))
}

tacit_report <- function(model, file) {
  file <- file_name("file", file)
  page <- with_model(model, function(ctx, handle) checked(.Call(r_model_text, ctx, handle, TRUE)))
  if (is_guarded(file))
    refuse(plain(file), " is a ledger or a data set with a ledger, which is never written over; ",
           "choose another name", status = "E_WRITE")
  if (!dir.exists(dirname(file)))
    refuse(plain(file), " cannot be written: make its folder first", status = "E_WRITE")
  written <- tryCatch({
    out <- file(file, "wb")
    on.exit(close(out))
    writeBin(charToRaw(page), out)
    TRUE
  }, error = function(e) FALSE, warning = function(w) FALSE)
  if (!written)
    refuse(plain(file), " cannot be written; give a file, in a folder of yours", status = "E_WRITE")
  invisible(file)
}

tacit_recut <- function(model, k, median = FALSE) {
  if (identical(k, "auto"))
    refuse("k must be a whole number: a release does not hold what k is chosen by")
  k <- as.integer(whole("k", k, 1, 1e6))
  median <- flag("median", median) == 1
  with_model(model, function(ctx, handle) {
    cut <- checked(.Call(r_model_recut, ctx, handle, k, median))
    on.exit(close_all(cut))
    released(ctx, cut)
  })
}

tacit_synthesize <- function(model, rows, seed = 1, label = TRUE) {
  rows <- whole("rows", rows, 1, 2^31 - 1)
  seed <- whole("seed", seed, 0, 2^53)
  features <- model$features
  if (flag("label", label) == 1 && "synthetic" %in% features$name)
    refuse("the release has a column called synthetic, which is what the label of synthetic rows ",
           "is called; leave the label out with label = FALSE")
  values <- with_model(model, function(ctx, handle)
    checked(.Call(r_model_synthesize, ctx, handle, rows, seed)))
  made <- lapply(seq_len(nrow(features)), function(i)
    synthetic_column(values[, i], features[i, ], model$columns))
  names(made) <- features$name
  if (label) made$synthetic <- rep(TRUE, rows)
  as.data.frame(made, check.names = FALSE, optional = TRUE)
}

synthetic_column <- function(values, feature, names) {
  if (feature$kind == "date") return(as.Date(floor(values), origin = "1970-01-01"))
  if (feature$kind != "category") return(values)
  own <- names[feature$first + seq_len(feature$width) - 1L]
  words <- substring(own, nchar(feature$name) + 2L)
  known <- words[words != "(missing)"]
  factor(words[values + 1], levels = known)
}

tacit_card <- function(model) {
  if (!inherits(model, "tacit_model")) refuse("the release must be a tacit_model")
  model$card
}

tacit_library_version <- function() .Call(r_version)

# ---- with the rows in hand: exact, for their owner ----

# Rows with the columns of a release; `then` gets them.
with_owner_rows <- function(object, data, ledger, as_owner, what, threads, then) {
  as_owner <- flag("as_owner", as_owner) == 1
  with_model(object, function(ctx, model) {
    source <- open_source(ctx, ledger, NULL)
    rows <- NULL
    on.exit(close_all(rows, source$ledger))
    if (!is.null(source$ledger)) {
      if (!as_owner)
        refuse("this data set has a ledger, and ", what, " answers exactly, for whoever holds the ",
               "rows: if you are the owner, say as_owner = TRUE, which the ledger's history will ",
               "show", status = "E_DECLARED")
      checked(.Call(r_ledger_note_owner, ctx, source$ledger, what))
    }
    # Persons may have been units beside the rows: nobody asks for them here.
    person <- source$declared$unit_column
    known <- is.null(person) || is.na(person) || person %in% colnames(data)
    rows <- open_like(ctx, object, data, if (known) source$declaration)
    then(ctx, model, rows)
  }, threads)
}

open_like <- function(ctx, object, data, declaration) {
  wanted <- object$features$name
  if (is_sparse(data) || (is.matrix(data) && is.null(colnames(data)))) {
    if (ncol(data) != length(wanted))
      refuse("newdata has ", ncol(data), " columns, and the release has ", length(wanted))
    names <- if (!is_sparse(data) || is.null(attr(data, "Dimnames")[[2L]])) wanted
    return(open_rows(ctx, data, if (is_sparse(data)) list() else
      list(columns = columns_text(wanted)), declaration, names = names))
  }
  lacks <- setdiff(wanted, if (is.matrix(data)) colnames(data) else names(data))
  if ((is.matrix(data) || is.data.frame(data)) && length(lacks))
    refuse("newdata lacks column ", sQuote(lacks[1L], FALSE), ", which the release has")
  rows <- open_rows(ctx, data, list(columns = columns_text(wanted)), declaration, wanted = wanted)
  check_used(rows, data)
  rows
}

predict.tacit_model <- function(object, newdata, type = c("cluster", "distance"), ledger = NULL,
                                as_owner = FALSE, threads = 0, ...) {
  type <- match.arg(type)
  if (missing(newdata))
    refuse("newdata is missing: a release holds no rows, so that there are no labels in it; give ",
           "the rows")
  with_owner_rows(object, newdata, ledger, as_owner, "predict", threads,
                  function(ctx, model, rows) {
    if (type == "cluster") return(checked(.Call(r_predict, ctx, model, rows)))
    distances <- checked(.Call(r_distances, ctx, model, rows))
    colnames(distances) <- seq_len(object$k)
    distances
  })
}

tacit_evaluate <- function(model, data, restarts = 0, ledger = NULL, as_owner = FALSE,
                           threads = 0) {
  restarts <- as.integer(whole("restarts", restarts, 0, 10000))
  with_owner_rows(model, data, ledger, as_owner, "evaluate", threads,
                  function(ctx, handle, rows) {
    measured <- checked(.Call(r_evaluate, ctx, handle, rows, restarts))
    measured[!vapply(measured, is.nan, NA)]
  })
}
