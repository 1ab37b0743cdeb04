package shorthand

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage"
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
		want sage.Source
	}{
		{"RFC 6749", sage.Source{ID: "RFC 6749"}},
		{"https://example.org:8080/a:b:c", sage.Source{ID: "https://example.org:8080/a:b:c"}},
		{"RFC 6749: tokens rotate", sage.Source{ID: "RFC 6749", Take: "tokens rotate"}},
		{"standup 10:30:45 on Monday: we agreed: yes", sage.Source{ID: "standup 10:30:45 on Monday", Take: "we agreed: yes"}},
		{"note: we checked: it works: yes", sage.Source{ID: "note", Take: "we checked: it works: yes"}},
		{"[-] Stripe: no escrow", sage.Source{ID: "Stripe", Take: "no escrow", Relation: "contradicts"}},
		{"[ ] Stripe", sage.Source{ID: "Stripe"}},
		{"id=RFC 6749; type=document;take=tokens rotate; and expire;relation=supports", sage.Source{ID: "RFC 6749", Type: "document", Take: "tokens rotate; and expire", Relation: "supports"}},
		{"id=a;core_take=b;identifier=doi:1;credibility=high;nonsense", sage.Source{ID: "a", Take: "b", Identifier: "doi:1", Credibility: "high;nonsense"}},
		{"x:document::no relation", sage.Source{ID: "x", Type: "document", Take: "no relation"}},
	} {
		got, err := ParseSource(c.line)
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%q: %v, -want +got\n%s", c.line, err, d)
		}
	}
}

// A line that does not say all that it begins to say is refused, and nothing is made up.
func TestSourcesThatLackAPart(t *testing.T) {
	for _, line := range []string{"", "::", "x:document:supports", "x::supports"} {
		if got, err := ParseSource(line); err == nil {
			t.Errorf("%q: %+v", line, got)
		}
	}
}
