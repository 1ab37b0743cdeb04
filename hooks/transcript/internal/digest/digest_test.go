package digest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
	"github.com/git-sage/git-sage/hooks/transcript/internal/samples"
)

var update = flag.Bool("update", false, "write the golden files in testdata")

const shop = "/home/ada/shop"

// digest reads a transcript in one go.
func digest(t *testing.T, b []byte, o Options) *Digest {
	t.Helper()
	d := New(o)
	if err := d.read(context.Background(), record.NewReader(bytes.NewReader(b))); err != nil {
		t.Fatal(err)
	}
	return d
}

// again is the digest as the next process has it.
func again(t *testing.T, d *Digest) *Digest {
	t.Helper()
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	next, err := Load(b, d.o)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// plainly prints what a reviewer should see of a digest.
func plainly(d *Digest) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("client %s, model %s, branch %s, in %s", d.Version, d.Model, d.Branch, d.Dir)
	say("sessions %d; skipped %+v", len(d.Sessions), d.Skipped)
	say("turns %d, calls %d, failed %d, outside %d, searched %d, compacted %d", d.Turns, d.Calls, d.Failed, d.Outside, d.Searched, d.Compacted)
	say("window %d, output %d, last %+v; secrets %v", d.Window, d.Output, d.Usage, d.Secrets)
	say("explored %s\nchanged %s", strings.Join(d.FilesExplored(), " "), strings.Join(d.FilesChanged(), " "))
	for _, r := range d.CodeRefs() {
		say("ref %s %v %.10s", r.File, r.Lines, r.Blob)
	}
	for _, s := range d.Searches {
		say("search %s %q in %q", s.Kind, s.Query, s.Where)
	}
	for _, c := range d.MCP {
		say("mcp %s %s: %d, failed %d", c.Server, c.Tool, c.Count, c.Failed)
	}
	for _, f := range d.Failures {
		say("failure of %s %q: %.60q test %t fixed %t", f.Tool, f.What, f.Text, f.Test, f.Fixed > f.Offset)
	}
	for _, s := range d.Summaries {
		say("summary auto %t, %d to %d: %q", s.Auto, s.Before, s.After, s.Text)
	}
	for _, x := range d.Texts {
		say("person %t: %q", x.Person, x.Text)
	}
	return b.String()
}

