(defpackage #:shop
  (:use #:cl)
  (:export #:total))

(in-package #:shop)

(defconstant +rate+ 0.19)

(defvar *orders* (make-hash-table)
  "All orders. (defun quoted () 1)")

#| (defun commented ()
     #| nested |# 1) |#

(defclass order ()
  ((lines :initarg :lines :accessor order-lines)))

(defstruct (line (:constructor make-line)) amount)

(define-condition too-little (error) ())

(deftype money () 'number)

(defgeneric price (thing)
  (:documentation "What a thing costs."))

;;; Adds up.
(defmethod price ((o order))
  (reduce #'+ (mapcar #'with-tax (order-lines o))))

(defun with-tax (amount &optional (rate +rate+))
  "Adds the tax."
  (flet ((plus (a b)
           (+ a b)))
    (plus amount (* amount rate))))

(defun opening-p (c)
  (char= c #\())

(defmacro twice (&body body)
  `(progn ,@body ,@body))

(defun (setf price) (new o)
  (setf (gethash o *orders*) new))
