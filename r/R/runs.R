# SPDX-License-Identifier: Apache-2.0
# Private runs: the same walk for every family.

new_ctx <- function(threads = 0) {
  checked(.Call(r_ctx, as.integer(whole("threads", threads, 0, 1024))))
}

close_all <- function(...) for (handle in list(...)) .Call(r_close, handle)

# The ledger and the declaration of rows, and what that says of whom a run protects.
open_source <- function(ctx, ledger, schema) {
  source <- list(ledger = NULL, declaration = NULL, declared = NULL)
  given <- if (!is.null(schema)) schema_of(ctx, schema)
  if (!is.null(ledger)) {
    source$ledger <- checked(.Call(r_ledger_open, ctx, ledger_path(ledger)))
    source$declaration <- checked(.Call(r_ledger_declaration, ctx, source$ledger))
    if (!is.null(given)) checked(.Call(r_declaration_compare, ctx, given, source$declaration))
  } else {
    source$declaration <- given
  }
  if (!is.null(source$declaration))
    source$declared <- checked(.Call(r_declaration_summary, ctx, source$declaration))
  source
}

schema_of <- function(ctx, schema) {
  if (!is.character(schema) || length(schema) != 1L || is.na(schema))
    refuse("schema must be a path or JSON text, not ", described(schema))
  is_json <- startsWith(trimws(schema), "{")
  given <- if (is_json) enc2utf8(schema) else file_name("schema", schema)
  checked(.Call(r_declaration, ctx, given, is_json))
}

ledger_path <- function(ledger) {
  file_name("ledger", if (inherits(ledger, "tacit_ledger")) ledger$path else ledger)
}

# Who is protected: as asked, or as declared; one must not say otherwise than the other.
protected <- function(neighbors, max_rows_per_person, unit_column, units, declared, counts) {
  relation <- word("neighbors", neighbors, relations)
  if (!is.null(unit_column) && !is.null(units))
    refuse("unit_column and units both say whose row it is; give one of them")
  person <- if (is.null(units)) unit_column else person_column
  if (!is.null(declared)) {
    if (relation != declared$neighbors && relation != 0)
      refuse("neighbors says otherwise than the declaration, which has \"",
             relations[declared$neighbors + 1], "\"; leave it out", status = "E_DECLARED")
    relation <- declared$neighbors
    if (!is.na(declared$unit_column)) {
      if (!is.null(units) && declared$unit_column != person_column)
        refuse("units say otherwise than the declaration, in which column ",
               sQuote(declared$unit_column, FALSE), " names the person; leave them out",
               status = "E_DECLARED")
      person <- declared$unit_column
    }
    if (declared$max_rows > 0) {
      if (!is.null(max_rows_per_person) && max_rows_per_person != declared$max_rows)
        refuse("max_rows_per_person says otherwise than the declaration, which has ",
               declared$max_rows, "; leave it out", status = "E_DECLARED")
      max_rows_per_person <- declared$max_rows
    }
  }
  if (!is.null(person) && is.null(max_rows_per_person) && !counts)
    refuse("unit_column and units need max_rows_per_person: how many rows of each person count")
  if (is.null(person) && !is.null(max_rows_per_person))
    refuse("max_rows_per_person needs unit_column, the column that names the person, or units, a ",
           "vector that does")
  list(neighbors = relation, max_rows = max_rows_per_person)
}

# Opens, describes and declares; `then` gets the handles. Nothing is read before it, and whatever
# happens, all is closed after it.
with_rows <- function(family, data, a, then) {
  ctx <- new_ctx(a$threads)
  rows <- NULL
  source <- list()
  on.exit(close_all(rows, source$ledger, ctx))
  if (!is.null(a$unit_column) && !(is.character(a$unit_column) && length(a$unit_column) == 1L &&
                                   !is.na(a$unit_column)))
    refuse("unit_column must be the name of one column; a vector that says whose row it is goes ",
           "to units")
  source <- open_source(ctx, a$ledger, a$schema)
  counts <- family == "cocluster"
  who <- protected(a$neighbors, a$max_rows_per_person, a$unit_column, a$units, source$declared,
                   counts)
  if (is.null(a$units) && identical(source$declared$unit_column, person_column) &&
      !(person_column %in% colnames(data)))
    refuse("the declaration is about persons, who were units beside the rows; give units",
           status = "E_DECLARED")
  budget <- budget_of(a$epsilon, a$delta, who$neighbors, who$max_rows, a$insecure_test_seed,
                      a$bounds_share, if (is.null(a$as_owner)) FALSE else a$as_owner)
  features <- without_null(list(
    columns = columns_text(a$columns),
    unit_column = if (!is.null(a$unit_column)) enc2utf8(a$unit_column),
    categories = said("categories", a$categories, category_text),
    weights = said("weights", a$weights, figure),
    transforms = said("transforms", a$transforms, figure),
    missing = said("missing", a$missing, missing_text)))
  wanted <- if (is.null(source$declaration))
    named_columns(a$columns, a$bounds, a$categories, a$unit_column)
  warn_if_scaled(data)
  rows <- open_rows(ctx, data, features, source$declaration, wanted, units = a$units)
  if (!counts) {
    domain <- domain_of(a$bounds, a$radius, a$center, length(.Call(r_data_names, rows)),
                        !is.null(a$categories), isTRUE(source$declared$has_domain))
    if (!is.null(domain)) checked(.Call(r_data_domain, ctx, rows, domain))
  }
  check_used(rows, data, c(a$unit_column, source$declared$unit_column))
  then(ctx, rows, source$ledger, budget)
}

