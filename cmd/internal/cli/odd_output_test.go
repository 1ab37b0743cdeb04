package cli

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
)

// nasty is what a stranger may put into a text: sequences that a terminal obeys
// (CSI, OSC 0, 8 and 52, DCS, C1), bell, backspace, a line that overwrites itself,
// overrides of direction, zero width, tags that spell hidden letters, selectors.
const nasty = "\x1b[31mred\x1b]0;title\a\x1b]8;;http://x\x1b\\link\x1b]52;c;ZXZpbA==\a\x1bPq\x1b\\ \u009b31m \b\b\b\rover \u202egpj.\u2066exe\u2069 pass\u200bword \U000e0068\U000e0069 a\ufe01 \x7f"

// harmless hidden characters: what real scripts and emoji need stays as it is.
const innocent = "👨\u200d👩\u200d👧 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f می\u200cخواهم שלום\u200f! 葛\U000e0100 ❤\ufe0f"

// Cases L168, L169 and F89: whatever stands in a checkpoint, in a name of a person,
// a branch or a folder, in an option or an error, a person's terminal is told only
// what can be seen.
func TestOutputIsVisible(t *testing.T) {
	root := t.TempDir()
	prepareTouched(t, root)
	repo := filepath.Join(root, "repo \x1b[31m\u202e")
	if err := os.Rename(filepath.Join(root, "repo"), repo); err != nil {
		t.Skip(err) // a name that this file system has not
	}
	draft := nastyDraft(t)
	play := func(stdin string, tty bool, args ...string) string {
		t.Helper()
		var b strings.Builder
		a := apptest.New(root)
		a.Dir, a.In, a.Out, a.Err, a.TTY, a.Width = repo, strings.NewReader(stdin), &b, &b, tty, 60
		a.Env = append(a.Env, "GIT_CONFIG_COUNT=3", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Eve\x1b[31m\u202e",
			"GIT_CONFIG_KEY_1=user.email", "GIT_CONFIG_VALUE_1=e\x1b[31mve@x", "GIT_CONFIG_KEY_2=color.ui", "GIT_CONFIG_VALUE_2=false")
		run(a, args)
		return b.String()
	}
	check := func(stdin string, args ...string) {
		t.Helper()
		for _, tty := range []bool{false, true} {
			out := play(stdin, tty, args...)
			bad := strings.IndexFunc(out, obeyed)
			if slices.ContainsFunc(args, func(s string) bool { return s == "--json" || s == "--raw" || s == "export" }) { // exact, and escaped as the format is
				bad = strings.IndexFunc(out, func(r rune) bool { return r != '\n' && unicode.IsControl(r) })
			}
			if bad >= 0 {
				t.Errorf("%q tty %v: %q", args, tty, out[max(0, bad-60):min(len(out), bad+20)])
			}
		}
	}
	play(draft, false, "checkpoint", "save", "-F", "-")
	check(draft, "checkpoint", "save", "-F", "-")
	out := play("", false, "log", "--all")
	for _, want := range []string{innocent, `\u{1b}[31mred\u{1b}]0;title\u{7}`, `\u{202e}gpj.\u{2066}exe\u{2069}`, `Eve\u{1b}[31m\u{202e}`, `project repo \u{1b}[31m\u{202e}`} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(touchCases)) {
		for _, c := range touchCases[path] {
			if !strings.HasPrefix(path, "git sage mcp") && !strings.HasPrefix(path, "git sage hook") { // which speak JSON
				check(c.stdin, strings.Fields(c.args)...)
			}
		}
	}
	for _, args := range [][]string{{"log"}, {"log", "--oneline", "--all", "--graph"}, {"show", "main~1"}, {"show", "--raw", "main~1"}, {"diff", "main~3", "main"},
		{"checkpoint", "restore", "main"}, {"export", "main"}, {"merge", "main", "--thesis", nasty}, {"checkpoint", "save", "-m", nasty}, {"log", "--format=%s %b %an %ae", "--author", "Eve"},
		{nasty}, {"show", nasty}, {"show", "--" + nasty}, {"-C", nasty, "log"}, {"checkpoint", "save", "-F", nasty}, {"branch", nasty}, {"switch", nasty}, {"tag", nasty}, {"log", "--grep", nasty}, {"log", "--since", nasty},
		{"checkpoint", "save", "-m", "x", "--trigger", nasty}, {"checkpoint", "save", "-m", "x", "-c", nasty}, {"checkpoint", "save", "-m", "x", "--source", nasty}, {"checkpoint", "save", "-m", "x", "--template", nasty},
		{"config", "set", nasty, "1"}, {"config", "set", "skill", nasty}, {"templates", "show", nasty}, {"templates", "rm", nasty}, {"log", "--", nasty}, {"rev-parse", nasty}, {"checkpoint", "rm", nasty}, {"help", nasty}, {"completion", nasty}, {"redact", "test", nasty}} {
		check("", args...)
	}
}

// obeyed reports whether a terminal would obey r, or not show it.
func obeyed(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200b || r == 0xfe01
}

// nastyDraft has nasty in every text.
func nastyDraft(t *testing.T) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{
		"core_question": nasty, "thesis": nasty + "\n\n" + innocent, "description": nasty, "confidence": 0.5, "reasoning_trace": nasty,
		"key_evidence": []string{nasty, innocent}, "open_questions": []string{nasty}, "skill": "a", "files_explored": []string{nasty}, "files_changed": []string{nasty},
		"sources":  []map[string]string{{"id": nasty, "type": "document", "relation": "supports", "take": nasty, "identifier": nasty}},
		"tensions": []map[string]any{{"between": []string{nasty, "b"}, "nature": nasty, "resolution": "unresolved"}},
		"action":   map[string]string{"goal": nasty, "type": "decision"}, "fields": map[string]any{nasty: nasty}, "session": nasty, "agent": nasty,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
