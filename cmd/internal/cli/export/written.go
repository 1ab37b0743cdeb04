package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/imports/markdown"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// An export replaces only what an export wrote and nobody changed since, and tells that by
// sums: of a folder in a list within it, of a page in its last line, of a part of a file in
// the mark before it. All other files stay as they are.

// readPlain reads what has the name of a file to be written: nothing, a regular file, or what
// is left alone because it is none.
func readPlain(file, shown string) (data []byte, there bool, err error) {
	data, err = plainfile.Read(file, maxExported)
	switch {
	case errors.Is(err, plainfile.ErrOther):
		return nil, true, fmt.Errorf("'%s' is no plain file: it is left alone", shown)
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	}
	return data, err == nil, err
}

// maxExported is how large a file may be that an export replaces, in bytes: a page of 100,000
// checkpoints has some 100 MB.
const maxExported = 1 << 30

func replaceFile(file string, data []byte) error {
	r := plainfile.Replacement{Temp: ".export-*", Mode: 0o644}
	if st, err := os.Lstat(file); err == nil {
		r.Mode = st.Mode().Perm()
	}
	return plainfile.Replace(file, data, r)
}

// writeNew writes a file that is not there yet, or may be replaced, and the folders above it.
func writeNew(file, shown string, data []byte, force bool) error {
	old, there, err := readPlain(file, shown)
	switch {
	case err != nil:
		return err
	case there && bytes.Equal(old, data):
		return nil
	case there && !force:
		return exit.WithHint(fmt.Errorf("'%s' is there already: it is left alone", shown), "--force replaces it")
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return replaceFile(file, data)
}

// pageEnd is the last line of a page, with the sum of what is before it.
func pageEnd(page []byte) string {
	return "<!-- git-sage export, sha256:" + markdown.SumOf(page) + " -->\n"
}

// writePage writes a page that ends with its sum, over no other than one that nobody changed.
func writePage(file, shown string, page []byte, force bool) error {
	old, there, err := readPlain(file, shown)
	if err != nil {
		return err
	}
	if there && !force {
		at := bytes.LastIndexByte(bytes.TrimRight(old, "\r\n"), '\n') + 1
		if strings.TrimRight(string(old[at:]), "\r\n")+"\n" != pageEnd(old[:at]) {
			return exit.WithHint(fmt.Errorf("'%s' is not from an export, or was changed since: it is left alone", shown), "--force replaces it")
		}
	}
	return replaceFile(file, page)
}

// writePart writes the part of a file of instructions that is an export's. All around it is
// the user's, and stays. A file that is there needs update.
func writePart(file, shown string, text []byte, update bool) error {
	old, there, err := readPlain(file, shown)
	switch {
	case err != nil:
		return err
	case !there:
		return writeNew(file, shown, append(markdown.Part(text), '\n'), false)
	case !update:
		return fmt.Errorf("'%s' is there already: --update writes a part of it and leaves the rest alone", shown)
	}
	from, to, err := markdown.FindPart(old)
	if err != nil {
		return fmt.Errorf("'%s': %w", shown, err)
	}
	before, after := string(old[:from]), string(old[to:])
	if from == to && before != "" {
		before = strings.TrimSuffix(before, "\n") + "\n\n"
	}
	return replaceFile(file, []byte(before+string(markdown.Part(text))+cmp.Or(after, "\n")))
}
