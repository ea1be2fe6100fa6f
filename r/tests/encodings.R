# SPDX-License-Identifier: Apache-2.0
# Names and texts of any encoding mean what they say, and no text of a row decides about a refusal.
library(tacit)

latin1 <- function(text) iconv(text, "UTF-8", "latin1")
size <- "Gr\u00f6\u00dfe"
words <- c("m\u00e4nnlich", "weiblich")
df <- data.frame(size = rep(c(1, 9), 1000), kind = rep(words, 1000), who = rep(1:500, 4))
names(df)[1] <- size
old <- df
names(old)[1] <- latin1(size)
old$kind <- latin1(df$kind)
ask <- function(data, size, words, ...)
  tacit_kmeans(data, 2, 1, 1e-6, bounds = stats::setNames(list(c(0, 10)), size),
               categories = list(kind = words), ..., insecure_test_seed = 2)$json
first <- ask(df, size, words)
levels <- old
levels$kind <- factor(old$kind)
stopifnot(identical(Encoding(names(old)[1]), "latin1"),
          identical(first, ask(old, latin1(size), latin1(words))),
          identical(first, ask(levels, size, words)))
named <- stats::setNames(df, c("size", "kind", size))
stopifnot(identical(ask(named, "size", words, unit_column = size, max_rows_per_person = 2),
                    ask(named, "size", words, unit_column = latin1(size),
                        max_rows_per_person = 2)))

# ---- a text of no encoding, and a class that does not like a value: missing values, no refusal
bytes <- df
bytes$kind[7] <- "\xff\xfe"
broken <- ask(bytes, size, words)
Encoding(bytes$kind) <- "bytes"
lacking <- df
lacking$kind[7] <- NA
other <- bytes
other$kind <- df$kind
other$kind[7] <- bytes$kind[7]
stopifnot(identical(broken, ask(lacking, size, words)),
          identical(broken, ask(other, size, words)))
odd <- df
class(odd$kind) <- "odd"
registerS3method("unique", "odd", function(x, ...) stop("a value: ", x[1]))
registerS3method("is.na", "odd", function(x) stop("a value: ", x[1]))
registerS3method("[", "odd", function(x, ...) stop("a value: ", unclass(x)[1]))
stopifnot(identical(first, ask(odd, size, words)))

# ---- columns that R has not written out yet, and levels that are none
lazy <- data.frame(n = 1:4000, m = rep(c(1, 2), 2000))
lazy$f <- factor(lazy$m) # its levels are numbers not yet written as texts
lazy$none <- factor(rep(NA, 4000))
rows <- tacit_kmeans(lazy, 2, 1, 1e-6, bounds = list(n = c(0, 4001)), insecure_test_seed = 1,
                     categories = list(f = 1:2))
stopifnot(identical(rows$columns, c("n", "f=1", "f=2")))
nobody <- tacit_kmeans(lazy, 2, 1, 1e-6, bounds = list(n = c(0, 4001)), 
                       categories = list(none = c("x", "y")))
stopifnot(max(nobody$sizes) < 1000)

# ---- the name of a file is the one that R would give it, in any locale
m <- tacit_kmeans(lazy, 2, 1, 1e-6, bounds = list(n = c(0, 4001)))
folder <- tempfile()
dir.create(folder)
locale <- Sys.getlocale("LC_CTYPE")
invisible(Sys.setlocale("LC_CTYPE", "C"))
path <- file.path(folder, "\xc3\xa4.json")
tacit_write(m, path)
stopifnot(file.exists(path), identical(tacit_read(path), m))
tacit_report(m, file.path(folder, "\xc3\xa4.html"))
shown <- utils::capture.output(print(m))
invisible(Sys.setlocale("LC_CTYPE", locale))
stopifnot(length(list.files(folder)) == 2, !any(grepl("<c3>", list.files(folder))))
