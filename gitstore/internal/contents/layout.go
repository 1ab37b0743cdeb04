package contents

import "strings"

// The knowledge tree is one ref whose tree holds files: knowledge items, pinned
// notes, templates, notes of lines. Every change of it is a commit.

// IsItemPath reports whether an item should lie at a path.
func IsItemPath(file string) bool {
	dir, _, _ := strings.Cut(file, "/")
	return (dir == ItemsDir || dir == SystemDir || dir == SkillsDir) && strings.HasSuffix(file, ".md")
}

// Items of knowledge lie at knowledge/<2 digits>/<id>.md: a flat folder of 10,000
// costs 400 kB a save, 256 of them 10. Pinned notes, skills and their texts are few,
// and lie in one folder each.
const (
	ItemsDir  = "knowledge"
	SystemDir = "system"
	LinesDir  = "lines"
	SkillsDir = "skills"

	TemplatesDir = "templates"
)
