package config

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func write(t testing.TB, name, data string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

func load(t testing.TB, s Sources) *Config {
	t.Helper()
	c, err := Load(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func gitConfig(values map[string][2]string) func(string) (string, string, bool) {
	return func(name string) (string, string, bool) {
		v, ok := values[name]
		return v[0], v[1], ok
	}
}

func TestKeysAreSound(t *testing.T) {
	seen := map[string]string{}
	for _, k := range Keys() {
		if other, ok := seen[squeeze(k.Name)]; ok {
			t.Errorf("%s and %s are one key for git", k.Name, other)
		}
		seen[squeeze(k.Name)] = k.Name
		got, err := k.Parse(text(k.Default))
		if err != nil {
			t.Errorf("the default is out of range: %v", err)
		}
		if diff := cmp.Diff(k.Default, got); diff != "" {
			t.Errorf("%s: default read back (-want +got):\n%s", k.Name, diff)
		}
		if k.Doc == "" || strings.HasSuffix(k.Doc, ".") {
			t.Errorf("%s: doc %q", k.Name, k.Doc)
		}
	}
}

// The defaults that users of the tool before this one rely on.
func TestDefaults(t *testing.T) {
	want := map[string]any{
		"recall_threshold": 0.70, "dedup_threshold": 0.90, "embedding_weight": 0.70,
		"keyword_weight": 0.30, "topic_drift_threshold": 0.50, "convergence_question_drop": 0.20,
		"trigger_threshold": 0.55, "depth_min_messages": 8, "depth_min_tokens": 2000,
		"checkpoint_max_age_days": 90, "checkpoint_max_count": 200, "knowledge_max_age_days": 0,
		"maintenance_on_save": true, "knowledge_cache_ttl_seconds": 45.0,
		"continuity_enabled": true, "watcher_auto_start": false, "proactive_threshold": 0.40,
		"context_threshold": 70, "context_window": 200000, "context_cooldown": 60,
		"trigger_cooldown": 30, "autosave": "suggest", "autosave_every_turns": 10,
		"autosave_every_tokens": 8000, "transcripts": "off", "enabled": true, "durable": true,
		"embedding_model": "e5-small-v2", "code_embedding_model": "all-MiniLM-L6-v2",
	}
	c := load(t, Sources{})
	for name, v := range want {
		if e := c.Entry(name); e.Value != v || e.Source != "default" {
			t.Errorf("%s = %v from %s, want %v", name, e.Value, e.Source, v)
		}
	}
	if len(c.Warnings()) != 0 {
		t.Errorf("warnings: %q", c.Warnings())
	}
}

func TestCascade(t *testing.T) {
	user := write(t, "tuning.yaml", "recall_threshold: 0.1\ndedup_threshold: 0.1\nkeyword_weight: 0.1\nembedding_weight: 0.1\ntrigger_threshold: 0.1\n")
	project := write(t, ".sage/tuning.yaml", "recall_threshold: 0.2\ndedup_threshold: 0.2\nkeyword_weight: 0.2\nembedding_weight: 0.2\n")
	git := gitConfig(map[string][2]string{
		"sage.recallthreshold": {"0.3", "global"}, "sage.dedup-threshold": {"0.3", "local"}, "sage.keywordweight": {"0.3", "command"},
	})
	c := load(t, Sources{
		Flags: map[string]string{"recall-threshold": "0.5"},
		Env:   []string{"SAGE_RECALL_THRESHOLD=0.4", "SAGE_DEDUP_THRESHOLD=0.9", "SAGE_DEDUP_THRESHOLD=0.4", "SAGE_KEYWORD_WEIGHT=", "SAGE_HOME=/x"},
		Git:   git, Project: project, User: user,
	})
	want := []Entry{
		{Key: "recall_threshold", Value: 0.5, Source: "flag"},
		{Key: "dedup_threshold", Value: 0.4, Source: "env SAGE_DEDUP_THRESHOLD"},
		{Key: "keyword_weight", Value: 0.3, Source: "git config sage.keywordweight (command)"},
		{Key: "embedding_weight", Value: 0.2, Source: "project " + project},
		{Key: "trigger_threshold", Value: 0.1, Source: "user " + user},
		{Key: "topic_drift_threshold", Value: 0.5, Source: "default"},
	}
	for _, w := range want {
		got := c.Entry(w.Key)
		got.Below = nil
		if diff := cmp.Diff(w, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", w.Key, diff)
		}
	}
}

func TestGitSpellings(t *testing.T) {
	tests := []struct {
		git  map[string][2]string
		want float64
	}{
		{map[string][2]string{"sage.recallthreshold": {"0.3", "global"}}, 0.3},
		{map[string][2]string{"sage.recall-threshold": {"0.4", "global"}}, 0.4},
		{map[string][2]string{"sage.recallthreshold": {"0.3", "global"}, "sage.recall-threshold": {"0.4", "local"}}, 0.4},
		{map[string][2]string{"sage.recallthreshold": {"0.3", "command"}, "sage.recall-threshold": {"0.4", "local"}}, 0.3},
		{map[string][2]string{"sage.recallthreshold": {"0.3", "local"}, "sage.recall-threshold": {"0.4", "local"}}, 0.3},
	}
	for _, tt := range tests {
		if got := load(t, Sources{Git: gitConfig(tt.git)}).Float("recall_threshold"); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.git, got, tt.want)
		}
	}
	off := load(t, Sources{Git: gitConfig(map[string][2]string{"sage.durable": {"", "local"}})})
	if off.Bool("durable") {
		t.Error("an empty value in git's configuration is not false")
	}
}

// A value in a file: what it counts as, and a part of the warning.
func TestValues(t *testing.T) {
	tests := []struct {
		line, key string
		want      any
		warning   string
	}{
		{"maintenance_on_save: 'false'", "maintenance_on_save", false, ""},
		{"maintenance_on_save: \"False\"", "maintenance_on_save", false, ""},
		{"maintenance_on_save: off", "maintenance_on_save", false, ""},
		{"maintenance_on_save: 0", "maintenance_on_save", false, ""},
		{"maintenance_on_save: never", "maintenance_on_save", true, "maintenance_on_save is 'never', expected true or false"},
		{"maintenance_on_save: {a: b}", "maintenance_on_save", true, "is a mapping, expected true or false"},
		{"depth_min_messages: '12'", "depth_min_messages", 12, ""},
		{"depth_min_messages: 12.0", "depth_min_messages", 12, ""},
		{"depth_min_messages: 12.5", "depth_min_messages", 8, "expected a whole number from 0 to 1000000000"},
		{"depth_min_messages: -1", "depth_min_messages", 8, "is '-1', expected"},
		{"depth_min_messages: 1e99", "depth_min_messages", 8, "is '1e99', expected"},
		{"recall_threshold: .nan", "recall_threshold", 0.7, "expected a number from 0 to 1"},
		{"recall_threshold: nan", "recall_threshold", 0.7, "expected a number from 0 to 1"},
		{"recall_threshold: 1.01", "recall_threshold", 0.7, "expected a number from 0 to 1"},
		{"recall_threshold: ", "recall_threshold", 0.7, ""},
		{"recall_threshold: ~", "recall_threshold", 0.7, ""},
		{"recall_threshold: ''", "recall_threshold", 0.7, "is '', expected"},
		{"recall_threshold: \"\\e[31m\\u202e\"", "recall_threshold", 0.7, `is '\x1b[31m\u202e', expected`},
		{"recall_threshold: 0.1\nrecall_threshold: 0.2", "recall_threshold", 0.2, "set twice"},
		{"a: &x 0.25\nrecall_threshold: *x", "recall_threshold", 0.25, "unknown key 'a'"},
		{"recal_threshold: 0.2", "recall_threshold", 0.7, "unknown key 'recal_threshold', did you mean 'recall_threshold'"},
		{"modules: [core, knowledge]", "modules", []string{"core", "knowledge"}, ""},
		{"modules: '[\"core\", \"code\"]'", "modules", []string{"core", "code"}, ""},
		{"modules: [core, nope]", "modules", []string{"core", "knowledge", "code", "extras"}, "expected a list of"},
		{"sign: true", "sign", "true", ""},
		{"autosave: Silent", "autosave", "silent", ""},
		{"transcripts: local", "transcripts", "local", ""},
		{"embedding_model: BAAI/bge-large-en-v1.5", "embedding_model", "BAAI/bge-large-en-v1.5", ""},
		{"embedding_model: ../../etc/model", "embedding_model", "e5-small-v2", "expected the name of a model"},
		{"embedding_model: /etc/model", "embedding_model", "e5-small-v2", "expected the name of a model"},
		{"embedding_model: https://example.org/m", "embedding_model", "e5-small-v2", "expected the name of a model"},
		{"knowledge_cache_ttl_seconds: 45.0", "knowledge_cache_ttl_seconds", 45.0, "no longer means anything"},
		{"_version: 1", "enabled", true, ""},
		{"\ufeffrecall_threshold: 0.5\r\nenabled: false\r\n", "enabled", false, ""},
		{"\ufeffrecall_threshold: 0.5\r\nenabled: false\r\n", "recall_threshold", 0.5, ""},
		{"", "enabled", true, ""},
		{"\ufeff", "enabled", true, ""},
		{"# nothing\n", "enabled", true, ""},
		{"enabled: false\x00", "enabled", true, "not valid YAML"},
		{"- enabled", "enabled", true, "not a list of"},
		{"enabled: [", "enabled", true, "not valid YAML"},
		{"enabled: false\n---\nenabled: true", "enabled", true, "more than one YAML document"},
		{strings.Repeat("[", 20000), "enabled", true, "not valid YAML"},
		{"enabled: false\n#" + strings.Repeat("x", maxFile), "enabled", true, "larger than 1 MB"},
	}
	for _, tt := range tests {
		c := load(t, Sources{User: write(t, "tuning.yaml", tt.line)})
		if diff := cmp.Diff(tt.want, c.Entry(tt.key).Value); diff != "" {
			t.Errorf("%.60q: %s (-want +got):\n%s", tt.line, tt.key, diff)
		}
		got := strings.Join(c.Warnings(), "\n")
		if (tt.warning == "") != (got == "") || !strings.Contains(got, tt.warning) {
			t.Errorf("%.60q: warnings %q, want %q", tt.line, got, tt.warning)
		}
	}
}

func TestBadValueFallsThrough(t *testing.T) {
	user := write(t, "tuning.yaml", "recall_threshold: 0.1\n")
	project := write(t, ".sage/tuning.yaml", "recall_threshold: high\n")
	c := load(t, Sources{Env: []string{"SAGE_RECALL_THRESHOLD=2"}, Project: project, User: user})
	want := Entry{
		Key: "recall_threshold", Value: 0.1, Source: "user " + user,
		Warning: "env SAGE_RECALL_THRESHOLD: recall_threshold is '2', expected a number from 0 to 1; ignored; " +
			"project " + project + ":1: recall_threshold is 'high', expected a number from 0 to 1; ignored",
		Bad: "2",
	}
	if diff := cmp.Diff(want, c.Entry("recall_threshold")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestBadProjectValueIsIgnored: the user has said nothing, so that nothing of theirs is bad.
func TestBadProjectValueIsIgnored(t *testing.T) {
	project := write(t, ".sage/tuning.yaml", "recall_threshold: 0.5\nenabled: 'x'\n")
	c := load(t, Sources{Project: project})
	want := Entry{Key: "enabled", Value: true, Source: "default", Warning: "project " + project + ":2: enabled is 'x', expected true or false; ignored"}
	if diff := cmp.Diff(want, c.Entry("enabled")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if e := load(t, Sources{User: project}).Entry("enabled"); e.Bad != "x" {
		t.Errorf("the user's own is %+v, want it to be bad", e)
	}
}

// A repository may tune, and may not take what is the user's.
// It is case F81.
func TestTrust(t *testing.T) {
	project := write(t, ".sage/tuning.yaml", "transcripts: shared\nrecall_threshold: 0.2\nenabled: false\n")
	user := write(t, "tuning.yaml", "transcripts: local\n")
	c := load(t, Sources{Project: project, User: user})
	if got := c.String("transcripts"); got != "local" {
		t.Errorf("transcripts = %s", got)
	}
	if c.Float("recall_threshold") != 0.2 || c.Bool("enabled") {
		t.Error("the project may not tune")
	}
	if w := c.Entry("transcripts").Warning; !strings.Contains(w, "user's own configuration only") {
		t.Errorf("warning %q", w)
	}
	for scope, want := range map[string]string{"system": "shared", "global": "shared", "command": "shared", "local": "off", "worktree": "off", "odd": "off"} {
		c := load(t, Sources{Git: gitConfig(map[string][2]string{"sage.transcripts": {"shared", scope}})})
		if got := c.String("transcripts"); got != want {
			t.Errorf("scope %s: %s, want %s", scope, got, want)
		}
	}
	same := load(t, Sources{Project: user, User: user})
	if got := same.String("transcripts"); got != "local" {
		t.Errorf("a home folder that is a repository: transcripts = %s", got)
	}
}

// Case F81: a project's settings are read and written through no link.
func TestLinks(t *testing.T) {
	real := write(t, "dot/tuning.yaml", "recall_threshold: 0.2\n")
	dir := t.TempDir()
	link := filepath.Join(dir, "tuning.yaml")
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err) // not allowed on every system
	}
	if err := os.Symlink(filepath.Dir(real), filepath.Join(dir, ".sage")); err != nil {
		t.Fatal(err)
	}
	if got := load(t, Sources{User: link}).Float("recall_threshold"); got != 0.2 {
		t.Errorf("the user's own link is not followed: %v", got)
	}
	for _, p := range []string{link, filepath.Join(dir, ".sage", "tuning.yaml")} {
		c := load(t, Sources{Project: p})
		if c.Float("recall_threshold") != 0.7 || len(c.Warnings()) != 1 || !strings.Contains(c.Warnings()[0], "symbolic link") {
			t.Errorf("%s: %v %q", p, c.Float("recall_threshold"), c.Warnings())
		}
		if err := (File{p, true}).Set("enabled", "false"); err == nil {
			t.Errorf("%s: written through a link", p)
		}
	}
	if err := (File{Path: link}).Set("enabled", "false"); err == nil {
		t.Error("the user's link is written through")
	}
	if c := load(t, Sources{Project: dir, User: dir + "/none"}); !strings.Contains(strings.Join(c.Warnings(), ""), "not a plain file") {
		t.Errorf("a folder: %q", c.Warnings())
	}
}

func TestFlagsAreErrors(t *testing.T) {
	for _, flags := range []map[string]string{{"recall_threshold": "2"}, {"recall_treshold": "0.2"}, {"durable": ""}} {
		if _, err := Load(Sources{Flags: flags}); err == nil {
			t.Errorf("%v is taken", flags)
		}
	}
}

func TestDuration(t *testing.T) {
	c := load(t, Sources{})
	if got := c.Duration("trigger_cooldown"); got != 30*time.Second {
		t.Errorf("trigger_cooldown = %v", got)
	}
	if got := c.Duration("checkpoint_max_age_days"); got != 90*24*time.Hour {
		t.Errorf("checkpoint_max_age_days = %v", got)
	}
	for _, k := range keys { // the greatest must not overflow
		if k.Unit != 0 && k.Max > float64(math.MaxInt64/k.Unit) {
			t.Errorf("%s: %v of %v overflow", k.Name, k.Max, k.Unit)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{"enabled: false\n", "modules: [core]\n", "a: &a [*a]\nenabled: *a", "? [a]\n: b", "<<: {enabled: false}", "enabled: !!binary aGk="} {
		f.Add([]byte(s))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		p := filepath.Join(dir, "tuning.yaml")
		if err := os.WriteFile(p, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, e := range load(t, Sources{Project: p, User: p + "x"}).Entries() {
			k, _ := Lookup(e.Key)
			if _, err := k.Parse(e.Text()); err != nil {
				t.Errorf("out of range: %v", err)
			}
			if k.UserOnly && e.Source != "default" {
				t.Errorf("%s was set by a project", k.Name)
			}
		}
	})
}
