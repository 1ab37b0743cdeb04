//go:build !unix && !windows

package fsx

import (
	"errors"
	"io/fs"
)

// A Claim is a file that only one process has at a time. There is none here.
type Claim struct{}

// ErrTaken says that a file is claimed.
var ErrTaken = errors.New("held by another process")

// Take has nothing to claim with here.
func Take(name string) (*Claim, []byte, error) {
	return nil, nil, &fs.PathError{Op: "claim", Path: name, Err: errors.ErrUnsupported}
}

// Finish removes the file.
func (c *Claim) Finish() error { return nil }

// Release leaves the file for the next one.
func (c *Claim) Release() {}
