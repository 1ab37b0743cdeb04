package ownership

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// The file sage/trusted lists whose memory this user takes without looking at each piece, one a
// line:
//
//	<word> <+ or -> <kind> <name>
//
// The last line of a source counts. As in sage/own, only the lines of one's own word do, so that
// what comes in a copied .git trusts nobody.
const (
	TrustAuthor = "author" // of something that this user confirmed; a name, which anybody can claim
	TrustSigner = "signer" // whose commits git verifies by the user's own allowed signers or keyring
	TrustKey    = "key"    // whoever signs with it, as git verifies it
	TrustRemote = "remote" // all that comes by it
)

// A Source is where memory comes from.
type Source struct{ Kind, Name string }

func (own *Ownership) trustedFile() string { return own.repo.Dir("trusted") }

// Trusted are the sources that this user trusts, in the order in which they began to.
func (own *Ownership) Trusted() (list []Source, err error) {
	word := own.Word(false)
	b, err := fsx.ReadOwn(own.trustedFile())
	if word == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read whom you trust: %w", err)
	}
	for l := range strings.Lines(string(b)) {
		f := strings.SplitN(strings.TrimSuffix(l, "\n"), " ", 4)
		if len(f) != 4 || f[0] != word {
			continue
		}
		s := Source{f[2], f[3]}
		list = slices.DeleteFunc(list, func(x Source) bool { return x == s })
		if f[1] == "+" {
			list = append(list, s)
		}
	}
	return list, nil
}

// TrustSource notes that this user trusts a source, or no longer does. That it is noted already is
// no error.
func (own *Ownership) TrustSource(s Source, trust bool) error {
	s.Name = legible.OneLine(s.Name)
	known, err := own.Trusted()
	if err != nil || slices.Contains(known, s) == trust || s.Name == "" {
		return err
	}
	word := own.Word(true)
	if word == "" {
		return fmt.Errorf("cannot record whom you trust in your home folder: %s", own.Untrusted())
	}
	sign := map[bool]string{true: "+", false: "-"}[trust]
	if _, err := fsx.Append(own.trustedFile(), fmt.Appendf(nil, "%s %s %s %s\n", word, sign, s.Kind, s.Name)); err != nil {
		return fmt.Errorf("record whom you trust: %w", err)
	}
	return nil
}