run_or_plan <- function(family, data, a) {
  opts <- family_options(family, a)
  if (!is.null(a$rows_about)) {
    about <- number("rows_about", a$rows_about)
    return(with_rows(family, data, a, function(ctx, rows, ledger, budget)
      checked(.Call(r_plan, ctx, rows, family, budget, opts, about))))
  }
  with_rows(family, data, a, function(ctx, rows, ledger, budget) {
    model <- checked(.Call(r_run, ctx, rows, ledger, family, budget, opts))
    released(ctx, model)
  })
}

family_options <- function(family, a) {
  maybe <- function(name, least, most) {
    if (!is.null(a[[name]])) whole(name, a[[name]], least, most)
  }
  opts <- list(method = method_number(family, a$method), rounds = maybe("rounds", 1, 1e6))
  if (family == "cocluster") {
    opts$row_clusters <- whole_or_auto("row_clusters", a$row_clusters, 1, 1000)
    opts$column_clusters <- whole_or_auto("column_clusters", a$column_clusters, 1, 1000)
    opts$row_labels <- number("row_labels", a$row_labels)
    opts$least_z <- if (!is.null(a$least_z)) number("least_z", a$least_z)
    return(without_null(opts))
  }
  opts$k <- if (is.null(a$k)) refuse("k is missing: how many clusters, a whole number or \"auto\"")
            else whole_or_auto("k", a$k, 1, 1e6)
  opts$scale <- word("scale", a$scale, c("range", "none"))
  opts$k_max <- maybe("k_max", 1, 1000)
  if (!is.null(a$k_max) && !identical(a$k, "auto"))
    refuse("k_max says how far k = \"auto\" may go; say \"auto\" or leave k_max out")
  if (family == "subspace") {
    opts$q <- whole_or_auto("q", a$q, 1, 1e6)
    opts$q_max <- maybe("q_max", 1, 1e6)
    opts$affine <- flag("affine", a$affine)
    if (!is.null(a$q_max) && !identical(a$q, "auto"))
      refuse("q_max says how far q = \"auto\" may go; say \"auto\" or leave q_max out")
  } else {
    opts$synopsis <- flag("synopsis", a$synopsis)
  }
  without_null(opts)
}

tacit_kmeans <- function(data, k = NULL, epsilon = NULL, delta = 0, bounds = NULL, radius = NULL,
                         center = NULL, columns = NULL, categories = NULL, weights = NULL,
                         transforms = NULL, missing = NULL, unit_column = NULL, units = NULL,
                         max_rows_per_person = NULL, neighbors = "add-remove", ledger = NULL,
                         schema = NULL, as_owner = FALSE, method = "auto", rounds = NULL,
                         k_max = NULL, scale = "range", synopsis = TRUE, bounds_share = NULL,
                         threads = 0, insecure_test_seed = NULL) {
  run_or_plan("kmeans", data, arguments(environment()))
}

tacit_kmedian <- function(data, k = NULL, epsilon = NULL, delta = 0, bounds = NULL, radius = NULL,
                          center = NULL, columns = NULL, categories = NULL, weights = NULL,
                          transforms = NULL, missing = NULL, unit_column = NULL, units = NULL,
                          max_rows_per_person = NULL, neighbors = "add-remove", ledger = NULL,
                          schema = NULL, as_owner = FALSE, method = "auto", rounds = NULL,
                          k_max = NULL, scale = "range", synopsis = TRUE, bounds_share = NULL,
                          threads = 0, insecure_test_seed = NULL) {
  run_or_plan("kmedian", data, arguments(environment()))
}

tacit_subspace <- function(data, k = NULL, epsilon = NULL, delta = 0, bounds = NULL, radius = NULL,
                           center = NULL, q = "auto", affine = FALSE, columns = NULL,
                           missing = NULL, unit_column = NULL, units = NULL,
                           max_rows_per_person = NULL, neighbors = "add-remove", ledger = NULL,
                           schema = NULL, as_owner = FALSE, method = "auto", rounds = NULL,
                           k_max = NULL, q_max = NULL, scale = "range", bounds_share = NULL,
                           threads = 0, insecure_test_seed = NULL) {
  run_or_plan("subspace", data, arguments(environment()))
}

tacit_cocluster <- function(data, row_clusters = "auto", column_clusters = "auto", epsilon = NULL,
                            delta = 0, columns = NULL, unit_column = NULL, units = NULL,
                            max_rows_per_person = NULL, neighbors = "add-remove", ledger = NULL,
                            schema = NULL, as_owner = FALSE, method = "auto", rounds = NULL,
                            row_labels = 0, least_z = NULL, threads = 0,
                            insecure_test_seed = NULL) {
  run_or_plan("cocluster", data, arguments(environment()))
}

# What a run was asked, by name; the rows are not among it.
arguments <- function(frame) {
  given <- as.list(frame)
  given$data <- NULL
  given
}
