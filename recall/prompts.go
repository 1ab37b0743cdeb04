package recall

import (
	"encoding/json"
	"path/filepath"

	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/rank"
)

func (sh *shelf) promptFile() string { return filepath.Join(sh.Store.SidecarDir(), "prompts.json") }

// prompts are those of the model, read once; none if what is kept is damaged or of another one.
func (sh *shelf) prompts() rank.PromptLog {
	if sh.log == nil {
		l := sh.readPrompts()
		sh.log = &l
	}
	return *sh.log
}

func (sh *shelf) readPrompts() (l rank.PromptLog) {
	model := ""
	if sh.Model != nil {
		model = sh.Model.Model().Name
	}
	b, err := plainfile.Read(sh.promptFile(), mostKept)
	if err != nil || json.Unmarshal(b, &l) != nil || l.Model != model {
		return rank.PromptLog{Model: model}
	}
	return l
}

// learn keeps how much the best candidate had for a prompt, or does not: then it counts for
// one less.
func (sh *shelf) learn(ranked []rank.Scored) {
	l := sh.prompts()
	l.Add(ranked)
	if b, err := json.Marshal(l); err == nil && sh.Store.SidecarDir() != "" {
		_ = plainfile.Write(sh.promptFile(), b)
	}
}
