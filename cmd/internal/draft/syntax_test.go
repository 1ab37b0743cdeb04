package draft

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/shorthand"
)

func TestParseSource(t *testing.T) {
	for _, c := range []struct {
		in   string
		want sage.Source
		err  string
	}{
		{in: "rfc:document:supports:TTL is 1h", want: sage.Source{ID: "rfc", Type: "document", Relation: "supports", Take: "TTL is 1h"}},
		{in: "rfc : document: nuances : see https://x.y:80/z", want: sage.Source{ID: "rfc", Type: "document", Relation: "nuances", Take: "see https://x.y:80/z"}},
		{
			in:   "id=sheel;type=person;identifier=@sheel;credibility=investor;relation=contradicts;take=no forcing function; none; a=b",
			want: sage.Source{ID: "sheel", Type: "person", Identifier: "@sheel", Credibility: "investor", Relation: "contradicts", Take: "no forcing function; none; a=b"},
		},
		{in: "take=only this", want: sage.Source{Take: "only this"}},
		{in: "core_take=older word;id=x", want: sage.Source{ID: "x", Take: "older word"}},
		{in: "a:b:c", want: sage.Source{ID: "a:b:c"}},
		{in: "a:document:supports", err: "source 'a:document:supports' lacks a part: want id:type:relation:take"},
		{in: "", err: "a source is empty"},
		{in: ":::", err: "a source is empty"},
		{in: "x=1", want: sage.Source{ID: "x=1"}},
	} {
		got, err := shorthand.ParseSource(c.in)
		check(t, c.in, got, c.want, err, c.err)
	}
}

// check compares the result of a parser, or the beginning of its error.
func check[T any](t *testing.T, in string, got, want T, err error, wantErr string) {
	t.Helper()
	switch {
	case wantErr != "":
		if err == nil || !strings.HasPrefix(err.Error(), wantErr) {
			t.Errorf("%q: error %v, want %s...", in, err, wantErr)
		}
	case err != nil:
		t.Errorf("%q: %v", in, err)
	default:
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q: -want +got\n%s", in, d)
		}
	}
}

func TestParseTension(t *testing.T) {
	for _, c := range []struct {
		in   string
		want sage.Tension
		err  string
	}{
		{in: "a vs b: cost [resolved]", want: sage.Tension{Between: []string{"a", "b"}, Nature: "cost", Resolution: "resolved"}},
		{in: "a vs. b vs c: cost: high", want: sage.Tension{Between: []string{"a", "b", "c"}, Nature: "cost: high", Resolution: "unresolved"}},
		{in: "a vs b: see [1]", want: sage.Tension{Between: []string{"a", "b"}, Nature: "see [1]", Resolution: "unresolved"}},
		{in: "a vs b: x [solved]", want: sage.Tension{Between: []string{"a", "b"}, Nature: "x", Resolution: "solved"}},
		{in: "a: cost", err: "tension 'a: cost' is not 'a vs b: nature [resolution]'"},
		{in: "a vs b", err: "tension 'a vs b' is not"},
	} {
		got, err := parseTension(c.in)
		check(t, c.in, got, c.want, err, c.err)
	}
}

func TestParseContribution(t *testing.T) {
	for _, c := range []struct {
		in   string
		want sage.Contribution
		err  string
	}{
		{in: "experiment: 7 types fail", want: sage.Contribution{Type: "experiment", Content: "7 types fail"}},
		{in: "Internal_Knowledge: undocumented", want: sage.Contribution{Type: "internal_knowledge", Content: "undocumented"}},
		{in: "guess: maybe", want: sage.Contribution{Type: "guess", Content: "maybe"}}, // Validate refuses it
		{in: "Clark is closer: 1.5h", want: sage.Contribution{Type: "discovery", Content: "Clark is closer: 1.5h"}},
		{in: "just text", want: sage.Contribution{Type: "discovery", Content: "just text"}},
		{in: "  ", err: "unique contribution is empty"},
	} {
		got, err := parseContribution(c.in)
		check(t, c.in, got, c.want, err, c.err)
	}
}

func TestParseCodeRef(t *testing.T) {
	for _, c := range []struct {
		in   string
		want sage.CodeRef
		err  string
	}{
		{in: "a/b.go", want: sage.CodeRef{File: "a/b.go"}},
		{in: "a/b.go:7", want: sage.CodeRef{File: "a/b.go", Lines: [2]int{7, 7}}},
		{in: "a/b.go:7-12:contradicts", want: sage.CodeRef{File: "a/b.go", Lines: [2]int{7, 12}, Relevance: "contradicts"}},
		{in: "odd:name.go:context", want: sage.CodeRef{File: "odd:name.go", Relevance: "context"}},
		{in: "a.go:9-2", err: "code reference 'a.go:9-2': lines count from 1"},
		{in: "a.go:3-5:bogus", err: "code reference 'a.go:3-5:bogus': relevance: want one of supports, contradicts, context, stale, have 'bogus'"},
		{in: "a.go:0", err: "code reference 'a.go:0': lines"},
		{in: ":supports", err: "code reference '' is not"},
	} {
		got, err := shorthand.ParseCodeRef(c.in)
		check(t, c.in, got, c.want, err, c.err)
	}
}

func TestParseData(t *testing.T) {
	for _, c := range []struct {
		in   string
		want map[string]any
		err  string
	}{
		{in: "a=b=c", want: map[string]any{"a": "b=c"}},
		{in: "a=", want: map[string]any{"a": ""}},
		{in: `a=["x","y"]`, want: map[string]any{"a": []any{"x", "y"}}},
		{in: `a=[not json`, want: map[string]any{"a": "[not json"}},
		{in: `{"p":{"q":"r"}}`, want: map[string]any{"p": map[string]any{"q": "r"}}},
		{in: `n={"i":3,"f":0.5}`, want: map[string]any{"n": map[string]any{"i": int64(3), "f": 0.5}}},
		{in: `{"a":1} {}`, err: "--field is not a JSON object: text after"},
		{in: `{"p"`, err: "--field is not a JSON object"},
		{in: "none", err: "--field 'none' is not key=value"},
		{in: "=v", err: "--field '=v' is not key=value"},
	} {
		got := map[string]any{}
		err := parseData("field", c.in, got)
		check(t, c.in, got, c.want, err, c.err)
	}
}
