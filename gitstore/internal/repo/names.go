package repo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
)

// DefaultLine is the line that a repository has from its first save.
const DefaultLine = "main"

const (
	HeadsPrefix  = "refs/sage/heads/"
	ForksPrefix  = "refs/sage/forks/"
	TagsPrefix   = "refs/sage/tags/"
	RemotePrefix = "refs/sage/remotes/"

	// KnowledgeRef is the ref of the knowledge tree.
	KnowledgeRef = "refs/sage/knowledge"
)

func HeadRef(line string) string       { return HeadsPrefix + line }
func ForkRef(line, name string) string { return ForksPrefix + line + "/" + name }

// MaxName is the longest name, in bytes.
const MaxName = naming.MaxName

// CheckName returns an error that wraps ErrName and says what is wrong with
// the name of a line, tag or knowledge item: [a-z0-9][a-z0-9._-]{0,99}, no
// "..", no ".lock" at the end, no Windows device name. The grammar leaves no
// two names that differ only in case, and none that git or a file system
// refuses.
func CheckName(name string) error {
	if why := naming.NameProblem(name); why != "" {
		return fmt.Errorf("%w '%s': %s", ErrName, name, why)
	}
	return nil
}

// CheckTypedName is [CheckName] for a name that a person chose: it proposes another.
func CheckTypedName(name string) error {
	err := CheckName(name)
	if s := naming.SuggestName(name); err != nil && s != "" {
		return fmt.Errorf("%w; '%s' would do", err, s)
	}
	return err
}

// CheckNewName is [CheckTypedName] for a line or tag that is made. A name goes wherever its ref
// goes, and no placeholder can stand in it: one that holds a secret is refused, and not
// repeated. One that reads as a short id would be taken for that, or stand in its place.
func (rp *Repo) CheckNewName(name string) error {
	if err := CheckTypedName(name); err != nil {
		return err
	}
	_, found, err := rp.Options.Redact.Text(name)
	if err != nil {
		return fmt.Errorf("look for secrets: %w; nothing was saved", err)
	}
	if len(found) > 0 {
		return fmt.Errorf("%w: it looks like a secret (%s); choose another", ErrName, found[0].Rule)
	}
	if ReadsAsID(name) {
		return fmt.Errorf("%w '%s': it looks like a short checkpoint id; choose one with a letter after f, or a dash", ErrName, name)
	}
	return nil
}

// ReadsAsID reports whether a name could be the id of a checkpoint as it is shown.
func ReadsAsID(name string) bool { return len(name) >= shownDigits && record.IsHex(name) }

// shownDigits is the least of an id that is shown.
const shownDigits = 8

const LowerAlnum = "abcdefghijklmnopqrstuvwxyz0123456789"

// ShortRef is how a ref of ours is shown: main, main/3f2a91c0, tag v1.
// One that would read as an id is shown in full.
func ShortRef(ref string) string {
	if i := strings.LastIndexByte(ref, '/'); ReadsAsID(ref[i+1:]) && !strings.HasPrefix(ref, ForksPrefix) {
		return ref
	}
	for _, p := range []string{HeadsPrefix, ForksPrefix} {
		if s, ok := strings.CutPrefix(ref, p); ok {
			return s
		}
	}
	if s, ok := strings.CutPrefix(ref, TagsPrefix); ok {
		return "tag: " + s
	}
	return strings.TrimPrefix(ref, "refs/sage/")
}

// Session8 is the short name of a session: its first eight characters if they
// can stand in a ref, else eight digits of its hash.
func Session8(session string) string {
	if len(session) >= 8 && !strings.ContainsFunc(session[:8], func(r rune) bool { return !strings.ContainsRune(LowerAlnum, r) }) {
		return session[:8]
	}
	return Hash16(session)[:8]
}

func Hash16(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:8])
}
