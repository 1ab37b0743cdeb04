package follow

import (
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
)

// plainLine is the name of the line that goes with a branch, if nothing is in the way:
// feature/Auth-2 has feature-auth-2. "" is none that could be read.
func plainLine(branch string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(branch) {
		if r >= 0x80 || !strings.ContainsRune(refname.LowerAlnum+"._", r) {
			r = '-'
		}
		b.WriteRune(r)
	}
	name := b.String()
	for _, twice := range []string{"--", ".."} {
		for strings.Contains(name, twice) {
			name = strings.ReplaceAll(name, twice, twice[:1])
		}
	}
	name = strings.TrimLeft(name, "-._")
	name = strings.TrimRight(name[:min(len(name), refname.MaxName-suffixRoom)], "-._")
	if naming.NameProblem(name) != "" {
		return ""
	}
	return name
}

const (
	suffixDigits = 6  // of the hash of a branch
	suffixRoom   = 12 // bytes of a name for them, and for a number
	mostAgain    = 100
)

// FreeLine is the first name for the line of a branch that is usable: the plain one, one
// with digits that tell the branch from others of that plain name, and one with a number
// behind them for a branch that was deleted and made again. A branch whose name is lost
// in the plain one, for it is in another script or holds a secret, has digits always.
func (fo *Follower) FreeLine(branch string, usable func(name string) bool) string {
	plain := plainLine(branch)
	_, found, err := fo.repo.Options.Redact.Text(branch)
	if err != nil || len(found) > 0 || plain == "" {
		plain = "branch"
	} else if !strings.ContainsFunc(branch, func(r rune) bool { return r >= 0x80 }) && usable(plain) {
		return plain
	}
	own := plain + "-" + refname.Hash16(branch)[:suffixDigits]
	name := own
	for n := 2; !usable(name) && n < mostAgain; n++ {
		name = fmt.Sprintf("%s-%d", own, n)
	}
	return name
}
