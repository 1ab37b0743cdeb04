package export

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// An export replaces only what an export wrote and nobody changed since, and tells that by
// sums: of a folder in a list within it, of a page in its last line, of a part of a file in
// the mark before it. All other files stay as they are.

// sumOf is the SHA-256 of a text, which git may have given the line ends of Windows since.
func sumOf(data []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	return hex.EncodeToString(sum[:])
}

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
func pageEnd(page []byte) string { return "<!-- git-sage export, sha256:" + sumOf(page) + " -->\n" }

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

// Marks around the part of a file of instructions that an export wrote.
var (
	partBegin = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^<!-- git-sage export, sha256:([0-9a-f]{64}); [^\n]*-->\r?\n`)
	})
	partEnd = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^<!-- end of git-sage export -->\r?$`)
	})
)

// part is a text between its marks.
func part(text []byte) string {
	return "<!-- git-sage export, sha256:" + sumOf(text) + "; change it in git-sage, not here -->\n" + string(text) + "<!-- end of git-sage export -->"
}

// writePart writes the part of a file of instructions that is an export's. All around it is
// the user's, and stays. A file that is there needs update.
func writePart(file, shown string, text []byte, update bool) error {
	old, there, err := readPlain(file, shown)
	switch {
	case err != nil:
		return err
	case !there:
		return writeNew(file, shown, []byte(part(text)+"\n"), false)
	case !update:
		return fmt.Errorf("'%s' is there already: --update writes a part of it and leaves the rest alone", shown)
	}
	from, to, err := findPart(old)
	if err != nil {
		return fmt.Errorf("'%s': %w", shown, err)
	}
	before, after := string(old[:from]), string(old[to:])
	if from == to && before != "" {
		before = strings.TrimSuffix(before, "\n") + "\n\n"
	}
	return replaceFile(file, []byte(before+part(text)+cmp.Or(after, "\n")))
}

// findPart is where the part lies that an export wrote: at the end, with no length, if there
// is none. One that was changed since is an error.
func findPart(text []byte) (from, to int, err error) {
	begins := partBegin().FindAllSubmatchIndex(text, -1)
	if len(begins) == 0 {
		return len(text), len(text), nil
	}
	b := begins[0]
	for _, e := range partEnd().FindAllIndex(text[b[1]:], -1) { // an item may say what the mark says
		if sumOf(text[b[1]:b[1]+e[0]]) == string(text[b[2]:b[3]]) {
			return b[0], b[1] + e[1], nil
		}
	}
	return 0, 0, errors.New("the exported part was changed since: move the change out of it, or delete the part with its marks")
}
