package stores

import (
	"encoding/json"
	"path/filepath"

	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/rank"
)

func (src *Source) promptFile() string {
	return filepath.Join(src.Store.Knowledge.SidecarDir(), "prompts.json")
}

// Prompts are those of the model, read once; none if what is kept is damaged or of another one.
func (src *Source) Prompts() rank.PromptLog {
	if src.log == nil {
		l := src.readPrompts()
		src.log = &l
	}
	return *src.log
}

func (src *Source) readPrompts() (l rank.PromptLog) {
	model := ""
	if src.Model != nil {
		model = src.Model.Model().Name
	}
	b, err := plainfile.Read(src.promptFile(), mostKept)
	if err != nil || json.Unmarshal(b, &l) != nil || l.Model != model {
		return rank.PromptLog{Model: model}
	}
	return l
}

// Learn keeps how much the best candidate had for a prompt, or does not: then it counts for
// one less.
func (src *Source) Learn(ranked []rank.Scored) {
	l := src.Prompts()
	l.Add(ranked)
	if b, err := json.Marshal(l); err == nil && src.Store.Knowledge.SidecarDir() != "" {
		_ = plainfile.Write(src.promptFile(), b)
	}
}
