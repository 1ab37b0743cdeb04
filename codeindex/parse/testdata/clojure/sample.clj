(ns shop.order
  "Orders and what they cost."
  (:require [clojure.string :as str]
            [shop.rates :refer [rate-of]]))

(def rate 0.19)

; (defn commented [] 1)

(defprotocol Priced
  "What has a price."
  (price [this]))

(defrecord Order [lines name]
  Priced
  (price [this]
    (reduce + (map with-tax lines))))

;; Adds the tax.
(defn with-tax
  "Adds the tax. (defn quoted [] 2)"
  [amount]
  (* amount (+ 1 rate)))

(defn- first-char? [s]
  (= \( (first s)))

(defmacro twice [& body]
  `(do ~@body ~@body))

(defmulti describe :kind)

(defmethod describe :order [o]
  (str/upper-case (:name o)))

(defonce ^:private cache (atom {}))

(deftest totals
  (testing "tax"
    (is (= 1.19 (with-tax 1)))))
