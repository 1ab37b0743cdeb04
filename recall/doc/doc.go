// Package doc says what a document of the sidecar is: its kind, its key, what stands for what,
// and which statements of a checkpoint are found each by itself.
package doc
