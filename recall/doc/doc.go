// Package doc names the documents of the sidecar: their kinds, their keys, and what stands
// for what.
package doc
