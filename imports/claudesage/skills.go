package claudesage

import (
	"path"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
)

// skills yields the skills that the tool manages among Claude Code's, with their plain.Texts. f is the
// folder of all skills.
func (s *Source) skills(f *Folder, fn yield) error {
	for _, skill := range f.folders(".") {
		file := skill + "/SKILL.md"
		text, problems := f.Text(file)
		h := plain.SplitHead(text)
		if plain.Scalar(h.Head, "sage_managed") != "true" {
			continue
		}
		rec := imports.Record{Lies: f.Where(file), Name: skill, Own: true, Problems: problems}
		for _, p := range h.Problems {
			rec.Problems = append(rec.Problems, *f.note(file, "front matter: "+p))
		}
		it := &sage.Item{ID: skill, Type: sage.Skill, Description: legible.OneLine(plain.Scalar(h.Head, "description")), Content: strings.Trim(h.Body, "\n"), Added: s.modified(f, file)}
		rec.Thing = imports.Item{Item: it, Shelf: "skills"}
		if err := fn(rec); err != nil {
			return err
		}
		if err := s.skillTexts(f, skill, fn); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) skillTexts(f *Folder, skill string, fn yield) error {
	for _, e := range f.list(path.Join(skill, "docs"), ".md", ".txt") {
		rec := imports.Record{Lies: f.Where(e.name), Name: e.name, Own: true}
		if e.problem != nil {
			rec.Problems = append(rec.Problems, *e.problem)
		} else if text, problems := f.Text(e.name); strings.TrimSpace(text) != "" {
			rec.Problems = problems
			it := &sage.Item{ID: shelfID(e.name), Type: sage.Doc, Content: strings.Trim(text, "\n"), Added: s.modified(f, e.name)}
			rec.Thing = imports.Item{Item: it, Shelf: "skills/" + imports.FitName(skill)}
		}
		if err := fn(rec); err != nil {
			return err
		}
	}
	if _, err := f.Lstat(path.Join(skill, "scripts")); err == nil {
		if d := len(f.list(path.Join(skill, "scripts"), ".py", ".sh", ".js")); d > 0 {
			return fn(imports.Record{Lies: f.Where(skill), Problems: []imports.Problem{*f.note(skill+"/scripts", "scripts stay where they are; Claude Code runs them from there")}})
		}
	}
	return nil
}
