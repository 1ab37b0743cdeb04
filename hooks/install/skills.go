package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A SkillResult says what was done with a skill, in words for people.
type SkillResult struct {
	Path string // the file
	Did  string // "" if all was as it should be
	Kept string // what of it stays as its owner wants it, which is as it should be
	Left string // why it was left as it is, although it is not as it should be
}

// Install puts a skill onto the shelf, or brings the one that lies there to the text of
// k: what was edited keeps its edits, and is left as it is where they touch what has
// changed. Another's file of that name is left as well.
func (sh *Shelf) Install(k Skill) (SkillResult, error) { return sh.retry(k, sh.bring) }

// Update is [Shelf.Install] for what lies there already.
func (sh *Shelf) Update(k Skill) (SkillResult, error) {
	return sh.retry(k, func(t *target, k Skill, r *shelved) (SkillResult, error) {
		if t.missing {
			return SkillResult{Path: t.named}, nil
		}
		return sh.bring(t, k, r)
	})
}

// Uninstall takes a skill off, with the folders that were made for it. One that was
// edited is left: nobody else has those words.
func (sh *Shelf) Uninstall(k Skill) (SkillResult, error) { return sh.retry(k, sh.take) }

// retry does something with a skill again if somebody else wrote it meanwhile.
func (sh *Shelf) retry(k Skill, do func(*target, Skill, *shelved) (SkillResult, error)) (r SkillResult, err error) {
	for range 5 {
		var t *target
		if t, err = open(sh.Path(k.Name), sh.follow); err != nil {
			return r, err
		}
		if r, err = do(t, k, sh.record()); !errors.Is(err, errBusy) {
			break
		}
	}
	return r, err
}

func (sh *Shelf) bring(t *target, k Skill, r *shelved) (SkillResult, error) {
	out := SkillResult{Path: t.named}
	text := []byte(k.Text)
	switch sh.state(t, k, r) {
	case SkillEdited:
		out.Kept = "was edited, and this version has nothing new; kept as it is"
		return out, nil
	case SkillForeign:
		out.Left = "is another skill of that name; left as it is"
		return out, nil
	case SkillCurrent:
		text = nil
	case SkillMissing:
		out.Did = "added"
	case SkillOlder:
		out.Did = "updated to this version"
	case SkillBoth:
		merged, ok, err := sh.Merge([]byte(r.Skills[k.Name].Text), t.data, text)
		if err != nil {
			return out, fmt.Errorf("%s: %w", t.named, err)
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
func (sh *Shelf) put(t *target, k Skill, text []byte, r *shelved) error {
	b := bound{Text: k.Text, Made: r.Skills[k.Name].Made}
	if t.missing {
		t.mode = 0o644
		dirs := t.toMake()
		if b.Made = len(dirs) > 0; len(dirs) > 1 {
			r.Dirs = dirs[1:]
		}
	}
	if text != nil {
		if err := t.replace(text); err != nil {
			return err
		}
	}
	if r.Skills[k.Name] == b {
		return nil
	}
	r.Skills[k.Name] = b
	return sh.note(r)
}

func (sh *Shelf) take(t *target, k Skill, r *shelved) (SkillResult, error) {
	out := SkillResult{Path: t.named}
	b, known := r.Skills[k.Name]
	ours := string(t.data) == k.Text || known && string(t.data) == b.Text
	switch {
	case t.missing && !known:
		return out, nil
	case !t.missing && !ours && !known:
		out.Left = "is another skill of that name; left as it is"
		return out, nil
	case !t.missing && !ours:
		out.Left = "was edited; left as it is: remove it by hand if you want"
		return out, nil
	case !t.missing:
		out.Did = "removed"
	}
	if sh.place.DryRun {
		return out, nil
	}
	return out, sh.drop(t, k, b, known, r)
}

func (sh *Shelf) drop(t *target, k Skill, b bound, known bool, r *shelved) error {
	own := filepath.Dir(t.path)
	var err error
	switch {
	case t.missing && b.Made:
		_ = os.Remove(own) // if nobody uses it
	case t.missing:
	case b.Made || !known:
		err = t.delete([]string{own})
	default:
		err = t.delete(nil)
	}
	if err != nil || !known {
		return err
	}
	delete(r.Skills, k.Name)
	return sh.note(r)
}
