package purge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/cleanse"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// finish removes what the refs do not need any more, and proves it. All of it may
// be done again.
func (p *purge) finish(ctx context.Context) (out Purged, err error) {
	if out.PurgePlan, err = p.plan(ctx, p.moved); err != nil {
		return out, remedy.For(fmt.Errorf("purge: %w", err), remedy.RunAgain.On("finish"))
	}
	var failed error // of parts: it keeps nothing else from being removed
	for _, step := range []func(context.Context) error{
		p.s.expireLogs,
		func(ctx context.Context) error {
			parts, err := p.cleanParts(ctx, part.Remove)
			out.Conversations, out.Unreachable, failed = len(parts.Held), p.beyond(parts.Beyond), err
			return ctx.Err()
		},
		func(context.Context) error { return p.cleanFiles() },
		p.s.forgetOld,
		func(ctx context.Context) error { return p.removeObjects(ctx, &out) },
		p.removeTemps,
		func(context.Context) error { return failed },
	} {
		if err := step(ctx); err != nil {
			return out, remedy.For(fmt.Errorf("purge: %w", err), remedy.RunAgain.On("finish"))
		}
	}
	err = p.prove(ctx, &out)
	if err == nil {
		err = fsx.SyncDir(p.s.repo.Dir())
	}
	if err != nil {
		return out, remedy.For(fmt.Errorf("purge: %w", err), remedy.RunAgain.On("verify"))
	}
	return out, nil
}

// cleanParts has every part carry out a step, whatever becomes of the others.
func (p *purge) cleanParts(ctx context.Context, step part.Step) (all part.Cleaned, err error) {
	r := part.Rule{
		Step:    step,
		Path:    p.req.Path,
		Match:   p.req.Match,
		Holds:   func(string) bool { return false },
		Without: func(text string) string { return text },
		Gone:    maps.Clone(p.clean.Rule.Drop),
	}
	if m := p.clean.Rule.Match; m != nil {
		r.Holds = func(text string) bool { return len(p.outsideIDs(m, text)) > 0 }
		r.Without = func(text string) string { return p.clean.Replace(m, text) }
	}
	known := p.s.rewritten.Purges() // also of one that was killed, and of somebody else's
	r.Changed = func(id string) bool { return known[id].Old() }
	for id, x := range known {
		if x.Gone && p.req.Match == "" && p.req.Path == "" {
			r.Gone[id] = true
		}
	}
	err = p.s.parts.Each(func(one part.Part) error {
		c, err := one.Clean(ctx, r)
		all.Held, all.Unread, all.Beyond = append(all.Held, c.Held...), all.Unread+c.Unread, append(all.Beyond, c.Beyond...)
		return err
	})
	return all, err
}

// removeObjects removes what was replaced, and again while another process brings
// some of it back: a gc that had looked before, or a save that is taking itself back.
// Before that, or behind a purge that was killed, the graph of commits is written anew:
// one that names what is gone is damage to git.
func (p *purge) removeObjects(ctx context.Context, out *Purged) error {
	graph := len(p.s.readPurging().objects) > 0
	for range 3 {
		d, err := p.doomed(ctx)
		if err == nil && (graph || len(d.doomed) > 0) {
			err = p.s.regraph(ctx)
			graph = false
		}
		if err != nil {
			return err
		}
		n, err := p.s.remove(ctx, d.doomed)
		out.Objects += n
		out.Left = d.left
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
	}
	p.s.repo.Batch.Close() // which holds packs open that are gone
	err := fsx.Remove(p.s.PurgingFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// prove reads every object that git can read here, and every file of ours, and
// looks for what was purged.
func (p *purge) prove(ctx context.Context, out *Purged) error {
	known := p.s.rewritten.Purges()
	m := p.clean.Rule.Match
	err := p.s.repo.Git.EveryObject(ctx, m != nil, func(id, typ string, data []byte) {
		out.Searched++
		switch _, befell := known[id]; {
		case befell && !slices.ContainsFunc(out.Left, func(l PurgeLeft) bool { return l.Name == id }):
			out.Left = append(out.Left, p.left(ctx, id))
		case m != nil && !befell && len(p.outsideIDs(m, string(searched(typ, data, p.s.repo.IDSize())))) > 0:
			out.Left = append(out.Left, p.left(ctx, id))
		}
	})
	if err != nil {
		return err
	}
	parts, failed := p.cleanParts(ctx, part.Prove)
	for _, l := range parts.Held {
		out.Left = append(out.Left, PurgeLeft{Name: l.Name, Why: l.Why})
	}
	if m == nil {
		return failed
	}
	for _, f := range append(p.s.ownFiles(), p.s.LogFiles()...) {
		b, err := fsx.ReadOwn(f)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || f == p.s.rewritten.PurgeIndexFile() {
			continue
		}
		if err != nil {
			return err
		}
		if len(p.outsideIDs(m, string(b)+"\n"+filepath.Base(f))) > 0 {
			out.Left = append(out.Left, PurgeLeft{Name: f, Why: "the file still holds it"})
		}
	}
	return failed
}

// outsideIDs are the matches that are no part of the id of an object.
func (p *purge) outsideIDs(m cleanse.Matcher, s string) [][]int {
	return slices.DeleteFunc(cleanse.Joined(m(s)), func(at []int) bool { return p.clean.InID(s, at) })
}

// left says what keeps an object.
func (p *purge) left(ctx context.Context, id string) PurgeLeft {
	l := PurgeLeft{Name: id}
	in := p.s.packsWith(id)
	for _, pack := range in {
		name := strings.TrimSuffix(pack, ".idx")
		for _, ext := range []string{".keep", ".promisor"} {
			if _, err := fsx.Lstat(name + ext); err == nil {
				l.Why = "in " + filepath.Base(name) + ", protected by a " + ext + " file; delete that file and purge again"
				return l
			}
		}
	}
	if ref := p.s.refWith(ctx, id); ref != "" {
		l.Why = "'" + refname.ShortRef(ref) + "' still holds it: it was purged in another clone, whose new history is not here yet: push it from there first"
		l.Remedies = []remedy.Remedy{remedy.FetchAndPurge.On()}
		return l
	}
	if _, err := fsx.Lstat(filepath.Join(p.s.repo.Where.Objects, id[:2], id[2:])); err == nil || len(in) > 0 {
		l.Why = "something of yours holds it (a branch, tag, stash, reflog or index), or a line that was purged in another clone and not fetched yet"
		return l
	}
	l.Why = "it is in the repository that this one borrows objects from (objects/info/alternates); purge there"
	return l
}

// refWith is a ref of ours whose history has a commit, "" if none has, or it is none.
func (pu *Purger) refWith(ctx context.Context, id string) string {
	out, err := pu.repo.Git.Run(ctx, "for-each-ref", "--count=1", "--format=%(refname)", "--contains="+id, "refs/sage/")
	if err != nil {
		return ""
	}
	return git.Text(out)
}
