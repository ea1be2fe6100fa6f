# SPDX-License-Identifier: Apache-2.0
# Known answers: what was put into made-up rows comes out, of every family and kind of rows.
library(tacit)

near <- function(a, b, by) stopifnot(is.finite(a), abs(a - b) <= by)

set.seed(7)
n <- 4000
group <- rep(1:2, each = n / 2)
df <- data.frame(
  id = paste0("p", seq_len(n)),
  age = c(30, 70)[group] + rnorm(n, 0, 3),
  visits = as.integer(c(2, 9)[group] + rbinom(n, 2, 0.5)),
  sex = factor(ifelse(runif(n) < c(0.1, 0.9)[group], "F", "M"), levels = c("F", "M")),
  member = group == 1,
  joined = as.Date("2020-01-01") + c(100, 900)[group],
  seen = as.POSIXct("2020-01-01 12:00:00", tz = "UTC") + 86400 * c(100, 900)[group])

# ---- k-means of a frame of all kinds; ids stay out
m <- tacit_kmeans(df, 2, epsilon = 8, delta = 1e-6,
                  bounds = list(age = c(0, 110), visits = c(0, 20),
                                joined = as.Date(c("2019-01-01", "2024-01-01")),
                                seen = c("2019-01-01", "2024-01-01")),
                  categories = list(sex = c("F", "M"), member = "boolean"))
young <- which.min(m$centers[, "age"])
old <- 3L - young
near(m$centers[young, "age"], 30, 1)
near(m$centers[old, "age"], 70, 1)
near(m$centers[young, "visits"], 3, 0.3)
near(m$centers[old, "sex=F"], 0.9, 0.05)
near(m$centers[young, "member=true"], 1, 0.05)
near(m$centers[young, "joined"], as.numeric(as.Date("2020-04-10")),
     10 * m$centers_error[young, "joined"])
near(m$centers[old, "seen"], as.numeric(as.Date("2022-06-19")),
     10 * m$centers_error[old, "seen"])
near(sum(m$sizes), n, 10 * 2 * m$sizes_error)
stopifnot(inherits(m, "tacit_model"), m$is_private, m$card$epsilon == 8, m$card$delta == 1e-6,
          identical(m$features$kind[m$features$name == "joined"], "date"),
          !("id" %in% m$columns), nrow(m$queries) > 0)
labels <- predict(m, df)
stopifnot(length(labels) == n, mean(labels == c(young, old)[group]) > 0.99)
nobody <- df[1:3, ]
nobody[2, setdiff(names(nobody), "id")] <- NA
stopifnot(identical(is.na(predict(m, nobody)), c(FALSE, TRUE, FALSE)))
distances <- predict(m, df[rev(seq_len(n)), ], type = "distance")
stopifnot(dim(distances) == c(n, 2), mean(max.col(-distances) == rev(labels)) == 1)

# ---- the same rows as a matrix, with and without names, by all forms of bounds
x <- as.matrix(df[c("age", "visits")])
seed <- function(rows, ...) tacit_kmeans(rows, 2, 1, 1e-6, ..., insecure_test_seed = 3)$json
first <- seed(x, bounds = list(age = c(0, 110), visits = c(0, 20)))
stopifnot(identical(first, seed(df, bounds = list(age = c(0, 110), visits = c(0, 20)))),
          identical(first, seed(x, bounds = "age=0:110,visits=0:20")),
          identical(first, seed(x, bounds = c(age = "0:110", visits = "0:20"))),
          identical(first, seed(x, bounds = rbind(c(0, 0), c(110, 20)))),
          identical(first, seed(x, bounds = rbind(c(age = 0, visits = 0), c(110, 20)))),
          identical(first, seed(x, bounds = list(c(0, 0), c(110, 20)))),
          identical(first, seed(df, columns = c("age", "visits"),
                                bounds = list(c(0, 0), c(110, 20)))),
          identical(first, seed(x[rev(seq_len(n)), ], bounds = "age=0:110,visits=0:20")),
          identical(first, seed(df, bounds = list(age = c(0, 110), visits = c(0, 20)),
                                threads = 1)))
