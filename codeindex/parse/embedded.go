package parse

import (
	"bytes"
	"context"
	"regexp"
	"sync"

	"github.com/git-sage/git-sage/codeindex/parse/internal/patterns"
)

var (
	scriptBegin = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^<script\b[^>]*>`) })
	component   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bname\s*:\s*["']([\w-]+)["']`) })
	scriptLang  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\blang\s*=\s*["']?(\w+)`) })
)

// parseLines parses a source of a language without a grammar. The scripts of Vue's
// components are parsed by the grammar of their own language.
func (p *Parser) parseLines(ctx context.Context, language string, source []byte) (File, error) {
	set := patterns.Of(language)
	if set == nil {
		return File{}, ErrLanguage
	}
	if language == "restructuredtext" {
		return parseReStructuredText(source), nil
	}
	f := parsePatterns(set, source)
	if language != "vue" {
		return f, nil
	}
	f.Splits = nil
	for at, lines := 0, 0; ; {
		tag := scriptBegin().FindIndex(source[at:])
		if tag == nil {
			f.nameComponent(source)
			return f, nil
		}
		start := at + tag[1]
		size := bytes.Index(source[start:], []byte("</script"))
		if size < 0 {
			size = len(source) - start
		}
		inner, err := p.Parse(ctx, scriptLanguage(source[at+tag[0]:start]), source[start:start+size])
		if err != nil {
			return File{}, err
		}
		lines += bytes.Count(source[at:start], []byte("\n"))
		f.embed(inner, start, lines, 2)
		lines += bytes.Count(source[start:start+size], []byte("\n"))
		at = start + size
	}
}

// nameComponent makes a class of the object that a component of Vue exports, with the name that
// it gives itself.
func (f *File) nameComponent(source []byte) {
	for i := range f.Definitions {
		d := &f.Definitions[i]
		switch {
		case d.Parent >= 0:
			outer := &f.Definitions[d.Parent]
			if d.Container = join(outer.Container, outer.Name); d.Kind == "function" && outer.Kind == "class" {
				d.Kind = "method"
			}
		case d.Kind == "variable" && d.Name == "default":
			d.Kind = "class"
			if name := component().FindSubmatch(source[d.Body.Start:d.Body.End]); name != nil {
				d.Name = string(name[1])
			}
		}
	}
}

// scriptLanguage names what a script is written in by the tag before it.
func scriptLanguage(tag []byte) string {
	lang := scriptLang().FindSubmatch(tag)
	if lang == nil {
		return "javascript"
	}
	switch string(lang[1]) {
	case "ts":
		return "typescript"
	case "tsx":
		return "tsx"
	}
	return "javascript"
}
