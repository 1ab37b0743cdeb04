package sage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestListsInOneText(t *testing.T) {
	for _, c := range []struct {
		field, text string
		want        []string
	}{
		{"keywords", "staging, database", []string{"staging", "database"}},
		{"keywords", "staging database\nwipe,, cron ", []string{"staging database", "wipe", "cron"}},
		{"keywords", "- staging\n- database, cron", []string{"staging", "database", "cron"}},
		{"keywords", "f(a, b), g", []string{"f(a, b)", "g"}},
		{"keywords", "smile :(, sad", []string{"smile :(", "sad"}},
		{"keywords", "日本、東京", []string{"日本", "東京"}},
		{"paths", "cmd/{a,b}.go, mcp/", []string{"cmd/{a,b}.go", "mcp/"}},
		{"between", "stripe vs. square", []string{"stripe", "square"}},
		{"between", "stripe, square", []string{"stripe", "square"}},
		{"patterns", "a{1,3}\n- b", []string{"a{1,3}", "- b"}},
		{"open_questions", "what of IPv6, and of NAT?", []string{"what of IPv6, and of NAT?"}},
		{"open_questions", "1. what of IPv6?\n2) what of NAT?", []string{"what of IPv6?", "what of NAT?"}},
		{"key_evidence", "- p99 is 800 ms\n  under load\n\n- p50 is 20 ms", []string{"p99 is 800 ms\nunder load", "p50 is 20 ms"}},
		{"key_evidence", "see\n```\na\nb\n```", []string{"see\n```\na\nb\n```"}},
		{"key_evidence", " \n ", nil},
	} {
		if d := cmp.Diff(c.want, SplitList(c.field, c.text)); d != "" {
			t.Errorf("%s %q: -want +got\n%s", c.field, c.text, d)
		}
	}
}

func TestSourcesInOneLine(t *testing.T) {
	for _, c := range []struct {
		line string
		want Source
	}{
		{"RFC 6749", Source{ID: "RFC 6749"}},
		{"https://example.org:8080/a:b:c", Source{ID: "https://example.org:8080/a:b:c"}},
		{"RFC 6749: tokens rotate", Source{ID: "RFC 6749", Take: "tokens rotate"}},
		{"standup 10:30:45 on Monday: we agreed: yes", Source{ID: "standup 10:30:45 on Monday", Take: "we agreed: yes"}},
		{"note: we checked: it works: yes", Source{ID: "note", Take: "we checked: it works: yes"}},
		{"[-] Stripe: no escrow", Source{ID: "Stripe", Take: "no escrow", Relation: "contradicts"}},
		{"[ ] Stripe", Source{ID: "Stripe"}},
		{"id=RFC 6749; type=document;take=tokens rotate; and expire;relation=supports", Source{ID: "RFC 6749", Type: "document", Take: "tokens rotate; and expire", Relation: "supports"}},
		{"id=a;core_take=b;identifier=doi:1;credibility=high;nonsense", Source{ID: "a", Take: "b", Identifier: "doi:1", Credibility: "high;nonsense"}},
		{"x:document::no relation", Source{ID: "x", Type: "document", Take: "no relation"}},
	} {
		got, err := ParseSourceLine(c.line)
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%q: %v, -want +got\n%s", c.line, err, d)
		}
	}
}

// Whatever the format, a text in place of a mapping means the same, and nothing is
// called unnamed.
func TestTextsInPlaceOfMappings(t *testing.T) {
	want := &Checkpoint{
		Thesis:      "t",
		KeyEvidence: []string{"p99 is 800 ms", "p50: 20 ms"},
		Sources:     []Source{{ID: "RFC 6749"}, {ID: "blog", Take: "tokens rotate"}},
	}
	for format, text := range map[string]string{
		"yaml": "thesis: t\nkey_evidence:\n- p99 is 800 ms\n- 'p50: 20 ms'\nsources:\n- RFC 6749\n- blog: tokens rotate\n",
		"json": `{"thesis":"t","key_evidence":"- p99 is 800 ms\n- p50: 20 ms","sources":["RFC 6749","blog: tokens rotate"]}`,
		"md":   "## Thesis\nt\n\n## Key Evidence\n- p99 is 800 ms\n- p50: 20 ms\n\n## Sources\n- RFC 6749\n- blog: tokens rotate\n",
		"":     "```checkpoint\nthesis: t\nkey_evidence: |\n  p99 is 800 ms\n  p50: 20 ms\nsources: |\n  RFC 6749\n  blog: tokens rotate\n```\n",
	} {
		got, err := ParseInput([]byte(text), format)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v, -want +got\n%s", format, err, d)
		}
	}
	got, err := ParseInput([]byte(`{"tensions":["a vs b: cost [moot]","too dear"],"unique_contributions":"experiment: 7 fail","code_refs":["a.go:1-2:stale"],"sources":{"id":"x"}}`), "json")
	other := &Checkpoint{
		Tensions:            []Tension{{Between: []string{"a", "b"}, Nature: "cost", Resolution: "moot"}, {Nature: "too dear", Resolution: "unresolved"}},
		UniqueContributions: []Contribution{{"experiment", "7 fail"}},
		CodeRefs:            []CodeRef{{File: "a.go", Lines: [2]int{1, 2}, Relevance: "stale"}},
		Sources:             []Source{{ID: "x"}},
	}
	if d := cmp.Diff(other, got); d != "" || err != nil {
		t.Errorf("%v, -want +got\n%s", err, d)
	}
	for _, bad := range []string{`{"sources":["a:document:supports"]}`, `{"sources":[{"relaton":"supports"}]}`, `{"code_refs":["a.go:9-2"]}`} {
		if _, err := ParseInput([]byte(bad), "json"); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// TestBriefNamesNoSourceUnnamed: what only says something says just that.
func TestBriefNamesNoSourceUnnamed(t *testing.T) {
	if got := briefSource(Source{Take: "tokens rotate", Relation: "supports"}); got != "[+] tokens rotate\n" {
		t.Errorf("%q", got)
	}
}

// A line that does not say all that it begins to say is refused, and nothing is made up.
func TestSourcesThatLackAPart(t *testing.T) {
	for _, line := range []string{"", "::", "x:document:supports", "x::supports"} {
		if got, err := ParseSourceLine(line); err == nil {
			t.Errorf("%q: %+v", line, got)
		}
	}
}