stopifnot(!identical(first, seed(df, bounds = list(age = c(0, 111), visits = c(0, 20)))))
# ... as tapply(...)[...] and table(...)[...] give columns: one dimension, which says nothing
kept <- df[c("age", "visits")]
kept$age <- array(df$age)
stopifnot(identical(first, seed(kept, bounds = list(age = c(0, 110), visits = c(0, 20)))),
          identical(first, seed(kept, bounds = list(c(0, 0), c(110, 20)))))
bare <- tacit_kmeans(unname(x), 2, 8, 1e-6, bounds = list(c(0, 0), c(110, 20)))
stopifnot(identical(bare$columns, c("c1", "c2")), length(predict(bare, unname(x))) == n)

# ---- what addNA() makes a level of is missing, and no category or person called NA
holes <- data.frame(age = seq_len(60), sex = factor(rep(c("F", NA, "M"), 20)))
level <- transform(holes, sex = addNA(sex))
ask <- list(age = c(0, 110))
for (more in list(list(categories = list(sex = c("F", "M", "NA"))),
                  list(unit_column = "sex", max_rows_per_person = 50)))
  stopifnot(identical(do.call(seed, c(list(holes, bounds = ask), more)),
                      do.call(seed, c(list(level, bounds = ask), more))))

# ---- an integer column of 64 bits, as package bit64 has it: bits in doubles
eight <- function(values) structure(readBin(as.raw(unlist(lapply(values, function(v)
  if (is.na(v)) c(rep(0, 7), 128) else c(v %% 256, v %/% 256, rep(0, 6))))), "double", length(values)),
  class = "integer64")
small <- data.frame(a = c(5, 300, NA, 12, 40), b = c(1, 2, 3, 4, NA))
big <- small
big$a <- eight(small$a)
ask <- list(a = c(0, 400), b = c(0, 10))
stopifnot(identical(seed(small, bounds = ask), seed(big, bounds = ask)))

# ---- holes: the rule is applied, and rows that are dropped are those
holes <- df
holes$age[seq(1, n, 10)] <- NA
holes$visits[seq(2, n, 10)] <- NA
ask <- list(age = c(0, 110), visits = c(0, 20))
whole_rows <- holes[!is.na(holes$age) & !is.na(holes$visits), ]
stopifnot(identical(seed(holes, bounds = ask), seed(whole_rows, bounds = ask)),
          identical(seed(holes, bounds = ask, missing = list(age = list("fill", 40))),
                    seed(within(holes, age[is.na(age)] <- 40), bounds = ask,
                         missing = list(age = list("fill", 40)))))
holes_own <- tacit_kmeans(within(df, sex[1:1000] <- NA), 2, 4, 1e-6, bounds = ask,
                    categories = list(sex = c("F", "M")), missing = list(sex = "own-category"))
stopifnot("sex=(missing)" %in% holes_own$columns)

# ---- texts are as factors, whatever the order of the levels
one <- list(df = df["age"], a = df, b = df, c = df)
one$a$sex <- factor(df$sex, levels = c("M", "F", "other"))
one$b$sex <- as.character(df$sex)
asked <- lapply(one[c("a", "b", "c")], seed, bounds = list(age = c(0, 110)),
                categories = list(sex = c("F", "M")))
stopifnot(identical(asked$a, asked$c), identical(asked$b, asked$c))

# ---- persons
persons <- tacit_kmeans(transform(df, who = seq_len(n) %/% 2), 2, 4, 1e-6, bounds = ask,
                        unit_column = "who", max_rows_per_person = 2)
stopifnot(grepl("who", persons$card$unit), persons$card$max_rows_per_person == 2)

# ---- k-median, another k, synthetic rows
md <- tacit_kmedian(df, "auto", 8, 1e-6, bounds = ask)
stopifnot(md$family == "kmedian", md$k >= 1)
cut <- tacit_recut(m, 4)
stopifnot(cut$k == 4, identical(cut$card$spent, m$card$spent), identical(cut$cut_from, 2L))
made <- tacit_synthesize(m, 500, seed = 2)
stopifnot(nrow(made) == 500, is.factor(made$sex), inherits(made$joined, "Date"), made$synthetic,
          identical(made, tacit_synthesize(m, 500, seed = 2)))

