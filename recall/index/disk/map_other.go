//go:build !unix

package disk

import "os"

const flags = 0

// take keeps the file open and reads from it: a file that is mapped could not be
// replaced or removed here.
func (f *File) take(file *os.File) error {
	f.file = file
	return nil
}

// Close gives back what Open took.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
