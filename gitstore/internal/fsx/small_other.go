//go:build !unix

package fsx

import "os"

func readSmall(name string, most int) ([]byte, error) {
	b, err := os.ReadFile(name)
	return b[:min(len(b), most)], err
}
