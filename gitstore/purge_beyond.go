package gitstore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
)

// packsWith are the indexes of the packs here that hold an object.
func (s *Store) packsWith(id string) (out []string) {
	files, _ := filepath.Glob(filepath.Join(s.where.objects, "pack", "*.idx"))
	for _, f := range files {
		if x, err := packs.Read(f, s.idSize()); err == nil && x.Has(id) {
			out = append(out, f)
		}
	}
	return out
}

// beyond says where copies may be that a purge of this repository does not reach.
func (p *purge) beyond(remotes []string) (out []string) {
	for _, r := range remotes {
		out = append(out, fmt.Sprintf("the remote '%s', which had it when it was last fetched from: --push replaces it there", r))
	}
	if b, err := fsx.ReadFile(filepath.Join(p.s.where.objects, "info", "alternates")); err == nil {
		for _, dir := range strings.Fields(string(b)) {
			out = append(out, fmt.Sprintf("the repository that this one borrows objects from, %s", dir))
		}
	}
	out = append(out,
		"clones of others: each lets go of it when it has fetched and run 'git sage merge --fetched'",
		"what a server, a mirror, a fork on a hosting service or a backup of this disk has copied",
	)
	return out
}

// A PurgePush is a ref of a remote that held what is purged.
type PurgePush struct {
	Remote, Ref string // its name there, in full
	Old, New    string // ids; New is "" for a ref that is to go
	Err         error  // why the remote did not take it
}

// PushPurged replaces on every remote the refs that hold what was purged, each
// only if it still has the value that was seen. It is the only push with force
// there is.
func (s *Store) PushPurged(ctx context.Context) (out []PurgePush, err error) {
	names, err := s.git.Run(ctx, "remote")
	if err != nil {
		return nil, fmt.Errorf("list remotes: %w", err)
	}
	for _, remote := range strings.Fields(string(names)) {
		pushes, e := s.pushesTo(ctx, remote)
		for i := range pushes {
			pushes[i].Err = s.push(ctx, &pushes[i])
		}
		out = append(out, pushes...)
		if e != nil {
			err = errors.Join(err, fmt.Errorf("remote '%s': %w", remote, e))
		}
	}
	return out, err
}

// pushesTo asks a remote what it has, and says what must change there.
func (s *Store) pushesTo(ctx context.Context, remote string) (out []PurgePush, err error) {
	list, err := s.outside(remote).Run(ctx, "ls-remote", "--refs", "--upload-pack=git-upload-pack", "--end-of-options", remote, "refs/sage/*", notesRef)
	if err != nil {
		return nil, err
	}
	for l := range strings.Lines(string(list)) {
		id, ref, ok := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		if !ok || !isID(id) {
			continue
		}
		now, gone := s.purged(id)
		if gone && strings.HasPrefix(ref, tagsPrefix) {
			now = ""
		}
		if ref == knowledgeRef {
			now = s.withRecords(ctx, id, now)
		}
		if now != id {
			out = append(out, PurgePush{Remote: remote, Ref: ref, Old: id, New: now})
		}
	}
	return out, nil
}

// withRecords is what a remote's knowledge tree is to become: ours, which has the
// records, if it holds all that the remote has.
func (s *Store) withRecords(ctx context.Context, old, now string) string {
	tip, err := s.tip(ctx, knowledgeRef)
	if err == nil && tip != "" && now != old && s.isAncestor(ctx, now, tip) {
		return tip
	}
	return now
}

func (s *Store) push(ctx context.Context, p *PurgePush) error {
	_, err := s.outside(p.Remote).Run(ctx, "push", "--quiet", "--no-verify", "--no-signed", "--receive-pack=git-receive-pack",
		"--force-with-lease="+p.Ref+":"+p.Old, "--end-of-options", p.Remote, p.New+":"+p.Ref)
	if err != nil {
		return err
	}
	tracking := remotePrefix + p.Remote + "/" + strings.TrimPrefix(p.Ref, "refs/sage/")
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
