package autosave

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/recall"
)

func TestAttended(t *testing.T) {
	for env, want := range map[string]bool{
		"":                                     true,
		"CLAUDE_CODE_ENTRYPOINT=cli":           true,
		"CLAUDE_CODE_ENTRYPOINT=claude-vscode": true,
		"CLAUDE_CODE_ENTRYPOINT=sdk-cli":       false,
		"CLAUDE_CODE_ENTRYPOINT=sdk-ts":        false,
		"CLAUDE_CODE_ENTRYPOINT=sdk-py":        false,
		"CLAUDE_CODE_SESSION_ATTENDED=0 CLAUDE_CODE_ENTRYPOINT=cli": false,
		"CLAUDE_CODE_SESSION_ATTENDED=1 CLAUDE_CODE_ENTRYPOINT=cli": true,
		"CI=true CLAUDE_CODE_SESSION_ATTENDED=1":                    false,
		"CI=false CLAUDE_CODE_ENTRYPOINT=cli":                       true,
	} {
		a := &Agent{World: World{Env: strings.Fields(env)}}
		if got := a.Attended(); got != want {
			t.Errorf("%q: %v", env, got)
		}
	}
}

func TestSentencesOfReminders(t *testing.T) {
	long := "We measured 340 ms at night; " + strings.Repeat("and more of it by day, ", 20) + "so the queue goes."
	for _, tool := range []string{"mcp__sage__sage_autosave_check", "mcp__plugin_sage_sage__sage_autosave_check"} {
		for _, said := range []string{"", "Short.", long, strings.Repeat("长", 500), "a\n\nb `c` \"d\""} {
			got := sentence(session.Reminder{Said: said, Why: "70% of the context is used"}, tool)
			if n := legible.EstimateTokens(got); n > mostRemindTokens || !strings.Contains(got, tool) || strings.Contains(got, "\n") {
				t.Errorf("%d tokens: %q", n, got)
			}
		}
		if got := sentence(session.Reminder{Said: long}, tool); !strings.Contains(got, `: "We measured 340 ms at night; and more of it by day`) || !strings.HasSuffix(got, `…"`) {
			t.Errorf("cut to %q", got)
		}
	}
}

func TestRoom(t *testing.T) {
	for _, tt := range []struct {
		model string
		env   []string
		s     Settings
		want  int
	}{
		{"claude-opus-5-5", nil, Settings{}, 967_000},
		{"claude-haiku-4-5", nil, Settings{}, 167_000},
		{"claude-sonnet-4-5[1m]", nil, Settings{}, 967_000},
		{"", nil, Settings{}, 167_000},
		{"claude-opus-5-5", []string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW=100000"}, Settings{}, 67_000},
		{"claude-opus-5-5", []string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW=no"}, Settings{}, 967_000},
		{"claude-opus-5-5", []string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW=100000"}, Settings{ContextWindow: 500_000}, 467_000},
		{"claude-haiku-4-5", []string{"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50"}, Settings{}, 90_000},
		{"", nil, Settings{ContextWindow: 1000}, 500},
		{"", []string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW=1"}, Settings{}, 1},
	} {
		a := &Agent{World: World{Env: tt.env}}
		if got := a.room(tt.s, tt.model); got != tt.want {
			t.Errorf("%s %v %+v: %d, want %d", tt.model, tt.env, tt.s, got, tt.want)
		}
	}
}

// FuzzMoment: whatever a memo says, it is looked at without harm.
func FuzzMoment(f *testing.F) {
	f.Add([]byte(`{"format":1,"transcript":"/a.jsonl","saved":{"checkpoint":"ab","offset":5,"turns":2,"output":9},"filled":7}`), 9, 40, 1000)
	f.Add([]byte(`{"format":1,"saved":{"offset":-5,"turns":-9223372036854775808}}`), 0, 0, 0)
	f.Add([]byte(`{"format":1,"told":["a"]}`), 1, 1, 1)
	f.Fuzz(func(t *testing.T, b []byte, turns, output, window int) {
		k := &trail{Trail: &session.Trail{Digest: transcript.New(transcript.Options{})}}
		if json.Unmarshal(b, &k.Memo) != nil {
			t.Skip("no memo")
		}
		k.Digest.Turns, k.Digest.Output, k.Digest.Window = turns, output, window
		a := &Agent{Memory: recall.New(recall.Options{})}
		s := Settings{Autosave: "ask", EveryTurns: 1, EveryTokens: 1, ContextThreshold: 70, Trigger: 0.6, Drift: 0.5}
		last := &turn{a, k, s}
		if m := last.moment(); m != nil {
			last.markReminded(m)
		}
	})
}
