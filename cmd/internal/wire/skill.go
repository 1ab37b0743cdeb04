package wire

import (
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// Skill is what --json prints of a skill.
type Skill struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Content     string   `json:"content,omitempty"` // show alone prints it
	Known       bool     `json:"known"`             // it is in the knowledge tree
	Docs        []string `json:"docs"`
	Files       []string `json:"files"` // of .claude/skills
	Items       []string `json:"items"`
	Checkpoints int      `json:"checkpoints"`
}

// SkillOf is a skill without its text.
func SkillOf(s recall.Skill) Skill {
	return Skill{
		Name: s.Name, Description: s.About(), Known: s.Known != nil,
		Docs: names(s.Docs), Items: names(s.Items), Checkpoints: len(s.Checkpoints),
		Files: lists.Map(s.Files, func(f recall.SkillFile) string { return f.Path }),
	}
}

func names(items []recall.Known) []string {
	return lists.Map(items, func(k recall.Known) string { return k.Item.ID })
}
