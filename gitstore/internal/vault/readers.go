package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"filippo.io/age"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// The project's file .sage/recipients names who is to read: a public key a line, and whose
// it is. Anybody who can change the code can change it, so it proposes and no more. To whom
// this user encrypts is what they accepted, a list in the repository under their own word
// (see ownership/trust.go): a copy of the repository, or somebody else's, accepts nobody.

// A Listed is a reader and where they are named.
type Listed struct {
	Reader
	Accepted bool // memory is encrypted to them
	InFile   bool // the project's file names them
	Mine     bool // a private key of this user goes with the public one
}

func (v *Vault) readersFile() string {
	if top := v.repo.Where.Top; top != "" {
		return filepath.Join(top, ".sage", "recipients")
	}
	return v.repo.Dir("recipients")
}

// proposed are the readers that the project's file names.
func (v *Vault) proposed() (out []Reader, err error) {
	file := v.readersFile()
	b, err := fsx.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read '%s': %w", file, err)
	}
	n := 0
	for l := range strings.Lines(string(b)) {
		n++
		if l = strings.TrimSpace(l); l == "" || l[0] == '#' {
			continue
		}
		r, err := parseReader(l)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		if !slices.ContainsFunc(out, func(o Reader) bool { return o.Key == r.Key }) {
			out = append(out, r)
		}
	}
	return out, nil
}

func (v *Vault) acceptedFile() string { return v.repo.Dir("readers") }

