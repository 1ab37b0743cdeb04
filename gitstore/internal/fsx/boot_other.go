//go:build !linux

package fsx

// Boot names this run of the kernel, or is "" where that is not known.
func Boot() string { return "" }
