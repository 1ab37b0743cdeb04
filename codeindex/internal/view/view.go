package view

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/codeindex/internal/chunk"
	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A Git runs git's commands.
type Git interface {
	// Records calls fn with what a command prints, up to each NUL byte, until it returns false.
	Records(ctx context.Context, fn func([]byte) bool, args ...string) error
}

// A File is one of a view.
type File struct {
	Path      string // from the top of the repository, with slashes
	OID       string // of its blob, in hexadecimal
	ID        segment.ID
	Size      int64 // of what git does not have; 0 is unknown
	Own       bool  // git does not have its blob: it was changed, or is not tracked
	Untracked bool
}

// A View is the files of a work tree or a commit, by path.
type View struct {
	Top    string // the folder of the work tree; "" of a commit
	SHA256 bool
	Files  []File
}

// Options say what belongs to a view.
type Options struct {
	Top     string   // the folder of the work tree
	SHA256  bool     // ids are those of a repository with this hash
	Exclude []string // patterns as in .gitignore, beside those of .sageignore
	Include []string // patterns of what counts although it is vendored or excluded
}

// ignoreFile holds patterns as .gitignore does: what they match is not indexed.
const ignoreFile = ".sageignore"

// WorkTree lists the files that are in the work tree: as git knows them where they are
// unchanged, else by their content. Submodules and links are left out, and what a sparse
// checkout left out.
func WorkTree(ctx context.Context, git Git, o Options) (*View, error) {
	v := &View{Top: o.Top, SHA256: o.SHA256}
	args := []string{"-C", o.Top, "ls-files", "-z", "-t", "-s", "-c", "-m", "-d", "-o", "--exclude-standard"}
	patterns := o.patterns()
	var attributes []string  // files of that name
	own := map[string]bool{} // whether it is untracked
	gone := map[string]bool{}
	var tracked []File
	err := git.Records(ctx, func(raw []byte) bool {
		tag, rest, ok := strings.Cut(string(raw), " ")
		if !ok {
			return true
		}
		if tag == "?" {
			own[rest] = true
			if path.Base(rest) == ".gitattributes" {
				attributes = append(attributes, rest)
			}
			return true
		}
		f, mode, ok := fileOf(rest)
		switch {
		case !ok || mode != "100644" && mode != "100755":
		case tag == "C", tag == "M", tag == "K":
			own[f.Path] = false
		case tag == "R":
			gone[f.Path] = true
		case tag == "H":
			tracked = append(tracked, f)
			if path.Base(f.Path) == ".gitattributes" && !Vendored(f.Path) { // what is vendored anyhow needs none
				attributes = append(attributes, f.Path)
			}
		}
		return true
	}, append(args, patterns...)...)
	if err != nil {
		return nil, err
	}
	wanted, err := matching(ctx, git, o.Top, exclude(o.Include))
	if err != nil {
		return nil, err
	}
	left, err := leftOut(ctx, git, o.Top, patterns, attributes, own, tracked)
	if err != nil {
		return nil, err
	}
	folders := map[string]bool{} // that are vendored, or not
	skip := func(file string) bool {
		dir, base := path.Split(file)
		vendored, ok := folders[dir]
		if !ok {
			vendored = vendoredFolder(dir)
			folders[dir] = vendored
		}
		return (vendored || left[file] || vendoredName(base)) && !wanted[file]
	}
	for _, f := range tracked {
		if _, changed := own[f.Path]; !changed && !gone[f.Path] && !skip(f.Path) {
			v.Files = append(v.Files, f)
		}
	}
	for path, isNew := range own {
		if gone[path] || skip(path) {
			continue
		}
		if f, ok := v.hash(path); ok {
			f.Untracked = isNew
			v.Files = append(v.Files, f)
		}
	}
	slices.SortFunc(v.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	v.Files = slices.CompactFunc(v.Files, func(a, b File) bool { return a.Path == b.Path })
	return v, ctx.Err()
}

// patterns are the arguments by which git leaves out what is not indexed.
func (o *Options) patterns() (args []string) {
	if file := filepath.Join(o.Top, ignoreFile); isFile(file) {
		args = append(args, "-X", file)
	}
	return append(args, exclude(o.Exclude)...)
}

func exclude(patterns []string) (args []string) {
	for _, p := range patterns {
		args = append(args, "-x", p)
	}
	return args
}

func isFile(name string) bool {
	st, err := os.Lstat(name)
	return err == nil && st.Mode().IsRegular()
}

// matching are the tracked files that git would ignore by some patterns.
func matching(ctx context.Context, git Git, top string, patterns []string) (map[string]bool, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	return listed(ctx, git, append([]string{"-C", top, "ls-files", "-z", "-i", "-c"}, patterns...)...)
}

func listed(ctx context.Context, git Git, args ...string) (map[string]bool, error) {
	out := map[string]bool{}
	err := git.Records(ctx, func(raw []byte) bool { out[string(raw)] = true; return true }, args...)
	return out, err
}

// leaving are the attributes that leave a file out, as pathspecs have them.
var leaving = []string{"linguist-generated", "linguist-generated=true", "linguist-vendored", "linguist-vendored=true", "-sage-index", "sage-index=false"}

// leftOut are the files that patterns leave out, or the attributes that some files set. It
// looks at no other folder than theirs: in Go's source tree, where a vendored module sets
// some, all took as long as the list of its files.
func leftOut(ctx context.Context, git Git, top string, patterns, attributes []string, own map[string]bool, tracked []File) (map[string]bool, error) {
	out, err := matching(ctx, git, top, patterns)
	if err != nil || len(attributes) == 0 {
		return out, err
	}
	args := []string{"-C", top, "ls-files", "-z", "-c", "--"}
	for _, file := range attributes {
		folder := strings.TrimSuffix(file, ".gitattributes")
		if len(attributes) > 8 {
			folder = ""
		}
		for _, a := range leaving {
			args = append(args, ":(attr:"+a+")"+folder)
		}
		if folder == "" {
			break
		}
	}
	more, err := listed(ctx, git, args...)
	if err != nil {
		return nil, err
	}
	// git lists by the attributes that are staged, and files that are tracked
	ask := slices.Collect(maps.Keys(own))
	for _, file := range attributes {
		if folder := strings.TrimSuffix(file, ".gitattributes"); own[file] {
			for i := range tracked {
				if strings.HasPrefix(tracked[i].Path, folder) {
					ask = append(ask, tracked[i].Path)
				}
			}
		}
	}
	for some := range slices.Chunk(ask, 100) {
		if err := checkAttributes(ctx, git, top, some, more); err != nil {
			return nil, err
		}
	}
	maps.Copy(more, out)
	return more, nil
}

// checkAttributes sets in left which files attributes leave out, as they are in the work tree.
func checkAttributes(ctx context.Context, git Git, top string, files []string, left map[string]bool) error {
	var said []string // path, attribute, value
	err := git.Records(ctx, func(raw []byte) bool { said = append(said, string(raw)); return true },
		append([]string{"-C", top, "check-attr", "-z", "linguist-generated", "linguist-vendored", "sage-index", "--"}, files...)...)
	for _, f := range files {
		left[f] = false
	}
	for c := range slices.Chunk(said, 3) {
		if len(c) < 3 {
			break
		}
		as := c[1] + "=" + c[2]
		switch c[2] {
		case "set":
			as = c[1]
		case "unset":
			as = "-" + c[1]
		}
		if slices.Contains(leaving, as) {
			left[c[0]] = true
		}
	}
	return err
}

// fileOf reads "<mode> <id> <stage>\t<path>".
func fileOf(s string) (f File, mode string, ok bool) {
	head, path, _ := strings.Cut(s, "\t")
	mode, rest, ok := strings.Cut(head, " ")
	if !ok {
		return f, "", false
	}
	f.OID, _, _ = strings.Cut(rest, " ")
	f.Path = path
	f.ID, ok = IDOf(f.OID)
	return f, mode, ok
}

// IDOf is the half of a blob's id under which it is indexed.
func IDOf(oid string) (id segment.ID, ok bool) {
	if len(oid) < 2*len(id) {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(oid[:2*len(id)]))
	return id, err == nil
}

// hash is a file by its content. Links, folders and what is too large are none.
func (v *View) hash(path string) (File, bool) {
	source, err := v.read(path)
	if err != nil {
		return File{}, false
	}
	oid := v.blob(source)
	id, ok := IDOf(oid)
	return File{Path: path, OID: oid, ID: id, Size: int64(len(source)), Own: true}, ok
}

// errOther says that a path leads to what is not read: no file, or one that is too large.
var errOther = fmt.Errorf("not a file of at most %d bytes", chunk.MaxSize)

func (v *View) read(path string) ([]byte, error) {
	name := filepath.Join(v.Top, filepath.FromSlash(path))
	st, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > chunk.MaxSize {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errOther}
	}
	return os.ReadFile(name)
}

