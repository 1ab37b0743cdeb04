// Package skills puts texts for a model into the folders where Claude Code looks for them, and
// takes them out again. A skill becomes its owner's: the record has the text that was
// written, so that edits can be told from an older version, kept when another comes, and
// left when all goes.
package skills

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/hooks/install/internal/disk"
)

// A Result says what was done with a skill, in words for people.
type Result struct {
	Path string // the file
	Did  string // "" if all was as it should be
	Kept string // what of it stays as its owner wants it, which is as it should be
	Left string // why it was left as it is, although it is not as it should be
}

// Install puts a skill onto the shelf, or brings the one that lies there to the text of
// k: what was edited keeps its edits, and is left as it is where they touch what has
// changed. Another's file of that name is left as well.
func (sh *Shelf) Install(k Skill) (Result, error) { return sh.retry(k, sh.bring) }

// Update is [Shelf.Install] for what lies there already.
func (sh *Shelf) Update(k Skill) (Result, error) {
	return sh.retry(k, func(t *disk.File, k Skill, r *shelved) (Result, error) {
		if t.Missing {
			return Result{Path: t.Named}, nil
		}
		return sh.bring(t, k, r)
	})
}

// Uninstall takes a skill off, with the folders that were made for it. One that was
// edited is left: nobody else has those words.
func (sh *Shelf) Uninstall(k Skill) (Result, error) { return sh.retry(k, sh.take) }

// retry does something with a skill again if somebody else wrote it meanwhile.
func (sh *Shelf) retry(k Skill, do func(*disk.File, Skill, *shelved) (Result, error)) (r Result, err error) {
	for range 5 {
		var t *disk.File
		if t, err = disk.Open(sh.Path(k.Name), sh.follow); err != nil {
			return r, err
		}
		if r, err = do(t, k, sh.record()); !errors.Is(err, disk.ErrBusy) {
			break
		}
	}
	return r, err
}

func (sh *Shelf) bring(t *disk.File, k Skill, r *shelved) (Result, error) {
	out := Result{Path: t.Named}
	text := []byte(k.Text)
	switch sh.state(t, k, r) {
	case Edited:
		out.Kept = "was edited, and this version has nothing new; kept as it is"
		return out, nil
	case Foreign:
		out.Left = "is another skill of that name; left as it is"
		return out, nil
	case Current:
		text = nil
	case Missing:
		out.Did = "added"
	case Older:
		out.Did = "updated to this version"
	case Both:
		merged, ok, err := sh.Merge([]byte(r.Skills[k.Name].Text), t.Data, text)
		if err != nil {
			return out, fmt.Errorf("%s: %w", t.Named, err)
		}
		if !ok {
			out.Left = fmt.Sprintf("was edited where this version differs; left as it is: compare with 'git sage agent-skills show %s'", k.Name)
			return out, nil
		}
		out.Did, text = "updated to this version, with its edits", merged
	}
	if sh.place.DryRun {
		return out, nil
	}
	return out, sh.put(t, k, text, r)
}

// put writes a text, nil if it is there already, and then its record: should the two be
// torn apart, the next time finds the text of this version and records it.
func (sh *Shelf) put(t *disk.File, k Skill, text []byte, r *shelved) error {
	b := bound{Text: k.Text, Made: r.Skills[k.Name].Made}
	if t.Missing {
		t.Mode = 0o644
		dirs := t.MissingFolders()
		if b.Made = len(dirs) > 0; len(dirs) > 1 {
			r.Dirs = dirs[1:]
		}
	}
	if text != nil {
		if err := t.Replace(text); err != nil {
			return err
		}
	}
	if r.Skills[k.Name] == b {
		return nil
	}
	r.Skills[k.Name] = b
	return sh.note(r)
}

func (sh *Shelf) take(t *disk.File, k Skill, r *shelved) (Result, error) {
	out := Result{Path: t.Named}
	b, known := r.Skills[k.Name]
	ours := string(t.Data) == k.Text || known && string(t.Data) == b.Text
	switch {
	case t.Missing && !known:
		return out, nil
	case !t.Missing && !ours && !known:
		out.Left = "is another skill of that name; left as it is"
		return out, nil
	case !t.Missing && !ours:
		out.Left = "was edited; left as it is: remove it by hand if you want"
		return out, nil
	case !t.Missing:
		out.Did = "removed"
	}
	if sh.place.DryRun {
		return out, nil
	}
	return out, sh.drop(t, k, b, known, r)
}

func (sh *Shelf) drop(t *disk.File, k Skill, b bound, known bool, r *shelved) error {
	own := filepath.Dir(t.Path)
	var err error
	switch {
	case t.Missing && b.Made:
		_ = os.Remove(own) // if nobody uses it
	case t.Missing:
	case b.Made || !known:
		err = t.Delete([]string{own})
	default:
		err = t.Delete(nil)
	}
	if err != nil || !known {
		return err
	}
	delete(r.Skills, k.Name)
	return sh.note(r)
}