// TestSamples holds digests of what the real clients wrote to golden files.
func TestSamples(t *testing.T) {
	for name, b := range samples.All(t) {
		golden := filepath.Join("../../testdata", strings.TrimSuffix(name, "jsonl")+"golden")
		got := plainly(digest(t, b, Options{Root: shop, Agent: strings.HasPrefix(name, "agent")}))
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestWhoSpeaks(t *testing.T) {
	text := func(parts ...string) (list []any) {
		for _, p := range parts {
			list = append(list, map[string]any{"type": "text", "text": p})
		}
		return list
	}
	for _, tt := range []struct {
		content any
		more    map[string]any
		want    string
	}{
		{" Which store? ", nil, "Which store?"},
		{text("Which store?"), nil, "Which store?"},
		{text("<system-reminder>x</system-reminder>", "Why?", "<ide_opened_file>x</ide_opened_file>", "And?"), nil, "Why?\n\nAnd?"},
		{"<task-notification>done</task-notification>", nil, ""},
		{"<command-name>/compact</command-name>", nil, ""},
		{"<command-message>x</command-message>", nil, ""},
		{"<local-command-stdout></local-command-stdout>", nil, ""},
		{text("[Request interrupted by user for tool use]"), nil, ""},
		{"Stop hook feedback: x", map[string]any{"isMeta": true}, ""},
		{"from the client", map[string]any{"promptSource": "system"}, ""},
		{"of a helper", map[string]any{"isSidechain": true}, ""},
		{"This session is being continued", map[string]any{"isCompactSummary": true}, ""},
		{nil, map[string]any{"type": "attachment", "attachment": map[string]any{"type": "queued_command", "prompt": "No, wait."}}, "No, wait."},
		{nil, map[string]any{"type": "attachment", "attachment": map[string]any{"type": "queued_command", "prompt": text("No."), "commandMode": "prompt"}}, "No."},
		{nil, map[string]any{"type": "attachment", "attachment": map[string]any{"type": "queued_command", "prompt": "x", "commandMode": "task-notification"}}, ""},
		{nil, map[string]any{"type": "attachment", "attachment": map[string]any{"type": "file", "prompt": "x"}}, ""},
		{7, nil, ""},
	} {
		s := &session{t: t}
		if tt.content == nil {
			tt.more["message"] = nil
		}
		s.record("user", tt.content, tt.more)
		d, got := s.digest(Options{}), ""
		for _, x := range d.Texts {
			if x.Person {
				got += x.Text
			}
		}
		if got != tt.want || d.Turns != min(1, len(tt.want)) {
			t.Errorf("%v %v: %q, %d turns", tt.content, tt.more, got, d.Turns)
		}
	}
}

// An answer has a record for each block, with the same usage.
func TestUsageCountsOnce(t *testing.T) {
	s := &session{t: t}
	block := func(id string, out int, kind string) {
		s.record("assistant", nil, map[string]any{"message": map[string]any{
			"id": id, "model": "opus", "content": []any{map[string]any{"type": "text", "text": kind}},
			"usage": map[string]any{"input_tokens": 10, "cache_read_input_tokens": 5000, "cache_creation_input_tokens": 300, "output_tokens": out},
		}})
	}
	block("m1", 1, "a")
	block("m1", 40, "b")
	block("m2", 7, "c")
	block("m1", 40, "d")
	s.record("assistant", "API Error", map[string]any{"message": map[string]any{"model": "<synthetic>", "content": "API Error"}})
	d := again(t, s.digest(Options{}))
	if d.Output != 47 || d.Window != 5350 || d.Usage != (record.Usage{Input: 10, CacheRead: 5000, CacheCreation: 300, Output: 40}) || d.Model != "opus" || len(d.Texts) != 4 {
		t.Errorf("%d %d %+v %s %d", d.Output, d.Window, d.Usage, d.Model, len(d.Texts))
	}
}

func TestRecordsCountOnce(t *testing.T) {
	b := samples.All(t)["tools-2.1.329.jsonl"]
	once, twice := digest(t, b, Options{Root: shop}), New(Options{Root: shop})
	for range 2 {
		r := record.NewReader(bytes.NewReader(b))
		for rec, err := r.Next(); err == nil; rec, err = r.Next() {
			twice.add(rec)
		}
	}
	once.Position, once.Skipped = record.Position{}, record.Skipped{}
	if d := cmp.Diff(plainly(once), plainly(twice)); d != "" {
		t.Error(d)
	}
}

func TestUpdate(t *testing.T) {
	name := filepath.Join(t.TempDir(), "s.jsonl")
	write := func(b string) {
		if err := os.WriteFile(name, []byte(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := New(Options{Root: shop})
	one, two := &session{t: t}, &session{t: t}
	one.person("Which store?")
	two.person("Another file")
	for _, tt := range []struct {
		text  string
		turns int
	}{
		{"", 0}, {one.b.String()[:50], 0}, {one.b.String(), 1}, {one.b.String(), 1}, {two.b.String(), 1}, {"", 0}, {one.b.String(), 1},
	} {
		write(tt.text)
		if err := d.Update(name); err != nil || d.Turns != tt.turns {
			t.Errorf("%.60q: %d turns, %v", tt.text, d.Turns, err)
		}
		d = again(t, d)
	}
	if d.Texts[0].Text != "Which store?" {
		t.Errorf("%+v", d.Texts)
	}
	if err := d.Update(name + ".none"); err == nil {
		t.Error("a file that is not there is read")
	}
}

func TestLoadRefusesWhatItDidNotWrite(t *testing.T) {
	for _, s := range []string{"", "{", "[]", "{}", `{"state":{"format":2}}`, `{"turns":"x","state":{"format":1}}`} {
		if _, err := Load([]byte(s), Options{}); err == nil {
			t.Errorf("%q is taken", s)
		}
	}
}

// TestUpdateGoesOn: what is stopped again and again gets to the same end.
func TestUpdateGoesOn(t *testing.T) {
	file := filepath.Join("../../testdata", "tools-2.1.329.jsonl")
	o := Options{Root: shop}
	whole, parts := New(o), New(o)
	if err := whole.Update(file); err != nil {
		t.Fatal(err)
	}
	for n := 1; ; n++ {
		err := parts.UpdateContext(&patient{Context: context.Background(), left: 3}, file)
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || n > 1000 {
			t.Fatalf("after %d times: %v", n, err)
		}
	}
	a, _ := json.Marshal(whole)
	b, _ := json.Marshal(parts)
	if string(a) != string(b) {
		t.Errorf("in parts:\n%s\nat once:\n%s", b, a)
	}
}

// A patient context ends when it was asked a few times.
type patient struct {
	context.Context
	left int
}

func (p *patient) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}
