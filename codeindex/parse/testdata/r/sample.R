library(stats)
source("rates.R")

RATE <- 0.19

# Adds the tax.
with_tax <- function(amount, rate = RATE) {
  # commented <- function() {}
  amount * (1 + rate)
}

#' Adds up what the lines cost.
#'
#' @param lines numbers
total.order <- function(x,
                        ...) {
  add <- function(sum, line) {
    sum + with_tax(line)
  }
  text <- "quoted <- function() {
}"
  Reduce(add, x$lines, 0)
}

double = function(x) 2 * x

square <- \(x) x^2

Order <- R6Class("Order",
  public = list(
    lines = NULL,
    initialize = function(lines) {
      self$lines <- lines
    },
    total = function() {
      sum(self$lines)
    }
  )
)

setClass("Shop", representation(name = "character"))

setMethod("show", "Shop", function(object) {
  cat(object@name)
})

test_that("totals have tax", {
  expect_equal(with_tax(1), 1.19)
})
