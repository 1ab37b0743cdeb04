package vault

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"filippo.io/age"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/notes"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// maxRaces bounds how often a push starts over because another reader pushed first.
const maxRaces = 20

// Push gives a vault those of some refs, by our own names, that it has not, with what they
// hold: whoever calls it has seen to it that this may leave. One that does not continue what
// the vault has is left out and named: fetch, merge, and push again. Nothing that the vault
// has is taken from it but what was purged.
//
// It goes by what was read of the vault last; where another reader pushed since, the remote
// refuses, and that is taken in first. Killed anywhere, the remote has all of it or nothing,
// and the next fetch reads what it has.
func (v *Vault) Push(ctx context.Context, r Remote, refs map[string]string) (Report, error) {
	return v.visiting(ctx, r, func(vi *visit) error { return vi.push(refs) })
}

func (vi *visit) push(refs map[string]string) error {
	seen, err := vi.stage.tip(vi.ctx)
	if err != nil || seen == "" || seen != vi.state.Commit {
		if err := vi.takeIn(); err != nil {
			return err
		}
	}
	for range maxRaces {
		d, err := vi.prepare(refs)
		if err != nil || d.commit == "" {
			return err
		}
		err = vi.stage.push(vi.ctx, vi.state.Commit, d.commit)
		if err == nil {
			return vi.pushed(d)
		}
		if vi.state.Number == 0 && isOtherFormat(err) { // an empty remote does not say it to a fetch
			if err := vi.stage.create(vi.ctx, "sha256"); err != nil {
				return err
			}
			continue
		}
		seen := vi.state.Commit
		if taken := vi.takeIn(); taken != nil || vi.state.Commit == seen {
			return cmp.Or(taken, err)
		}
	}
	return repo.ErrOutraced
}

func isOtherFormat(err error) bool {
	var e *git.Error
	return errors.As(err, &e) && e.OtherFormat()
}

// A draft is the chunk that a push adds.
type draft struct {
	manifest
	refs   map[string]string // all that the vault will have
	pushed []string          // names of those that change
	to     []age.Recipient
	used   []string
	stay   []piece // of the vault

	id, commit string
	bytes      int
}

// prepare makes the commit that a push adds; without an id if there is nothing new.
func (vi *visit) prepare(refs map[string]string) (d draft, err error) {
	vi.report.Refs, vi.report.Behind = nil, nil
	if d, err = vi.draft(refs); err != nil || len(d.Refs) == 0 && !d.Base {
		return d, err
	}
	pack, err := vi.pack(d)
	if err != nil {
		return d, err
	}
	sealed, id, err := seal(d.manifest, pack, d.to)
	if err != nil {
		return d, fmt.Errorf("encrypt: %w", err)
	}
	d.id, d.bytes = id, len(sealed)
	d.commit, err = vi.stage.commit(vi.ctx, vi.state.Commit, d.stay, d.Number, sealed)
	return d, err
}

// pushed records what the remote took.
func (vi *visit) pushed(d draft) error {
	vi.state = vi.state.take(chunk{manifest: d.manifest, id: d.id})
	vi.state.Commit, vi.state.Used = d.commit, d.used
	if err := vi.arrive(); err != nil {
		return err
	}
	if d.Base {
		vi.stage.tidy(vi.ctx)
	}
	vi.report.Refs, vi.report.Bytes, vi.report.Base = d.pushed, d.bytes, d.Base && d.Number > 1 // the first holds all as well
	return nil
}

// draft decides what the next chunk is.
func (vi *visit) draft(refs map[string]string) (d draft, err error) {
	if d.used, err = vi.accepted(); err != nil {
		return d, err
	}
	if len(d.used) == 0 {
		err := errors.New("nobody is accepted as a reader of what is encrypted")
		if named, _ := vi.proposed(); len(named) == 0 {
			return d, remedy.For(err, remedy.MakeKey.On(), remedy.AddReader.On())
		}
		return d, remedy.For(err, remedy.AcceptReaders.On())
	}
	if d.to, err = vi.recipients(d.used); err != nil {
		return d, err
	}
	purged := vi.changes(&d, refs)
	st := vi.state
	d.Version, d.Number, d.Prev, d.Format = version, st.Number+1, st.ID, vi.format()
	d.Readers = d.used
	removed := minus(st.Used, d.used)
	d.Removed = append(minus(st.Removed, d.used), removed...)
	if d.stay, err = vi.chunks(); err != nil {
		return d, err
	}
	strangers := minus(st.Some, slices.Concat(d.used, removed))
	added := st.Number > 0 && len(minus(d.used, st.Readers)) > 0
	must := st.Number == 0 && len(d.refs) > 0 || purged || len(removed) > 0 || added
	if must && len(strangers) > 0 { // they would lose what they can read
		return d, remedy.For(fmt.Errorf("%s can read this memory, and you have not accepted them: it would be encrypted again without them", vi.names(strangers)),
			remedy.AcceptReaders.On())
	}
	d.Base = must || len(strangers) == 0 && len(d.Refs) > 0 && worn(d.stay)
	if vi.tell(strangers, d.Base); !d.Base {
		d.Secrets = []string{newest(st.Secrets)}
		return d, nil
	}
	if d.stay, d.Refs, d.Secrets = nil, d.refs, st.Secrets; len(d.Secrets) == 0 || len(removed) > 0 {
		d.Secrets = append(slices.Clone(d.Secrets), rand.Text())
	}
	return d, nil
}