// blob is the id that git gives to a content.
func (v *View) blob(source []byte) string {
	head := append([]byte("blob "), strconv.Itoa(len(source))...)
	head = append(head, 0)
	if v.SHA256 {
		h := sha256.New()
		h.Write(head)
		h.Write(source)
		return hex.EncodeToString(h.Sum(nil))
	}
	h := sha1.New()
	h.Write(head)
	h.Write(source)
	return hex.EncodeToString(h.Sum(nil))
}

// Read returns the content of a file, if it is as it was listed; ok is false where the work
// tree has another, as where a filter changed the blob's at checkout.
func (v *View) Read(f *File) (source []byte, ok bool) {
	if v.Top == "" {
		return nil, false
	}
	source, err := v.read(f.Path)
	return source, err == nil && v.blob(source) == f.OID
}

// Commit lists the files of a commit or tree.
func Commit(ctx context.Context, git Git, rev string, o Options) (*View, error) {
	v := &View{SHA256: o.SHA256}
	err := git.Records(ctx, func(raw []byte) bool {
		head, path, ok := bytes.Cut(raw, []byte("\t"))
		words := bytes.Fields(head) // mode, type, id, size
		if !ok || len(words) < 4 || string(words[1]) != "blob" || string(words[0]) == "120000" {
			return true
		}
		f := File{Path: string(path), OID: string(words[2])}
		f.Size, _ = strconv.ParseInt(string(words[3]), 10, 64)
		if f.ID, ok = IDOf(f.OID); ok && f.Size <= chunk.MaxSize && !Vendored(f.Path) {
			v.Files = append(v.Files, f)
		}
		return true
	}, "ls-tree", "-r", "-z", "--full-tree", "-l", "--end-of-options", rev+"^{tree}")
	if err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("no commit '%s' here, or not all of it: %w", legible.OneLine(rev), err)
		}
		return nil, err
	}
	slices.SortFunc(v.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return v, nil
}
