package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A PurgePush is a ref of a remote that held what is purged, or the records of it.
type PurgePush struct {
	Remote, Ref string // its name there, in full
	Old, New    string // ids; New is "" for a ref that is to go, Old for a new one
	Err         error  // why the remote did not take it
}

// PushPurged replaces on every remote the refs that hold what was purged, each
// only if it still has the value that was seen, and pushes the records, by which
// clones that still have it let go of it. It is the only push with force there is.
func (s *Store) PushPurged(ctx context.Context) (out []PurgePush, err error) {
	remotes, err := s.remotes(ctx)
	if err != nil {
		return nil, err
	}
	v, err := s.verifier(ctx, true)
	if err != nil {
		return nil, err
	}
	for _, remote := range remotes {
		pushes, e := s.pushesTo(ctx, remote)
		for i := range pushes {
			if pushes[i].Err == nil && pushes[i].New != "" && pushes[i].Ref != notesRef {
				pushes[i].Err = v.mayLeave(pushes[i].New)
			}
			if pushes[i].Err == nil {
				pushes[i].Err = s.push(ctx, &pushes[i])
			}
		}
		out = append(out, pushes...)
		if e = about(remote, e); err != nil && e != nil {
			err = fmt.Errorf("%w; %w", err, e)
		} else if e != nil {
			err = e
		}
	}
	return out, err
}

// mayLeave returns an error unless a push of tip carries off memory and nothing else.
func (v *verifier) mayLeave(tip string) error {
	if err := v.verdict(tip); err != nil {
		return fmt.Errorf("not pushed, it holds what is no memory: %w; 'git sage purge --foreign' takes that out", err)
	}
	return nil
}

// about says which remote did not answer.
func about(remote string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it did not answer in %s; 'git sage purge --finish --push' tries again: %w", git.Timeout, err)
	}
	return fmt.Errorf("remote '%s': %w", sage.OneLine(remote), err)
}

// pushesTo asks a remote what it has, and says what must change there. The records
// come first: whoever fetches in between, and has the old history, knows it for that.
func (s *Store) pushesTo(ctx context.Context, remote string) (out []PurgePush, err error) {
	list, err := s.outside(remote).Run(ctx, "ls-remote", "--refs", "--upload-pack=git-upload-pack", "--end-of-options", remote, "refs/sage/*", notesRef)
	if err != nil {
		return nil, err
	}
	memory, records := false, PurgePush{Remote: remote, Ref: KnowledgeRef}
	for l := range strings.Lines(string(list)) {
		id, ref, ok := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		if !ok || !isID(id) {
			continue
		}
		memory = memory || ref != notesRef
		now, gone := s.purged(id)
		if gone && strings.HasPrefix(ref, tagsPrefix) {
			now = ""
		}
		if ref == KnowledgeRef {
			records.Old, records.New = id, now
		} else if now != id {
			out = append(out, PurgePush{Remote: remote, Ref: ref, Old: id, New: now, Err: s.toPush(now)})
		}
	}
	if !memory {
		return out, nil
	}
	records.New, records.Err = s.withRecords(ctx, records.Old, records.New)
	if records.New != records.Old || records.Err != nil {
		out = append([]PurgePush{records}, out...)
	}
	return out, nil
}

// toPush returns an error if what took the place of a ref's value is not here: another
// clone made it.
func (s *Store) toPush(id string) error {
	if id == "" {
		return nil
	}
	_, err := s.object(id)
	if errors.Is(err, git.ErrMissing) {
		return errors.New("what a purge elsewhere made of it is not here: whoever purged it has to push; then fetch, and run 'git sage merge --fetched'")
	}
	return err
}

// withRecords is what a remote's knowledge tree is to become, so that it says what
// was purged: ours, if it holds all that the remote has. A remote that has none
// gets the records, which hold ids only, and no other file.
func (s *Store) withRecords(ctx context.Context, old, now string) (string, error) {
	tip, err := s.tip(ctx, KnowledgeRef)
	if err != nil || tip == "" || len(s.purges()) == 0 {
		return now, err
	}
	if old == "" {
		return s.recordsAlone(ctx, tip)
	}
	has, err := s.purgeRecords(ctx, old)
	switch {
	case err == nil && now == old && s.purges().within(has):
		return now, nil
	case s.isAncestor(ctx, now, tip):
		return tip, nil
	case now == old:
		return now, errors.New("it has what was not fetched; fetch it, run 'git sage merge --fetched', and this again")
	}
	return now, nil
}

// within reports whether all that f knows is in others.
func (f fates) within(others fates) bool {
	for old := range f {
		if _, ok := others[old]; !ok {
			return false
		}
	}
	return true
}

// recordsAlone is a commit with what the knowledge tree at tip says of purges.
func (s *Store) recordsAlone(ctx context.Context, tip string) (string, error) {
	root, err := s.batch.Get(tip + "^{tree}")
	if err != nil {
		return "", fmt.Errorf("read what was purged: %w", err)
	}
	entries := parseTree(root.Data, s.idSize())
	own := slices.DeleteFunc(slices.Clone(entries), func(e treeEntry) bool { return e.name != purgedDir })
	switch len(own) {
	case 0:
		return "", nil
	case len(entries):
		return tip, nil
	}
	tree := s.objects.New("tree", encodeTree(own...))
	w := &work{kind: kindKnowledge, now: s.o.Now()}
	w.fill(ctx, s, true)
	c := commit{tree: tree.ID, author: w.author.stamp(w.now), committer: w.committer.stamp(w.now),
		message: fmt.Sprintf("records of purges\n\nSage-Format: %d\nSage-Kind: %s\n", plainFormat(), kindKnowledge)}
	o := s.objects.New("commit", c.encode())
	return o.ID, s.put(ctx, tree, o)
}

// pushTime bounds a push, which may be of all that there is and over a slow line.
const pushTime = time.Hour

func (s *Store) push(ctx context.Context, p *PurgePush) error {
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	_, err := s.outside(p.Remote).Run(ctx, "push", "--quiet", "--no-verify", "--no-signed", "--receive-pack=git-receive-pack",
		"--force-with-lease="+p.Ref+":"+p.Old, "--end-of-options", p.Remote, p.New+":"+p.Ref)
	if err != nil {
		return err
	}
	tracking := trackingRef(p.Remote, p.Ref)
	if tip, err := s.tip(ctx, tracking); err == nil && tip != "" && tip != p.New {
		return s.move(ctx, "sage: push what was purged", move{tracking, tip, p.New})
	}
	return nil
}

// outside is a git that talks to a remote. Programs are taken from the user's own
// configuration and never from the repository's.
func (s *Store) outside(string) *git.Runner {
	ssh, ok := s.UserConfig("core.sshcommand")
	if !ok {
		ssh = "ssh"
	}
	ask, _ := s.UserConfig("core.askpass")
	return s.git.Remote("core.sshCommand="+ssh, "core.askPass="+ask, "core.gitProxy=none")
}