// changes compares some refs of ours with those of the vault.
func (vi *visit) changes(d *draft, refs map[string]string) (purged bool) {
	d.Refs, d.refs = map[string]string{}, map[string]string{}
	for name, id := range vi.state.Refs {
		if isOurs(name) { // else a base leaves it out
			d.refs[name] = id
		}
	}
	set := func(name, id string) {
		if d.Refs[name], d.refs[name] = id, id; id == "" {
			delete(d.refs, name)
		}
		d.pushed = append(d.pushed, name)
	}
	for name, id := range maps.Clone(d.refs) {
		if now, gone := vi.rewritten.Purged(id); now != id || gone {
			purged = true
			if gone && strings.HasPrefix(name, refname.TagsPrefix) || vi.renamed(name, now, refs) {
				now = ""
			}
			set(name, now)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		old, id := d.refs[name], refs[name]
		switch {
		case old == id || !refname.IsAcknowledged(name) && name != notes.TrackedAs:
		case old != "" && (strings.HasPrefix(name, refname.TagsPrefix) || !vi.commits.IsAncestor(vi.ctx, old, id)):
			vi.report.Behind = append(vi.report.Behind, name)
		default:
			set(name, id)
		}
	}
	slices.Sort(d.pushed)
	d.pushed = slices.Compact(d.pushed)
	return purged
}

// renamed reports whether a ref of the vault has another name here, as a purge gives to one
// whose name holds what is purged.
func (vi *visit) renamed(name, id string, refs map[string]string) bool {
	if _, here := refs[name]; here {
		return false
	}
	for other, at := range refs {
		if at == id && vi.state.Refs[other] == "" {
			return true
		}
	}
	return false
}

// there are refs whose objects the vault has, as far as they are still here.
func (vi *visit) there() map[string]string {
	now, err := vi.tracking(vi.ctx, vi.remote.Name)
	if err != nil {
		return nil // all is packed, and more than is needed
	}
	maps.DeleteFunc(now, func(name, id string) bool { return vi.state.Refs[name] != id || !rewritten.IsID(id) })
	return now
}

// pack is what a chunk brings: of a base everything.
func (vi *visit) pack(d draft) ([]byte, error) {
	revs := d.Refs
	var not []byte
	if !d.Base {
		revs = maps.Clone(d.Refs)
		maps.DeleteFunc(revs, func(_, id string) bool { return id == "" })
		not = idLines(vi.there(), "^")
	}
	pack, err := vi.repo.Git.Feed(vi.ctx, append(idLines(revs, ""), not...), "pack-objects", "--revs", "--stdout", "-q", "--delta-base-offset")
	if err != nil {
		return nil, fmt.Errorf("pack what is new: %w", err)
	}
	if len(pack) > maxVault/2 {
		return nil, fmt.Errorf("%d bytes at once are too many for an encrypted remote", len(pack))
	}
	return pack, nil
}

// chunks lists what the vault holds.
func (vi *visit) chunks() ([]piece, error) {
	if vi.state.Number == 0 {
		return nil, nil
	}
	return vi.stage.pieces(vi.ctx, vi.state.Commit)
}

// Chunks are brought together when there are manyChunks and they are as large as the base,
// so that all that is ever pushed is at most twice what there is, or when there are mostChunks.
const (
	manyChunks = 64
	mostChunks = 1024
)

func worn(all []piece) bool {
	if len(all) == 0 {
		return false
	}
	base, more := 0, 0
	for _, p := range all {
		if p.number == all[0].number {
			base += p.size
		} else {
			more += p.size
		}
	}
	n := all[len(all)-1].number - all[0].number
	return n >= manyChunks && more >= base || n >= mostChunks
}

// tell says what its user should know of who can read: with a base, too, that a key may be lost.
func (vi *visit) tell(strangers []string, base bool) {
	if len(strangers) > 0 {
		vi.report.note(remedy.Note{Text: vi.names(strangers) + " can read this memory but not what you push: you have not accepted them", Remedies: []remedy.Remedy{remedy.AcceptReaders.On()}})
	}
	all, err := vi.Readers()
	if err != nil {
		vi.report.note(remedy.NoteOf(err))
		return
	}
	var waiting []string
	for _, l := range all {
		if l.InFile && !l.Accepted && !slices.Contains(strangers, l.Key) {
			waiting = append(waiting, l.Key)
		}
	}
	if len(waiting) > 0 {
		vi.report.note(remedy.Note{Text: vi.names(waiting) + " cannot read it until you accept them", Remedies: []remedy.Remedy{remedy.AcceptReaders.On()}})
	}
	if base && len(acceptedOf(all)) == 1 {
		vi.report.note(remedy.Note{Text: "there is one key only: if it is lost nobody can read the memory", Remedies: []remedy.Remedy{remedy.AddReader.On().To("adds a second")}})
	}
}

func (v *Vault) names(keys []string) string {
	var out []string
	for _, key := range keys {
		out = append(out, v.called(key))
	}
	return strings.Join(out, ", ")
}

// minus are those of a that are not in b.
func minus(a, b []string) (out []string) {
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}
