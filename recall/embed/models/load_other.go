//go:build !unix

package models

import "os"

// load reads a file.
func load(path string) (string, error) {
	data, err := os.ReadFile(path)
	return string(data), err
}
