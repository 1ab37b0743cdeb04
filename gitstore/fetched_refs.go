package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// newFetching reads our refs and what remotes had. It is an error if there
// is nothing that was fetched from a remote that is named, or from any.
func (s *Store) newFetching(ctx context.Context, at time.Time, remotes []string) (*fetching, error) {
	refs, err := s.refs(ctx, headsPrefix, forksPrefix, tagsPrefix, KnowledgeRef, remotePrefix)
	if err != nil {
		return nil, err
	}
	f := &fetching{s: s, ctx: ctx, h: s.joinGraph(ctx), local: map[string]string{}, offers: map[string][]offer{}, known: map[string][]offer{}, waits: s.readPatience(), at: at}
	seen := map[string]bool{}
	for _, r := range refs {
		remote, name := tracks(r.name)
		if remote == "" {
			f.local[r.name] = r.id
			continue
		}
		seen[remote] = true
		f.known[name] = append(f.known[name], offer{remote, r.id})
		if len(remotes) == 0 || slices.Contains(remotes, remote) {
			f.offers[name] = append(f.offers[name], offer{remote, r.id})
		}
	}
	if err := s.unfetched(ctx, remotes, seen); err != nil {
		return f, err
	}
	return f, f.verify()
}

// verify judges all that is offered, before anything of it is taken in.
func (f *fetching) verify() (err error) {
	if f.v, err = f.s.verifier(f.ctx, false); err != nil {
		return err
	}
	var tips []string
	records := map[string]fates{}
	for name, offers := range f.offers {
		for _, o := range offers {
			tips = append(tips, o.id)
			if name == KnowledgeRef && !f.v.accepted[o.id] {
				if records[o.id], err = f.s.othersRecords(f.ctx, o.id); err != nil {
					f.v.verdicts[o.id] = err
				}
			}
		}
	}
	return f.v.judgeAll(tips, records)
}

// fetchCommand is what to type to fetch all of a remote that MergeFetched takes in.
// refs/sage/* would bring along what the remote itself fetched.
func (s *Store) fetchCommand(remote string, options ...string) string {
	cmd := strings.Join(append([]string{s.PlainGit(), "fetch"}, options...), " ")
	word := InShell(remote)
	if word != remote {
		cmd += " --"
	}
	cmd += " " + word
	for _, kind := range []string{"heads/", "forks/", "tags/", "knowledge"} {
		cmd += " " + quotedShell("+refs/sage/"+kind+"*:"+remotePrefix+remote+"/"+kind+"*")
	}
	return cmd
}

// trackingRef is where what a remote has of a ref of ours is kept.
func trackingRef(remote, ref string) string {
	return remotePrefix + remote + "/" + strings.TrimPrefix(ref, "refs/sage/")
}

func quotedShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// InShell is a word as a shell takes it, in quotes only where it needs them.
func InShell(s string) string {
	if s == "" || strings.HasPrefix(s, "-") || strings.Trim(s, plainInShell) != "" {
		return quotedShell(s)
	}
	return s
}

// plainInShell are characters that no shell takes for anything else.
const plainInShell = "-./_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// tracks takes refs/sage/remotes/<remote>/<rest> apart. The name is that of our own
// ref. Of any other ref the remote is "".
func tracks(ref string) (remote, name string) {
	rest, ok := strings.CutPrefix(ref, remotePrefix)
	if !ok {
		return "", ref
	}
	remote, name, _ = strings.Cut(rest, "/")
	return remote, "refs/sage/" + name
}

// tags makes the tags that are not here. One that is here stays: others rely on it.
func (f *fetching) tags() error {
	for _, name := range f.names(tagsPrefix) {
		p := plan{Fetched: Fetched{Ref: name, Old: f.local[name]}}
		at := p.Old
		for _, o := range f.offers[name] {
			switch {
			case o.id == at || !f.fit(&p, o):
			case at == "":
				at, p.Act, p.New, p.Remotes = o.id, FetchedNew, o.id, []string{o.remote}
			default:
				f.refuse(Fetched{Ref: name, Old: p.Old, Remotes: []string{o.remote}},
					fmt.Errorf("it is %s there and %s here; a tag does not change, choose another name", short(o.id), short(at)))
			}
		}
		if p.New != "" {
			f.planned = append(f.planned, p)
		}
	}
	return f.ctx.Err()
}

