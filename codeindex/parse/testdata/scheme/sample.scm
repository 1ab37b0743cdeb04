(define-library (shop order)
  (export total)
  (import (scheme base)))

(define rate 0.19)

; (define (commented) 1)

(define-record-type order
  (make-order lines)
  order?
  (lines order-lines))

;; Adds the tax.
(define (with-tax amount)
  (* amount (+ 1 rate)))

(define (total o)
  (define (add sum line)
    (+ sum (with-tax line)))
  (let loop ((sum 0) (rest (order-lines o)))
    (if (null? rest)
        sum
        (loop (add sum (car rest)) (cdr rest)))))

(define twice
  (lambda (f)
    (lambda (x) (f (f x)))))

#|
(define (also-commented) 2)
|#

(define text "
(define (quoted) 3)")

(define (open? c)
  (char=? c #\())

(define-syntax unless2
  (syntax-rules ()
    ((_ c body ...) (if c #f (begin body ...)))))
