package parse

import (
	"bytes"
	"context"
	"regexp"

	"github.com/git-sage/git-sage/codeindex/parse/internal/patterns"
)

var (
	scriptBegin = regexp.MustCompile(`(?m)^<script\b[^>]*>`)
	scriptLang  = regexp.MustCompile(`\blang\s*=\s*["']?(\w+)`)
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
		tag := scriptBegin.FindIndex(source[at:])
		if tag == nil {
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

// scriptLanguage names what a script is written in by the tag before it.
func scriptLanguage(tag []byte) string {
	lang := scriptLang.FindSubmatch(tag)
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
