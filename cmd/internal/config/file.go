package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxFile bounds a tuning file: one of ours has a few hundred bytes.
const maxFile = 1 << 20

// A File is a tuning.yaml.
type File struct {
	Path    string
	Project bool // it comes with a repository
}

func (f File) label() string {
	if f.Project {
		return "project " + f.Path
	}
	return "user " + f.Path
}

// Get is the text of a value that the file sets.
func (f File) Get(name string) (value string, set bool) {
	r, set := f.layer().get(Key{Name: name})
	return r.text, set
}

// layer reads the file as a step of the cascade.
func (f File) layer() layer {
	values := map[string]raw{}
	l := layer{get: func(k Key) (raw, bool) {
		r, ok := values[k.Name]
		return r, ok
	}}
	warn := func(format string, args ...any) {
		l.warnings = append(l.warnings, f.label()+": "+fmt.Sprintf(format, args...))
	}
	data, err := f.read()
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			warn("%v; ignored", err)
		}
		return l
	}
	root, err := parseFile(data)
	if err != nil {
		warn("%v; ignored", err)
		return l
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, value := root.Content[i].Value, root.Content[i+1]
		r, set := f.raw(value)
		if _, known := byName()[name]; !known {
			if name != "_version" { // a mark that old files carry
				warn("unknown key %s%s", quote(name), didYouMean(name))
			}
			continue
		}
		if _, twice := values[name]; twice {
			warn("%s is set twice, the last counts", name)
		}
		delete(values, name)
		if set {
			values[name] = r
		}
	}
	return l
}

// raw turns a YAML value into text, whatever its type: old files hold numbers
// and switches as text. A null is no value.
func (f File) raw(n *yaml.Node) (r raw, set bool) {
	r = raw{source: f.label(), line: n.Line, foreign: f.Project}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch n.Kind {
	case yaml.ScalarNode:
		r.text = n.Value
		return r, n.Tag != "!!null"
	case yaml.SequenceNode:
		var words []string
		for _, e := range n.Content {
			words = append(words, e.Value)
		}
		r.text = strings.Join(words, ",")
		return r, true
	}
	r.problem = "a mapping"
	return r, true
}

// read returns the file's bytes. What comes with a repository must be a plain
// file in a plain folder: a link could lead anywhere.
func (f File) read() ([]byte, error) {
	if err := f.checkLinks(false); err != nil {
		return nil, err
	}
	info, err := os.Stat(f.Path)
	if err != nil {
		return nil, unwrapPath(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a plain file")
	}
	in, err := os.Open(f.Path)
	if err != nil {
		return nil, unwrapPath(err)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = errors.New("larger than 1 MB")
	}
	return data, err
}

// checkLinks refuses links: of a project always, of the user only to write.
func (f File) checkLinks(writing bool) error {
	paths := []string{}
	if f.Project || writing {
		paths = append(paths, f.Path)
	}
	if f.Project {
		paths = append(paths, filepath.Dir(f.Path))
	}
	for _, p := range paths {
		if info, err := os.Lstat(p); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			to, _ := os.Readlink(p)
			return fmt.Errorf("%s is a symbolic link to %s", quote(filepath.Base(p)), quote(to))
		}
	}
	return nil
}

// unwrapPath drops the path from an error: the label has it already.
func unwrapPath(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

var bom = []byte("\ufeff")

// parseFile returns the mapping at the root of a file; an empty one if there
// is nothing in it but comments.
func parseFile(data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, bom)))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, yamlError(err)
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one YAML document")
	}
	if len(doc.Content) == 0 || doc.Content[0].Tag == "!!null" {
		return &yaml.Node{Kind: yaml.MappingNode}, nil
	}
	if root := doc.Content[0]; root.Kind == yaml.MappingNode {
		root.HeadComment += doc.HeadComment // else lost when it is written again
		root.FootComment += doc.FootComment
		return root, nil
	}
	return nil, errors.New("not a list of 'key: value'")
}

// yamlError makes the reader's message one line that a terminal can show.
func yamlError(err error) error {
	s := strings.TrimPrefix(err.Error(), "yaml: ")
	return errors.New("not valid YAML: " + strings.Trim(quote(s), "'"))
}