// forks brings forks forward and folds those that their line contains.
func (f *fetching) forks() error {
	if len(f.names(forksPrefix)) == 0 && len(f.out) == 0 {
		return nil // nothing can have changed
	}
	for _, name := range f.names(forksPrefix) {
		if checkRef(name) == nil {
			f.offers[name] = slices.DeleteFunc(f.offers[name], func(o offer) bool { return f.folded(name, o.id) })
		}
		if err := f.bring(name, f.h.join); err != nil {
			return err
		}
	}
	if err := f.apply(); err != nil {
		return err
	}
	for name, id := range f.local {
		if strings.HasPrefix(name, forksPrefix) && f.folded(name, id) {
			f.planned = append(f.planned, plan{Fetched: Fetched{Ref: name, Act: FetchedFolded, Old: id}})
		}
	}
	slices.SortFunc(f.planned, func(a, b plan) int { return strings.Compare(a.Ref, b.Ref) })
	return f.ctx.Err()
}

// folded reports whether the line of a fork contains id.
func (f *fetching) folded(fork, id string) bool {
	line, _, _ := strings.Cut(strings.TrimPrefix(fork, forksPrefix), "/")
	if f.h.contains(f.local[headRef(line)], id) {
		return true
	}
	if f.notes == nil {
		f.notes = f.s.notes(f.ctx)
	}
	now := nowCalled(f.notes, line)
	return now != line && f.h.contains(f.local[headRef(now)], id)
}

// apply does what is planned: all refs in one transaction or, if something keeps
// that from succeeding, each by itself.
func (f *fetching) apply() error {
	plans := f.planned
	f.planned = nil
	if len(plans) == 0 {
		return nil
	}
	var objects []loose.Object
	for _, p := range plans {
		objects = append(objects, p.objects...)
	}
	if err := f.s.put(f.ctx, objects...); err != nil {
		return err
	}
	err := f.move(plans...)
	if err == nil || errors.Is(err, errMoved) || len(plans) == 1 {
		return f.report(err, plans...)
	}
	for _, p := range plans {
		if err := f.report(f.move(p), p); err != nil {
			return err
		}
	}
	return nil
}

func (f *fetching) move(plans ...plan) error {
	var objects []loose.Object
	var moves []move
	for _, p := range plans {
		objects = append(objects, p.objects...)
		moves = append(moves, move{p.Ref, p.Old, p.New})
	}
	_, err := f.s.moveTo(f.ctx, fetchedSays, objects, moves, nil, making{sums: f.s.ownJoins(objects), at: f.at})
	return err
}

// ownJoins are the joins among some objects that hold nothing but one's own.
func (s *Store) ownJoins(objects []loose.Object) (ids []string) {
	for _, o := range objects {
		var r Record
		if o.Type != "commit" || !r.parseCommit(o.Data) || !r.isJoin() {
			continue
		}
		foreign := slices.ContainsFunc(r.Parents, func(p string) bool {
			at, err := s.skipTombstones(p)
			return err != nil || !s.isOwn(at)
		})
		if !foreign {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

func (f *fetching) report(err error, plans ...plan) error {
	switch {
	case errors.Is(err, errMoved) || f.ctx.Err() != nil:
		return cmp.Or(err, f.ctx.Err())
	case err != nil:
		f.refuse(plans[0].Fetched, err)
		return nil
	}
	for _, p := range plans {
		f.out = append(f.out, p.Fetched)
		if f.local[p.Ref] = p.New; p.New == "" {
			delete(f.local, p.Ref)
		}
	}
	return nil
}

// isNewer reports whether a commit says that it is of a format that this version
// does not know.
func isNewer(raw []byte) bool {
	msg := strings.TrimRight(string(raw), "\n")
	_, after, _ := strings.Cut(msg[strings.LastIndex(msg, "\n\n")+1:], "Sage-Format: ")
	word, _, _ := strings.Cut(after, "\n")
	n, err := strconv.Atoi(word)
	return err != nil || n > formatVersion
}
