package contents

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// The knowledge tree is one ref whose tree holds files: knowledge items, pinned
// notes, templates, notes of lines. Every change of it is a commit. What is private lies at the
// same paths below a folder of its own, on another ref.

// IsItemPath reports whether an item should lie at a path.
func IsItemPath(file string) bool {
	dir, _, _ := strings.Cut(Public(file), "/")
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
	PrivateDir   = "private"
)

// NotePath is where it is noted what became of a line.
func NotePath(line string) string { return LinesDir + "/" + line + ".yaml" }

// Private is where the file of a path lies while it is private.
func Private(file string) string { return PrivateDir + "/" + file }

// Public is where a file lies that is not private.
func Public(file string) string { return strings.TrimPrefix(file, PrivateDir+"/") }

// IsPrivate reports whether what lies at a path stays in this clone.
func IsPrivate(file string) bool { return strings.HasPrefix(file, PrivateDir+"/") }

// Half is the commit of a state of the knowledge that has what lies at a path, "" is none.
func Half(state, file string) string {
	shared, private := refname.Halves(state)
	if IsPrivate(file) {
		return private
	}
	return shared
}