# ---- two releases: which cluster is which, and what changed
more <- rbind(df, df[group == 2, ])
x <- tacit_compare(m, tacit_recut(m, 2))
stopifnot(identical(x$pairs$first, x$pairs$second), nrow(x$changes) == 0,
          any(grepl("none of", capture.output(print(x)))))
ages <- function(rows, k) tacit_kmeans(rows, k, 8, 1e-6, bounds = list(age = c(0, 110)))
before <- ages(df, 2)
after <- ages(more, 3)
x <- tacit_compare(before, after)
own <- x$pairs[!is.na(x$pairs$first), ]
stopifnot(nrow(x$pairs) == 3, nrow(own) == 2,
          abs(before$centers[own$first, ] - after$centers[own$second, ]) < 10,
          identical(own$first_size, unname(before$sizes[own$first])),
          identical(own$second_size, unname(after$sizes[own$second])))
x <- tacit_compare(before, ages(more, 2)) # as many of the young, twice as many of the old
old <- which.max(before$centers)
stopifnot(nrow(x$changes) >= 1, any(x$pairs$first[x$changes$pair] == old & is.na(x$changes$column)),
          all(abs(x$changes$z) > x$threshold), any(grepl("size", capture.output(print(x)))))

# ---- subspaces
rows <- matrix(0, n, 4)
rows[group == 1, 1:2] <- runif(n, -0.7, 0.7)
rows[group == 2, 3:4] <- runif(n, -0.7, 0.7)
s <- tacit_subspace(rows, 2, epsilon = 8, delta = 1e-6, radius = 1, q = 2)
stopifnot(dim(s$subspaces) == c(4, 2, 2))
flat <- which.min(colSums(s$subspaces[3:4, 1, ]^2))
near(sum(s$subspaces[1:2, , flat]^2), 2, 0.01)
stopifnot(mean((predict(s, rows) == flat) == (group == 1)) > 0.99)

# ---- blocks of counts, dense and sparse
counts <- kronecker(diag(2L), matrix(5L, n / 2, 10))
# one run in a hundred finds one block: a seed that finds two
cc <- tacit_cocluster(counts, 2, 2, epsilon = 8, delta = 1e-6, insecure_test_seed = 5)
stopifnot(dim(cc$table)[1] == 2, length(unique(cc$column_clusters[1:10])) == 1,
          cc$column_clusters[1] != cc$column_clusters[20], cc$tau["rows"] > 0.9,
          length(unique(predict(cc, counts)[group == 1])) == 1)
if (requireNamespace("Matrix", quietly = TRUE)) {
  sparse <- Matrix::Matrix(counts + 0, sparse = TRUE)
  blocks <- function(rows) tacit_cocluster(rows, 2, 2, epsilon = 8, delta = 1e-6,
                                           insecure_test_seed = 5)$json
  stopifnot(inherits(sparse, "dgCMatrix"), identical(blocks(sparse), blocks(counts)),
            identical(predict(cc, sparse), predict(cc, counts)))
}

# ---- the owner's measures, and a plan
told <- tacit_evaluate(m, df, restarts = 2)
stopifnot(told$cost <= 1.1 * told$plain_cost, told$one_mean_cost > told$cost)
plan <- tacit_plan("kmeans", c("age", "visits"), rows_about = 4000, k = 2, epsilon = 1,
                   delta = 1e-6, bounds = c(0, 110))
stopifnot(plan$verdict == "usable", nrow(plan$forecasts) == 3, sum(plan$queries$share) > 0.9)

# ---- pictures of every family
png <- tempfile(fileext = ".pdf")
grDevices::pdf(png)
for (one in list(m, md, cut, s, cc, holes_own)) plot(one)
plot(m, columns = c("age", "visits"))
grDevices::dev.off()
stopifnot(file.size(png) > 5000)
