package plugin

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func configured(t *testing.T, text string) (Config, error) {
	t.Helper()
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, File), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(home)
}

func TestWhatIsAskedFor(t *testing.T) {
	s := New(Config{})
	for seen, want := range map[Kind][]string{
		SessionStarted:     {StartSession},
		SessionEnded:       {EndSession},
		CompactionDetected: {StartSession, SaveRecovery, WriteMarker},
		CheckpointCreated:  {Queue},
	} {
		if got := s.Ask(seen); !slices.Equal(got, want) {
			t.Errorf("%v: %q, want %q", seen, got, want)
		}
	}
	first := 0
	s = New(Config{Plugins: map[string]Setting{"session": {Disabled: true}, "recovery": {Priority: &first}}})
	if got := s.Ask(CompactionDetected); !slices.Equal(got, []string{SaveRecovery, WriteMarker}) {
		t.Errorf("without sessions: %q", got)
	}
}

func TestConfiguration(t *testing.T) {
	for _, tt := range []struct {
		text  string
		names []string
		score float64 // -1 is the default
	}{
		{"", []string{"session", "checkpoint-queue", "recovery"}, -1},
		{"# nothing\n", []string{"session", "checkpoint-queue", "recovery"}, -1},
		{"plugins:\n", []string{"session", "checkpoint-queue", "recovery"}, -1},
		{"plugins:\n  recovery:\n", []string{"session", "checkpoint-queue", "recovery"}, -1},
		{"plugins:\n  recovery:\n    enabled: true\n    priority: 5\n    settings:\n      salience_threshold: 0.7\n", []string{"recovery", "session", "checkpoint-queue"}, 0.7},
		{"plugins:\n  session: {enabled: false}\n  recovery: {settings: {salience_threshold: 0}}\n", []string{"checkpoint-queue", "recovery"}, 0},
		{"plugins: {session: {priority: 200}, checkpoint-queue: {priority: 200}}", []string{"recovery", "session", "checkpoint-queue"}, -1},
	} {
		c, err := configured(t, tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
		}
		if got := New(c).Names(); !slices.Equal(got, tt.names) {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.names)
		}
		score := -1.0
		if c.Salience != nil {
			score = *c.Salience
		}
		if score != tt.score {
			t.Errorf("%q: salience_threshold %v, want %v", tt.text, score, tt.score)
		}
	}
	if c, err := Load(t.TempDir()); err != nil || c.Plugins != nil {
		t.Errorf("no file: %v %v", c, err)
	}
}

// What is no YAML is one clear line, and using the defaults.
func TestBrokenConfiguration(t *testing.T) {
	for text, want := range map[string]string{
		"plugins: [":                            "line 1",
		strings.Repeat("# long\n", maxFile/7+1): "at most 64 kB",
		"\x00\x01":                              "",
	} {
		c, err := configured(t, text)
		if err == nil || c.Plugins != nil || c.Salience != nil {
			t.Errorf("%.60q: %v, %v", text, c, err)
			continue
		}
		if msg := err.Error(); !strings.Contains(msg, want) || strings.Contains(msg, "\n") || !strings.Contains(msg, File) || !strings.HasSuffix(msg, "using the defaults") {
			t.Errorf("%.60q: %s", text, msg)
		}
	}
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, File), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(home); err == nil {
		t.Error("a folder is no configuration")
	}
}

// A mistake costs what it stands in and nothing beside it, and is named with its line.
func TestMistakesInTheConfiguration(t *testing.T) {
	const beside = "  checkpoint-queue: {enabled: false}\n"
	for text, wants := range map[string][]string{
		"  recovery: [1]\n":                                           {"line 2: keys with their values are wanted"},
		"  recovery:\n    priority: soon\n":                           {"line 3: priority is a whole number"},
		"  mine: {}\n":                                                {"line 2: no plugin 'mine', only checkpoint-queue, recovery, session"},
		"  recovery: {enable: true}\n":                                {"line 2: no key 'enable', only enabled, priority, settings"},
		"  recovery: {enabled: perhaps}\n":                            {"line 2: enabled is true or false"},
		"  session: {settings: {salience_threshold: 0.5}}\n":          {"line 2: the plugin session has no settings; salience_threshold is one of the plugin recovery"},
		"  recovery: {settings: {salience: 0.5}}\n":                   {"no setting 'salience', only salience_threshold"},
		"  recovery: {settings: {salience_threshold: 1.5}}\n":         {"from 0 to 1"},
		"  recovery: {settings: {salience_threshold: .nan}}\n":        {"from 0 to 1"},
		"  recovery: {settings: {salience_threshold: high}}\n":        {"line 2: salience_threshold is a number from 0 to 1"},
		"  recovery: {enabled: true}\n  recovery: {enabled: false}\n": {"line 3: 'recovery' is there twice"},
		"  my\tplugin: {}\n  recovery: {prio: 1}\n  \"b\\nc\": {}\n":  {"line 2: no plugin 'my plugin'", "line 3: no key 'prio'", "line 4: no plugin 'b c'"},
	} {
		c, err := configured(t, "plugins:\n"+text+beside)
		if err == nil {
			t.Errorf("%q: nothing is said", text)
			continue
		}
		for _, want := range wants {
			if msg := err.Error(); !strings.Contains(msg, want) || strings.Contains(msg, "\n") || !strings.Contains(msg, File) || !strings.HasSuffix(msg, "; ignored, the rest is used") {
				t.Errorf("%q: %s, want %q", text, msg, want)
			}
		}
		if got := New(c).Names(); !slices.Equal(got, []string{"session", "recovery"}) {
			t.Errorf("%q: what stands beside it: %q", text, got)
		}
	}
	c, err := configured(t, "plugin: {}\nplugins:\n"+beside+"  recovery: {priority: 1, enabled: maybe, settings: {salience_threshold: 0.7}}\n")
	if err == nil || !strings.Contains(err.Error(), "line 1: no key 'plugin', only plugins; line 4: enabled is true or false") {
		t.Errorf("%v", err)
	}
	if got := New(c).Names(); !slices.Equal(got, []string{"recovery", "session"}) || c.Salience == nil || *c.Salience != 0.7 {
		t.Errorf("%q, %v", got, c.Salience)
	}
	if c, err := configured(t, "a: &a [x]\nb: &b [*a, *a]\nplugins: *b\n"); err == nil || len(c.Plugins) > 0 {
		t.Errorf("%v %v", c, err)
	}
}
