package codeindex

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/codeindex/parse"
)

// Definition is the text of what a source defines under a name, without the comment before
// it, and its lines; "" if it defines none. Of several, as overloads are, it is the text of
// all, and the lines of the first. An error is that nobody knows.
func (x *Index) Definition(ctx context.Context, file string, source []byte, name string) (text string, lines [2]int, err error) {
	parser, err := x.parser()
	if err != nil {
		return "", lines, err
	}
	f, err := parser.Parse(ctx, parse.Detect(file, source), source)
	if err != nil {
		return "", lines, err
	}
	container, name := qualified(name)
	for _, d := range f.Definitions {
		if d.Name != name || !isIn(d.Container, container) {
			continue
		}
		if text == "" {
			lines = [2]int{d.FirstLine, d.LastLine}
		}
		text += strings.ReplaceAll(string(source[d.Signature.Start:d.End]), "\r\n", "\n") + "\n"
	}
	return text, lines, nil
}

// Defining are the files of the work tree that define a name, as far as they are indexed.
func (x *Index) Defining(ctx context.Context, name string) (files []string) {
	if !x.Exists() {
		return nil
	}
	found, err := x.Symbols(ctx, Query{Text: name})
	if err != nil {
		return nil
	}
	for _, s := range found {
		if s.Exact {
			files = append(files, s.Path)
		}
	}
	return files
}
