package project

import (
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
)

// maxManifest is how much is read of a file that names the project; the name stands
// near its beginning.
const maxManifest = 64 << 10

// manifests are files that name a project, with what finds the name in them.
var manifests = []struct {
	file string
	name func([]byte) string
}{
	{"go.mod", func(b []byte) string { return moduleName(after(b, "", "module ")) }},
	{"package.json", jsonName},
	{"pyproject.toml", func(b []byte) string {
		if name := tomlValue(after(b, "[project]", "name")); name != "" {
			return name
		}
		return tomlValue(after(b, "[tool.poetry]", "name"))
	}},
	{"Cargo.toml", func(b []byte) string { return tomlValue(after(b, "[package]", "name")) }},
}

// Signals are names of what is worked on here: of the folder, of the remote, and of
// what the files at the top say that the project is called.
func (w *Worktree) Signals() (names []string) {
	add := func(name string) {
		name = legible.OneLine(strings.TrimSpace(name))
		if name != "" && name != "." && len(name) <= 100 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(w.Name())
	if url, _, ok := w.stores.Store.Repo.Config("remote.origin.url"); ok {
		add(strings.TrimSuffix(path.Base(filepath.ToSlash(url)), ".git"))
	}
	for _, f := range manifests {
		if b := w.readTop(f.file); len(b) > 0 {
			add(f.name(b))
		}
	}
	return names
}

// readTop reads the beginning of a file of the work tree, if it is a plain file and lies
// inside, whatever a link on the way says: a repository may come from anybody.
func (w *Worktree) readTop(name string) []byte {
	if w.stores.Store.Repo.Top() == "" || naming.PathProblem(name) != "" {
		return nil
	}
	root, err := os.OpenRoot(w.stores.Store.Repo.Top())
	if err != nil {
		return nil
	}
	defer root.Close()
	name = filepath.FromSlash(name)
	if st, err := root.Lstat(name); err != nil || !st.Mode().IsRegular() {
		return nil
	}
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, maxManifest))
	return b
}

// after is what follows a word at the beginning of a line, in the section that a
// header begins; "" is the whole file.
func after(b []byte, header, word string) string {
	in := header == ""
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSpace(l)
		if header != "" && strings.HasPrefix(l, "[") {
			in = l == header
			continue
		}
		if rest, ok := strings.CutPrefix(l, word); in && ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// moduleName is the last part of a module's path that is not its major version.
func moduleName(path string) string {
	dir, last := filepath.Split(filepath.FromSlash(strings.Trim(path, `"`)))
	if len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" && dir != "" {
		return filepath.Base(dir)
	}
	return last
}

// tomlValue is the text of `= "text"`.
func tomlValue(s string) string {
	s, ok := strings.CutPrefix(s, "=")
	s = strings.TrimSpace(s)
	if !ok || len(s) < 2 || s[0] != '"' && s[0] != '\'' {
		return ""
	}
	s, _, _ = strings.Cut(s[1:], s[:1])
	return s
}

func jsonName(b []byte) string {
	var p struct{ Name string }
	if json.Unmarshal(b, &p) != nil {
		return ""
	}
	return p.Name
}

// FirstLine is what a file begins with that says something: a heading, or a comment.
func (w *Worktree) FirstLine(path string) string {
	for l := range strings.Lines(string(w.readTop(path))) {
		if l = strings.Trim(l, "#/*;-=<!> \t\r\n\"'"); strings.ContainsFunc(l, unicode.IsLetter) && utf8.ValidString(l) {
			return l
		}
	}
	return ""
}
