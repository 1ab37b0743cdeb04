package autosave

import (
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/hooks/distill"
)

// Settings are the tunables of automatic saves; the front end reads them from wherever
// configuration lies. Zero values switch off what they count.
type Settings struct {
	Autosave    string        // autosave: ask, suggest or silent; else nothing is told or saved
	EveryTurns  int           // autosave_every_turns
	EveryTokens int           // autosave_every_tokens, of answers
	Cooldown    time.Duration // trigger_cooldown

	Trigger      float64 // trigger_threshold; 0 and 1 recognise nothing
	Drift        float64 // topic_drift_threshold; 0 is never
	QuestionDrop float64 // convergence_question_drop

	ContextThreshold int           // context_threshold, per cent
	ContextWindow    int           // context_window, tokens; 0 is what the model has
	ContextCooldown  time.Duration // context_cooldown

	Distill distill.Settings // distill and its kin
}

func (a *Agent) settings() Settings {
	if a.Settings == nil {
		return Settings{}
	}
	return a.Settings(a.Memory)
}

// Tokens of the client's: it compacts by itself when less than reserve of the window is
// left, and a percentage that is set in its environment is one of the window less
// output.
const (
	reserve     = 33_000
	output      = 20_000
	usualWindow = 200_000
	largeWindow = 1_000_000
)

// room is how many tokens the client will use before it compacts by itself, for a
// session with this model.
func (a *Agent) room(s Settings, model string) int {
	window := windowOf(model)
	if n := a.number("CLAUDE_CODE_AUTO_COMPACT_WINDOW"); n > 0 {
		window = min(window, n)
	}
	if s.ContextWindow > 0 {
		window = s.ContextWindow
	}
	room := max(window-reserve, window/2) // one so small is none of the client's
	if n := a.number("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"); n > 0 && n <= 100 && window > output {
		room = min(room, (window-output)*n/100)
	}
	return max(room, 1)
}

// windowOf is the window of a model, in tokens, as the client names it.
func windowOf(model string) int {
	if strings.Contains(model, "opus-5") || strings.HasSuffix(model, "[1m]") {
		return largeWindow
	}
	return usualWindow
}

// number is that of an environment variable, 0 for none.
func (a *Agent) number(name string) int {
	n, _ := strconv.Atoi(a.getenv(name))
	return n
}
