package notes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// Record writes the notes of those commits that have none, and returns how many it wrote.
// Without a revision it looks at HEAD and the 20 commits before it that the branch made
// itself, for who commits faster than this is done.
func (ns *Notes) Record(ctx context.Context, revs ...string) (int, error) {
	how := []string{fmt.Sprintf("--max-count=%d", mostCommits), "--end-of-options"}
	if len(revs) == 0 {
		how, revs = []string{"--first-parent", fmt.Sprintf("--max-count=%d", mostBack)}, []string{"HEAD"}
	}
	list, err := ns.repo.Git.Run(ctx, slices.Concat([]string{"rev-list"}, how, revs, []string{"--"})...)
	if err != nil {
		return 0, listError(err, revs)
	}
	commits := strings.Fields(string(list))
	was := ns.rebased(ctx, commits)
	return ns.change(ctx, func(tip string) (map[string]note, error) {
		var missing []string
		for _, c := range commits {
			if n, err := ns.existing(tip, c); err != nil {
				return nil, err
			} else if len(n.checkpoints) == 0 {
				missing = append(missing, c)
			}
		}
		if len(missing) == 0 {
			return nil, nil
		}
		found, err := ns.look(ctx, tip, missing, true, was)
		if err != nil {
			return nil, err
		}
		return ns.complete(ctx, tip, found)
	})
}

// rebased says what the parent of the first of some commits was before it was rebased: git
// leaves that at ORIG_HEAD, and it has the same patch.
func (ns *Notes) rebased(ctx context.Context, commits []string) map[string][]string {
	if len(commits) == 0 {
		return nil
	}
	out, err := ns.repo.Git.Run(ctx, "rev-parse", "--verify", "-q", "--end-of-options", "ORIG_HEAD")
	old := strings.TrimSpace(string(out))
	if err != nil || !ns.repo.IsID(old) {
		return nil
	}
	o, err := ns.repo.Object(commits[0])
	if err != nil {
		return nil
	}
	var r record.Record
	if r.ParseCommit(o.Data); len(r.Parents) != 1 || r.Parents[0] == old {
		return nil
	}
	patches, err := ns.patches(ctx, []string{old, r.Parents[0]})
	if p := patches[old]; err != nil || p == "" || p != patches[r.Parents[0]] {
		return nil
	}
	return map[string][]string{commits[0]: {old}}
}

// Rewritten has the notes of commits follow them to those that a rebase or an amend made of
// them, of several that became one all: pairs are lines of an old and a new id, as git gives
// them to its post-rewrite hook. What was saved between a commit and its amend explains it,
// too.
func (ns *Notes) Rewritten(ctx context.Context, pairs string, amended bool) (int, error) {
	was := map[string][]string{}
	for l := range strings.Lines(pairs) {
		if f := strings.Fields(l); len(f) >= 2 && ns.repo.IsID(f[0]) && ns.repo.IsID(f[1]) && f[0] != f[1] {
			was[f[1]] = append(was[f[1]], f[0])
		}
	}
	if len(was) == 0 {
		return 0, nil
	}
	return ns.change(ctx, func(tip string) (map[string]note, error) {
		commits := slices.Sorted(maps.Keys(was))
		found := map[string]note{}
		if amended {
			var err error
			if found, err = ns.made(ctx, commits, was); err != nil {
				return nil, err
			}
		}
		for _, c := range commits {
			n := newNote().with(found[c])
			for _, old := range was[c] {
				from, err := ns.existing(tip, old)
				if err != nil {
					return nil, err
				}
				n = n.with(from)
			}
			if found[c] = n; n.isEmpty() {
				delete(found, c)
			}
		}
		return ns.complete(ctx, tip, found)
	})
}

// existing is the note on a commit at a tip, "" if there are none yet.
func (ns *Notes) existing(tip, commit string) (note, error) {
	if tip == "" {
		return newNote(), nil
	}
	return ns.at(tip, commit)
}

// complete puts what was found into the notes that there are, with the patches of the commits.
func (ns *Notes) complete(ctx context.Context, tip string, found map[string]note) (map[string]note, error) {
	patches, err := ns.patches(ctx, slices.Sorted(maps.Keys(found)))
	if err != nil {
		return nil, err
	}
	private, err := ns.repo.PrivateCheckpoints(ctx) // notes leave
	if err != nil {
		return nil, err
	}
	for c, n := range found {
		maps.DeleteFunc(n.checkpoints, func(id, _ string) bool { return private[id] != "" })
		have, err := ns.existing(tip, c)
		if err != nil {
			return nil, err
		}
		if n = have.with(n); patches[c] != "" {
			n.patches[patches[c]] = true
		}
		if found[c] = n; n.isEmpty() {
			delete(found, c)
		}
	}
	return found, nil
}
