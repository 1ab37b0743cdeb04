package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A Stage is a folder with what goes into packages.
type Stage struct {
	dir      string
	licences []Licence // of what the binaries have in them, over all systems
}

func (st *Stage) binary(s System) string { return filepath.Join(st.dir, s.String(), s.program()) }

// file is one that all systems share, as it is named under share.
func (st *Stage) file(name string) string { return filepath.Join(st.dir, "share", name) }

// A Page is a file that all systems have beside the program: what it is called on the stage,
// and where it goes beneath the prefix.
type Page struct{ Name, To string }

var pages = []Page{
	{"git-sage.1", "share/man/man1/git-sage.1"},
	{"git-sage.bash", "share/bash-completion/completions/git-sage"},
	{"git-sage.zsh", "share/zsh/site-functions/_git-sage"},
	{"git-sage.fish", "share/fish/vendor_completions.d/git-sage.fish"},
	{"LICENSE", "share/doc/git-sage/LICENSE"},
	{"README.md", "share/doc/git-sage/README.md"},
	{"THIRD-PARTY-LICENSES", "share/doc/git-sage/THIRD-PARTY-LICENSES"},
}

// build compiles the program for all systems, and has it write its manual page and completions.
func (r *Release) build(dir string, out io.Writer) (*Stage, error) {
	st := &Stage{dir: dir}
	if err := os.MkdirAll(st.file(""), 0o777); err != nil {
		return nil, err
	}
	flags := "-s -w -X github.com/git-sage/git-sage/cmd/internal/cli.version=" + r.Tag
	for _, s := range systems {
		fmt.Fprintln(out, "build", s)
		env := []string{"CGO_ENABLED=0", "GOOS=" + s.OS, "GOARCH=" + s.Arch, "GOFLAGS=-trimpath", "GOWORK=off", "GOAMD64=v1"}
		if _, err := outputWith(env, r.source, "go", "build", "-ldflags", flags, "-o", st.binary(s), "./cmd/git-sage"); err != nil {
			return nil, err
		}
	}
	here := st.binary(System{runtime.GOOS, runtime.GOARCH})
	if _, err := os.Stat(here); err != nil {
		return nil, errors.New("the program of this system writes the manual page: build it, too")
	}
	for _, words := range []string{"man git-sage.1", "completion bash git-sage.bash", "completion zsh git-sage.zsh", "completion fish git-sage.fish"} {
		args := strings.Fields(words)
		last := len(args) - 1
		text, err := output(r.source, here, args[:last]...)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(st.file(args[last]), []byte(text+"\n"), 0o666); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"LICENSE", "README.md"} {
		if err := copyFile(filepath.Join(r.source, name), st.file(name)); err != nil {
			return nil, err
		}
	}
	var err error
	if st.licences, err = licences(r.source); err != nil {
		return nil, err
	}
	if err := os.WriteFile(st.file("THIRD-PARTY-LICENSES"), []byte(notices(st.licences)), 0o666); err != nil {
		return nil, err
	}
	return st, st.pack("git-sage.1")
}

// pack writes a file once more, packed as a manual page of the system's is.
func (st *Stage) pack(name string) error {
	text, err := os.ReadFile(st.file(name))
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // which is a level
	if _, err := z.Write(text); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(st.file(name+".gz"), packed.Bytes(), 0o666)
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o666)
}
