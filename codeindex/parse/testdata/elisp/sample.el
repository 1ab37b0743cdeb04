;;; sample.el --- Orders  -*- lexical-binding: t; -*-

(require 'cl-lib)

(defgroup shop nil
  "Orders and what they cost."
  :group 'applications)

(defcustom shop-rate 0.19
  "The rate of tax.
(defun shop-quoted () 1)"
  :type 'number)

(defvar shop--cache nil)

;; (defun shop-commented () 1)

;; Adds the tax.
(defun shop-with-tax (amount)
  "Add the tax to AMOUNT."
  (interactive "n")
  (* amount (+ 1 shop-rate)))

(cl-defstruct (shop-order (:constructor shop-make-order))
  lines name)

(cl-defmethod shop-price ((order shop-order))
  (cl-reduce #'+ (mapcar #'shop-with-tax (shop-order-lines order))))

(defun shop-open-p (c)
  (or (eq c ?\() (eq c ?\")))

(defmacro shop-twice (&rest body)
  (declare (indent 0))
  `(progn ,@body ,@body))

(define-minor-mode shop-mode
  "Show what orders cost."
  :lighter " $")

(ert-deftest shop-tax ()
  (should (= (shop-with-tax 100) 119)))

(provide 'sample)
