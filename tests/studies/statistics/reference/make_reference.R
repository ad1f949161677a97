# Makes r.txt: what R says of the samples in samples.txt.
#
#     Rscript make_reference.R       (Debian 12: r-base-core, 4.2.2)
lines <- strsplit(readLines("samples.txt"), "\t")
samples <- lapply(lines, function(l) as.numeric(strsplit(l[2], " ")[[1]]))
names(samples) <- vapply(lines, function(l) l[1], "")

out <- paste("#", R.version.string)
add <- function(name, ...) {
  out <<- c(out, paste0(name, "\t", paste(sprintf("%.17g", c(...)), collapse = " ")))
}

for (name in c("d5", "d12", "d24", "d47", "skewed30", "n3", "n11", "n50", "n200", "likert240")) {
  test <- shapiro.test(samples[[name]])
  add(paste0("shapiro.", name), test$statistic, test$p.value)
}
for (name in c("d12", "d24", "d47")) {
  test <- suppressWarnings(wilcox.test(samples[[name]], conf.int = TRUE, exact = TRUE))
  add(paste0("signedrank.", name), test$statistic, test$p.value, test$estimate, test$conf.int)
}
for (name in c("d5", "d12", "d24"))
  add(paste0("t90.", name), t.test(samples[[name]], conf.level = 0.90)$conf.int)
add("holm", p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.2, 0.03), "holm"))
groups <- list(samples$g1, samples$g2, samples$g3)
frame <- data.frame(y = unlist(groups), g = factor(rep(1:3, lengths(groups))))
table <- summary(aov(y ~ g, frame))[[1]]
squares <- table[["Sum Sq"]]
noise <- table[["Mean Sq"]][2]
add("anova", table[["F value"]][1], table[["Pr(>F)"]][1], squares[1] / sum(squares),
    (squares[1] - 2 * noise) / (sum(squares) + noise))
for (pair in list(c("g1", "g2"), c("g2", "g3"))) {
  for (equal in c(TRUE, FALSE)) {
    test <- t.test(samples[[pair[2]]], samples[[pair[1]]], var.equal = equal)
    add(paste("t2", if (equal) "pooled" else "welch", pair[1], pair[2], sep = "."),
        test$parameter, test$conf.int)
  }
}
writeLines(out, "r.txt")
