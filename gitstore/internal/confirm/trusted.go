package confirm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// A Signature is what git says of that of a commit. A name that a commit gives its author proves
// nothing; a signature does, by what the user's own configuration and keyring know of its key.
type Signature struct {
	State  string `json:"state"`            // as %G?: G is good, U good with an unknown key, N none
	Signer string `json:"signer,omitempty"` // whom the key belongs to, by the user's allowed signers or keyring
	Key    string `json:"key,omitempty"`    // its fingerprint
}

// IsBy reports whether a source signed it.
func (sg Signature) IsBy(s ownership.Source) bool {
	switch s.Kind {
	case ownership.TrustKey:
		return strings.Contains("GU", sg.State) && sg.State != "" && sg.Key != "" && strings.EqualFold(sg.Key, s.Name)
	case ownership.TrustSigner:
		mail := strings.ToLower(s.Name)
		by := strings.ToLower(sg.Signer)
		return sg.State == "G" && (by == mail || strings.HasSuffix(by, "<"+mail+">"))
	}
	return false
}

// Signatures are those of commits. What verifies them is the user's own: a copied .git may name
// programs and signers, which prove nothing.
func (co *Confirmer) Signatures(ctx context.Context, ids ...string) (map[string]Signature, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	args := []string{}
	for key, unless := range map[string]string{"gpg.ssh.allowedSignersFile": "/dev/null", "gpg.ssh.program": "ssh-keygen", "gpg.program": "gpg", "gpg.openpgp.program": "gpg", "gpg.x509.program": "gpgsm", "gpg.ssh.revocationFile": ""} {
		value, err := co.repo.Git.Run(ctx, "config", "--global", "--includes", "--type=path", "--get", key)
		if err == nil {
			unless = strings.TrimSpace(string(value))
		}
		if unless != "" {
			args = append(args, "-c", key+"="+unless)
		}
	}
	args = append(args, "log", "--no-walk=unsorted", "--stdin", "--no-show-signature", "--no-color", "--no-notes", "--no-decorate", "--format=%H%x1f%G?%x1f%GS%x1f%GF")
	b, err := co.repo.Git.Feed(ctx, []byte(strings.Join(ids, "\n")+"\n"), args...)
	if err != nil {
		return nil, fmt.Errorf("verify signatures: %w", commits.LogError(err))
	}
	out := map[string]Signature{}
	for l := range strings.Lines(string(b)) {
		if f := strings.Split(strings.TrimSuffix(l, "\n"), "\x1f"); len(f) == 4 {
			out[f[0]] = Signature{f[1], f[2], f[3]}
		}
	}
	return out, nil
}

// Trust counts what comes from a source as reviewed. ErrNoPerson says that an agent wants it.
func (co *Confirmer) Trust(ctx context.Context, s ownership.Source) error {
	if !co.repo.Options.Person {
		return repo.ErrNoPerson
	}
	if err := co.ownership.TrustSource(s, true); err != nil {
		return err
	}
	return co.TakeTrusted(ctx)
}

// Distrust takes back the trust in all sources of a name. ErrNotFound says that there is none.
func (co *Confirmer) Distrust(ctx context.Context, name string) error {
	if !co.repo.Options.Person {
		return repo.ErrNoPerson
	}
	list, err := co.ownership.Trusted()
	if err != nil {
		return err
	}
	if list = slices.DeleteFunc(list, func(s ownership.Source) bool { return s.Name != name }); len(list) == 0 {
		return fmt.Errorf("source '%s': %w", name, repo.ErrNotFound)
	}
	for _, s := range list {
		if err := co.ownership.TrustSource(s, false); err != nil {
			return err
		}
	}
	if err := co.ownership.ForgetTaken(); err != nil {
		return err
	}
	return co.TakeTrusted(ctx)
}

// TakeTrusted notes what came from sources that this user trusts, of all for which nobody here
// stands. It is asked behind a merge of what was fetched, and where the sources change.
func (co *Confirmer) TakeTrusted(ctx context.Context) error {
	sources, err := co.ownership.Trusted()
	sources = slices.DeleteFunc(sources, func(s ownership.Source) bool { return s.Kind == ownership.TrustAuthor })
	if err != nil || len(sources) == 0 {
		return err
	}
	arrived, err := co.ownership.Arrivals()
	if err != nil {
		return err
	}
	sums, err := co.unconfirmedBy(ctx)
	if err != nil {
		return err
	}
	var taken, asked []string
	for id, of := range sums {
		if slices.Contains(sources, ownership.Source{Kind: ownership.TrustRemote, Name: arrived[id].Remote}) {
			taken = append(taken, of...)
		} else {
			asked = append(asked, id)
		}
	}
	if slices.ContainsFunc(sources, func(s ownership.Source) bool { return s.Kind != ownership.TrustRemote }) {
		signed, err := co.Signatures(ctx, asked...)
		if err != nil {
			return err
		}
		for id, sg := range signed {
			if slices.ContainsFunc(sources, sg.IsBy) {
				taken = append(taken, sums[id]...)
			}
		}
	}
	if err := co.ownership.ForgetTaken(taken...); err != nil { // a key may have been revoked since
		return err
	}
	return co.ownership.Take(taken...)
}

// unconfirmedBy is what nobody here stands for, by the commit that wrote it: checkpoints by their
// ids, items by the sums of what they say.
func (co *Confirmer) unconfirmedBy(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	snap, list, err := co.unconfirmed(ctx)
	if err != nil {
		return nil, err
	}
	for _, n := range list {
		if !n.Tombstone && !snap.IsOwn(n.ID) {
			out[n.ID] = []string{n.ID}
		}
	}
	keys, err := co.knowledge.UnconfirmedItems(ctx)
	if err != nil || len(keys) == 0 {
		return out, err
	}
	authors, err := co.knowledge.ItemAuthors(ctx, "", "")
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		e, err := co.knowledge.Item(ctx, key)
		if err != nil || e.Err != nil || e.IsRemoved() {
			continue
		}
		by, ok := authors[key]
		if !ok {
			if by, err = co.knowledge.AuthorOf(ctx, e); err != nil {
				return nil, err
			}
		}
		if !by.Here {
			out[by.Commit] = append(out[by.Commit], ownership.SumOf(key, e.Sent(), false))
		}
	}
	return out, nil
}
