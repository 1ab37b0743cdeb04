package purge

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/cleanse"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// finish removes what the refs do not need any more, and proves it. All of it may
// be done again.
func (p *purge) finish(ctx context.Context) (out Purged, err error) {
	if out.PurgePlan, err = p.plan(ctx, p.moved); err != nil {
		return out, fmt.Errorf("purge: %w; run it again to finish it", err)
	}
	for _, step := range []func(context.Context) error{
		p.s.expireLogs,
		func(context.Context) error { return p.cleanFiles() },
		func(ctx context.Context) (err error) {
			out.Conversations, err = p.cleanConversations(ctx)
			return err
		},
		p.s.forgetOld,
	} {
		if err := step(ctx); err != nil {
			return out, fmt.Errorf("purge: %w; run it again to finish it", err)
		}
	}
	if err := p.removeObjects(ctx, &out); err != nil {
		return out, fmt.Errorf("purge: %w; run it again to finish it", err)
	}
	if err := p.removeTemps(ctx); err != nil {
		return out, fmt.Errorf("purge: %w; run it again to finish it", err)
	}
	err = p.prove(ctx, &out)
	if err == nil {
		err = fsx.SyncDir(p.s.repo.Dir())
	}
	if err != nil {
		return out, fmt.Errorf("purge: %w; run it again to be sure", err)
	}
	return out, nil
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

// maxSearched bounds an object that is searched, in bytes. What is larger is
// nothing of ours.
const maxSearched = 64 << 20

// prove reads every object that git can read here, and every file of ours, and
// looks for what was purged.
func (p *purge) prove(ctx context.Context, out *Purged) error {
	known := p.s.rewritten.Purges()
	m := p.clean.Rule.Match
	err := everyObject(ctx, p.s.repo.Git, m != nil, func(id, typ string, data []byte) {
		out.Searched++
		switch _, befell := known[id]; {
		case befell && !slices.ContainsFunc(out.Left, func(l PurgeLeft) bool { return l.Name == id }):
			out.Left = append(out.Left, PurgeLeft{id, p.why(ctx, id)})
		case m != nil && !befell && len(p.outsideIDs(m, string(searched(typ, data, p.s.repo.IDSize())))) > 0:
			out.Left = append(out.Left, PurgeLeft{id, p.why(ctx, id)})
		}
	})
	if err == nil {
		err = p.proveConversations(ctx, out)
	}
	if err != nil || m == nil {
		return err
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
			out.Left = append(out.Left, PurgeLeft{f, "the file still holds it"})
		}
	}
	return nil
}

// outsideIDs are the matches that are no part of the id of an object.
func (p *purge) outsideIDs(m cleanse.Matcher, s string) [][]int {
	return slices.DeleteFunc(cleanse.Joined(m(s)), func(at []int) bool { return p.clean.InID(s, at) })
}

// why says what keeps an object.
func (p *purge) why(ctx context.Context, id string) string {
	in := p.s.packsWith(id)
	for _, pack := range in {
		name := strings.TrimSuffix(pack, ".idx")
		for _, ext := range []string{".keep", ".promisor"} {
			if _, err := fsx.Lstat(name + ext); err == nil {
				return "it lies in " + filepath.Base(name) + ", which is marked by a " + ext + " file: remove that, and purge again"
			}
		}
	}
	if ref := p.s.refWith(ctx, id); ref != "" {
		return "'" + repo.ShortRef(ref) + "' holds it: what a purge elsewhere made of it has not come here; once that was pushed, fetch it, and run 'git sage merge --fetched' and 'git sage purge --finish'"
	}
	if _, err := fsx.Lstat(filepath.Join(p.s.repo.Where.Objects, id[:2], id[2:])); err == nil || len(in) > 0 {
		return "something of yours in this repository holds it: a branch, a tag, a stash, a log or an index; or a line does, whose history as a purge elsewhere left it has not come here yet"
	}
	return "it lies in another repository that this one borrows objects from (objects/info/alternates): purge there"
}

// refWith is a ref of ours whose history has a commit, "" if none has, or it is none.
func (pu *Purger) refWith(ctx context.Context, id string) string {
	out, err := pu.repo.Git.Run(ctx, "for-each-ref", "--count=1", "--format=%(refname)", "--contains="+id, "refs/sage/")
	if err != nil {
		return ""
	}
	return repo.Text(out)
}

// everyObject calls fn with every object that run can read, with its content if
// that is wanted.
func everyObject(ctx context.Context, run *git.Runner, content bool, fn func(id, typ string, data []byte)) error {
	args := []string{"cat-file", "--batch-all-objects", "--unordered", "--batch-check"}
	if content {
		args[3] = "--batch"
	}
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := run.Pipe(ctx, nil, w, args...)
		_ = w.CloseWithError(err)
		done <- err
	}()
	in := bufio.NewReaderSize(r, 1<<20)
	for {
		head, err := in.ReadString('\n')
		if err != nil {
			break
		}
		f := strings.Fields(head)
		if len(f) != 3 {
			continue
		}
		data, err := objectBody(in, f[2], content)
		if err != nil {
			_ = r.CloseWithError(err)
			break
		}
		fn(f[0], f[1], data)
	}
	return <-done
}

func objectBody(in *bufio.Reader, size string, content bool) ([]byte, error) {
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil || !content {
		return nil, err
	}
	data := make([]byte, min(n, maxSearched))
	if _, err := io.ReadFull(in, data); err != nil {
		return nil, err
	}
	_, err = io.CopyN(io.Discard, in, n-int64(len(data))+1)
	return data, err
}
