//go:build !linux && !darwin && !windows

package fsx

import (
	"errors"
	"os"
)

func identity(path string) (Identity, error) {
	st, err := os.Stat(path)
	if err != nil {
		return Identity{}, err
	}
	dev, _ := Mine(path)
	if ino := Inode(st); ino != 0 {
		return Identity{Device: dev, Inode: ino}, nil
	}
	return Identity{}, &os.PathError{Op: "stat", Path: path, Err: errors.ErrUnsupported}
}
