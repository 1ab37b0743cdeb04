//go:build !darwin

package fsx

import "os"

func syncFile(f *os.File) error { return f.Sync() }
