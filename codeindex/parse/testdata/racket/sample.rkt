#lang racket
(require racket/list
         "rates.rkt")

(provide total)

(define rate 0.19)

#| (define (commented) 1) |#

;; An order of some lines.
(struct order (lines name) #:transparent)

;; Adds the tax.
(define (with-tax amount #:rate [r rate])
  (* amount (+ 1 r)))

(define/contract (total o)
  (-> order? number?)
  (for/sum ([line (order-lines o)])
    (with-tax line)))

(define ((adder n) x)
  (+ n x))

(define shop%
  (class object%
    (super-new)
    (define/public (size) 0)))

(define text "(define (quoted) 2)")

(define-syntax-rule (twice body)
  (begin body body))

(module+ test
  (require rackunit)
  (test-case "totals have tax"
    (check-equal? (with-tax 1) 1.19)))

(define open #\()
(define (last-one) open)
