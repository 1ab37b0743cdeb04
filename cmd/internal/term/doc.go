// Package term writes to a terminal, or to what stands in its place, and asks the person at
// it: tables, colours, pages, progress, times and numbers in words. It knows no store.
package term
