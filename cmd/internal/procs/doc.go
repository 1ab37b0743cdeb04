// Package procs holds what is tried with many processes at once: git-sage as a
// user builds it, beside others of its kind, beside older and newer ones, stopped,
// short of descriptors, of two users. It has tests alone. The heavy forms have the
// build tag torture, and 'make torture' runs them.
package procs