// accepted are the public keys to which this user encrypts.
func (v *Vault) accepted() (keys []string, err error) {
	b, err := fsx.ReadOwn(v.acceptedFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read whom you accepted: %w", err)
	}
	word := v.ownership.Word(false)
	for l := range strings.Lines(string(b)) {
		if w, key, ok := strings.Cut(strings.TrimSuffix(l, "\n"), " "); ok && w == word && word != "" {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

func (v *Vault) setAccepted(keys []string) error {
	word := v.ownership.Word(true)
	if word == "" {
		return fmt.Errorf("accept readers: %s", v.ownership.Untrusted())
	}
	var b strings.Builder
	for _, key := range keys {
		fmt.Fprintf(&b, "%s %s\n", word, key)
	}
	if err := fsx.WriteFile(v.acceptedFile(), []byte(b.String()), 0o600); err != nil {
		return fmt.Errorf("record whom you accepted: %w", err)
	}
	return nil
}

// Readers lists who reads and who is to: as the project's file has them, then those whom
// only this user accepted.
func (v *Vault) Readers() (out []Listed, err error) {
	inFile, err := v.proposed()
	if err != nil {
		return nil, err
	}
	accepted, err := v.accepted()
	if err != nil {
		return nil, err
	}
	keys, _, err := v.keys()
	if err != nil {
		return nil, err
	}
	for _, r := range inFile {
		out = append(out, Listed{Reader: r, InFile: true, Accepted: slices.Contains(accepted, r.Key)})
	}
	for _, key := range accepted {
		if !slices.ContainsFunc(inFile, func(r Reader) bool { return r.Key == key }) {
			out = append(out, Listed{Reader: Reader{Key: key}, Accepted: true})
		}
	}
	for i := range out {
		if to, err := recipient(out[i].Key); err == nil {
			out[i].Mine = canOpen(keys, []age.Recipient{to})
		}
	}
	return out, nil
}

// Accept makes those whom the project's file names the readers of what this user pushes,
// and says who that adds and removes. It is for a person, who was shown the list.
func (v *Vault) Accept() (added, removed []Reader, err error) {
	named, err := v.proposed()
	if err != nil {
		return nil, nil, err
	}
	var keys []string
	for _, r := range named {
		keys = append(keys, r.Key)
	}
	return v.accept(keys, nil)
}

// Add adds a line with a reader, a public key and whose it is, to the project's file and
// accepts them. Others whom it names wait.
func (v *Vault) Add(line string) (added, removed []Reader, err error) {
	r, err := parseReader(line)
	if err != nil {
		return nil, nil, err
	}
	all, err := v.Readers()
	if err != nil {
		return nil, nil, err
	}
	var change func(string) string
	if !slices.ContainsFunc(all, func(l Listed) bool { return l.Key == r.Key && l.InFile }) {
		change = func(text string) string {
			if text != "" && !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			return text + strings.TrimSpace(r.Key+" "+r.Who) + "\n"
		}
	}
	return v.accept(append(acceptedOf(all), r.Key), change)
}

// Remove takes a reader, by key or by name, out of the project's file and of those whom
// this user accepted. What they could read they can still read.
func (v *Vault) Remove(who string) (added, removed []Reader, err error) {
	all, err := v.Readers()
	if err != nil {
		return nil, nil, err
	}
	is := func(r Reader) bool { return r.Key == who || r.Who == who }
	gone := slices.DeleteFunc(slices.Clone(all), func(l Listed) bool { return !is(l.Reader) })
	if len(gone) == 0 {
		return nil, nil, fmt.Errorf("no reader '%s' in .sage/recipients", legible.OneLine(who))
	}
	if len(gone) > 1 {
		return nil, nil, fmt.Errorf("several readers are called '%s': name one by the key", legible.OneLine(who))
	}
	keys := slices.DeleteFunc(acceptedOf(all), func(key string) bool { return key == gone[0].Key })
	return v.accept(keys, func(text string) string {
		var b strings.Builder
		for l := range strings.Lines(text) {
			if r, err := parseReader(l); err != nil || r.Key != gone[0].Key {
				b.WriteString(l)
			}
		}
		return b.String()
	})
}

func acceptedOf(all []Listed) (keys []string) {
	for _, l := range all {
		if l.Accepted {
			keys = append(keys, l.Key)
		}
	}
	return keys
}

// accept makes some keys those to which this user encrypts, and changes the project's file
// unless change is nil.
func (v *Vault) accept(keys []string, change func(string) string) (added, removed []Reader, err error) {
	if !v.repo.Options.Person {
		return nil, nil, repo.ErrNoPerson
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	if _, err := v.recipients(keys); err != nil {
		return nil, nil, err
	}
	before, err := v.Readers()
	if err == nil && change != nil {
		err = v.rewriteFile(change)
	}
	if err == nil {
		err = v.setAccepted(keys)
	}
	if err != nil {
		return nil, nil, err
	}
	after, err := v.Readers()
	return onlyIn(after, before), onlyIn(before, after), err
}

// onlyIn are the readers that one list says are accepted, and another does not.
func onlyIn(list, other []Listed) (out []Reader) {
	for _, l := range list {
		if l.Accepted && !slices.Contains(acceptedOf(other), l.Key) {
			out = append(out, l.Reader)
		}
	}
	return out
}

func (v *Vault) rewriteFile(change func(string) string) error {
	file := v.readersFile()
	b, err := fsx.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read '%s': %w", file, err)
	}
	if err := fsx.WriteFile(file, []byte(change(string(b))), 0o666); err != nil {
		return fmt.Errorf("write '%s': %w", file, err)
	}
	return nil
}

// recipients are those of some public keys, which a private key of this user has to be
// among: else what is pushed could be lost for everybody.
func (v *Vault) recipients(to []string) ([]age.Recipient, error) {
	out, err := recipients(to)
	if err != nil {
		return nil, err
	}
	keys, unusable, err := v.keys()
	if err != nil {
		return nil, err
	}
	if len(out) > 0 && canOpen(keys, out) {
		return out, nil
	}
	err = errors.New("no key of this machine could read what is encrypted: add yours to the recipients")
	if len(unusable) > 0 {
		err = fmt.Errorf("%w (not used: %s)", err, strings.Join(unusable, "; "))
	}
	return nil, remedy.For(err, remedy.MakeKey.On())
}
