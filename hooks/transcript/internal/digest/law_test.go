package digest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
	"github.com/git-sage/git-sage/hooks/transcript/internal/samples"
)

// secret is one that the redactor knows by its shape; it must not look like one here.
var secret = "gh" + "p_" + strings.Repeat("aB3dE6gH9", 4)

// Whatever a secret stands in, it is not in what is kept.
func TestSecretsAreNotKept(t *testing.T) {
	s := &session{t: t}
	s.record("user", "use "+secret, map[string]any{"gitBranch": "b/" + secret, "cwd": shop + "/" + secret, "sessionId": secret, "version": secret})
	s.agent(strings.Repeat("x ", 1900) + secret + strings.Repeat(" y", 30_000) + secret)
	s.record("user", "Summary: "+secret, map[string]any{"isCompactSummary": true})
	for _, tool := range []string{"Read", "Write", "Bash", "Grep", "Glob", "WebSearch", "WebFetch", "mcp__" + secret + "__x", "mcp__x__" + secret, secret} {
		in := map[string]any{
			"file_path": shop + "/" + secret, "command": "curl -H 'X: " + secret + "' x; cat a/" + secret + "; grep " + secret + " b.go; go test ./" + secret,
			"pattern": secret, "path": shop + "/" + secret + "/a.go", "query": secret, "url": "https://x.org/" + secret,
		}
		s.call(tool, in, "", map[string]any{"stdout": secret})
		s.call(tool, in, "failed: "+secret, nil)
		s.begin(tool, in)
	}
	d := again(t, s.digest(Options{Root: shop}))
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	if i := bytes.Index(b, []byte("gh"+"p_")); i >= 0 {
		t.Errorf("kept: %s", b[max(0, i-100):min(len(b), i+60)])
	}
	if fmt.Sprint(d.FilesExplored(), d.FilesChanged(), d.CodeRefs()) == "" || len(d.Secrets) == 0 || d.Secrets[0].Count < 40 {
		t.Errorf("found %v", d.Secrets)
	}
}

// A text is cut after its secrets are out, at both ends.
func TestShorten(t *testing.T) {
	for _, s := range []string{"", "short", strings.Repeat("é", 3000), strings.Repeat("ab\n", 5000)} {
		got := shorten(s, maxText)
		if len(got) > maxText || !utf8.ValidString(got) || len(s) <= maxText && got != s || len(s) > maxText && len(got) < maxText-10 {
			t.Errorf("%d bytes of %d", len(got), len(s))
		}
	}
}

// Nobody can make a digest large: not with names, not with calls that have no answer.
func TestDigestIsBounded(t *testing.T) {
	s := &session{t: t}
	for i := range 600 {
		long := fmt.Sprintf("%d/%s", i, strings.Repeat("é\x01<", 230))
		var cat []string
		for j := range 40 {
			cat = append(cat, fmt.Sprintf("'%d%s'", j, long))
		}
		s.call("Read", map[string]any{"file_path": long}, "", nil)
		if i%10 > 0 {
			continue
		}
		s.call("Grep", map[string]any{"pattern": long, "path": long}, "", nil)
		s.call("mcp__s__"+long, nil, long, nil)
		s.bash("pytest "+strings.Join(cat, " "), strings.Repeat(long, 50), "")
		s.begin("Bash", map[string]any{"command": "cat " + strings.Join(cat, " ") + "; grep " + strings.Join(cat, "; grep ")})
		s.agent(strings.Repeat(long, 20))
		s.record("user", strings.Repeat(long, 20), map[string]any{"isCompactSummary": true, "sessionId": long, "gitBranch": long, "uuid": long})
		s.record("assistant", nil, map[string]any{"uuid": long + "a", "requestSessionId": long + "b", "message": map[string]any{
			"id": long, "model": long, "content": "x" + long, "usage": map[string]any{"output_tokens": 9},
		}})
	}
	b, err := json.Marshal(s.digest(Options{Root: shop}))
	if err != nil {
		t.Fatal(err)
	}
	if most := 3 << 20; len(b) > most {
		t.Errorf("%d bytes, more than %d", len(b), most)
	}
	t.Logf("%d bytes at the worst", len(b))
}

// halves holds the law that it does not matter in how many goes a transcript is read,
// also by different processes.
func halves(t *testing.T, b []byte, cut int) {
	t.Helper()
	o := Options{Root: shop}
	want := digest(t, b, o)
	got := again(t, digest(t, b[:cut], o))
	r := record.NewReader(bytes.NewReader(b))
	if got.Position.Holds(bytes.NewReader(b)) {
		r.GoTo(got.Position.Offset)
	}
	if err := got.read(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(marshal(t, want), marshal(t, got)); d != "" {
		t.Errorf("cut at %d of %d:\n%s", cut, len(b), d)
	}
}

func marshal(t *testing.T, d *Digest) string {
	t.Helper()
	b, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestHalvesMakeTheWhole(t *testing.T) {
	for name, b := range samples.All(t) {
		for i := 0; i <= 40; i++ {
			halves(t, b, len(b)*i/40)
		}
		for at := 0; at >= 0 && at < len(b); at += 1 + bytes.IndexByte(b[at:], '\n') {
			if at%3 == 0 {
				halves(t, b, at)
			}
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// FuzzDigest makes sure that no bytes end a digest, that it is sound and read again,
// and that halves make the whole.
func FuzzDigest(f *testing.F) {
	for name, b := range samples.All(f) {
		if strings.HasPrefix(name, "tools") { // too long to be changed much
			for part := range slices.Chunk(bytes.SplitAfter(b, []byte("\n")), 5) {
				f.Add(bytes.Join(part, nil), 1000)
			}
			continue
		}
		f.Add(b[:min(len(b), 8000)], len(b)/3)
	}
	f.Add([]byte(line("user", "a")+`{"type":"user","uuid":"1","message":{"content":[{"type":"tool_result","tool_use_id":"x","is_error":true}]}}`+"\n"), 40)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		halves(t, b, min(max(cut, 0), len(b)))
		d := digest(t, b, Options{Root: shop, Outside: true, Agent: true})
		if s := marshal(t, d); !utf8.ValidString(s) {
			t.Errorf("%q", s)
		}
		for _, r := range d.CodeRefs() {
			if r.File == "" || r.Lines != [2]int{} && (r.Lines[0] < 1 || r.Lines[1] < r.Lines[0]) {
				t.Errorf("%+v", r)
			}
		}
	})
}
