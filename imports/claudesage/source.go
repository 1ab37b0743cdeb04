package claudesage

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/git-sage/git-sage/imports"
)

// Tool is the name of the tool.
const Tool = "claude-sage"

// A Source reads the folders of the tool.
type Source struct {
	Folders []*Folder // .sage of projects and of the user
	Skills  *Folder   // Claude Code's folder of skills; nil is none
	Now     func() time.Time

	last   map[*Folder]string // name of the newest checkpoint of each
	listed map[*Folder]listed // what Names found in each, for Each that follows it
}

// Tool is the name of the tool.
func (s *Source) Tool() string { return Tool }

// Names are those of the items.
func (s *Source) Names(ctx context.Context) (names []imports.Name, err error) {
	s.listed = map[*Folder]listed{}
	err = s.in(s.Folders, func(f *Folder) error {
		list, problems, err := s.listings(ctx, f)
		s.listed[f] = listed{list, problems}
		for _, l := range list {
			names = append(names, imports.Name{Own: f.Own, Name: l.name, ID: l.id})
		}
		text, _ := f.Text("shared_memory.md")
		for _, in := range insightsOf(text) {
			names = append(names, imports.Name{Own: f.Own, Name: in.name, ID: in.id})
		}
		for _, t := range s.taskLines(f, &imports.Record{}) {
			if t.Type == "knowledge" {
				names = append(names, imports.Name{Own: f.Own, Name: t.ID, ID: t.Data.KnowledgeID})
			}
		}
		return err
	})
	return names, err
}

// Each yields all that the folders hold.
func (s *Source) Each(ctx context.Context, fn func(imports.Record) error) error {
	s.last = map[*Folder]string{}
	err := s.in(s.Folders, func(f *Folder) error {
		noting := func(r imports.Record) error {
			if _, ok := r.Thing.(imports.Checkpoint); ok {
				s.last[f] = r.Name
			}
			return fn(r)
		}
		if err := s.eachCheckpoint(ctx, f, noting); err != nil {
			return err
		}
		if err := s.eachItem(ctx, f, fn); err != nil {
			return err
		}
		for _, each := range []func(*Folder, yield) error{s.coreFiles, s.notes, s.insights, s.tasks, s.templates, s.settings, s.histories, s.nameLeftOut} {
			if err := each(f, fn); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if err == nil && s.Skills != nil {
		err = s.in([]*Folder{s.Skills}, func(f *Folder) error { return s.skills(f, fn) })
	}
	return err
}

// in calls fn with each folder, open.
func (s *Source) in(folders []*Folder, fn func(*Folder) error) error {
	for _, f := range folders {
		if err := f.open(); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			return err
		}
		err := fn(f)
		f.close()
		if err != nil {
			return err
		}
	}
	return nil
}

// missing reports whether a file of a project is not there. Only its folder is asked, for the
// name and nothing else.
func (s *Source) missing(f *Folder, file string) bool {
	root, err := os.OpenRoot(filepath.Dir(f.Dir))
	if err != nil {
		return false
	}
	defer root.Close()
	_, err = root.Lstat(file)
	return errors.Is(err, fs.ErrNotExist)
}
