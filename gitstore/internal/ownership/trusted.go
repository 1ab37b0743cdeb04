package ownership

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
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

func (own *Ownership) TrustedFile() string { return own.repo.Dir("trusted") }

// A trustLine is one of sage/trusted.
type trustLine struct {
	word  string
	trust bool
	Source
}

func parseTrustLine(s string) (l trustLine, ok bool) {
	f := strings.SplitN(strings.TrimSuffix(s, "\n"), " ", 4)
	if len(f) != 4 || len(f[0]) != TrustWord || !record.IsHex(f[0]) || f[1] != "+" && f[1] != "-" || f[3] == "" || !slices.Contains([]string{TrustAuthor, TrustSigner, TrustKey, TrustRemote}, f[2]) {
		return l, false
	}
	return trustLine{f[0], f[1] == "+", Source{f[2], f[3]}}, true
}

// IsTrustLine reports whether a line of sage/trusted can be read.
func IsTrustLine(s string) bool { _, ok := parseTrustLine(s); return ok }

// Trusted are the sources that this user trusts, in the order in which they began to.
func (own *Ownership) Trusted() (list []Source, err error) {
	word := own.Word(false)
	b, err := fsx.ReadOwn(own.TrustedFile())
	if word == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read whom you trust: %w", err)
	}
	for raw := range strings.Lines(string(b)) {
		l, ok := parseTrustLine(raw)
		if !ok || l.word != word {
			continue
		}
		list = slices.DeleteFunc(list, func(x Source) bool { return x == l.Source })
		if l.trust {
			list = append(list, l.Source)
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
	if _, err := fsx.Append(own.TrustedFile(), fmt.Appendf(nil, "%s %s %s %s\n", word, sign, s.Kind, s.Name)); err != nil {
		return fmt.Errorf("record whom you trust: %w", err)
	}
	return nil
}

// KeepLines leaves of a file whose lines stand each for itself those that are wanted.
func (own *Ownership) KeepLines(file string, wanted func(line string) bool) error {
	return fsx.Rewrite(file, rewriteWait, func(b []byte) []byte {
		var kept strings.Builder
		for l := range strings.Lines(string(b)) {
			if l = strings.TrimSuffix(l, "\n"); wanted(l) {
				kept.WriteString(l + "\n")
			}
		}
		return []byte(kept.String())
	})
}
