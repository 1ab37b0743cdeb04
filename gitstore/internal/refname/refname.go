// Package refname is the names of refs: of ours, of those that were fetched, and what may be
// part of one.
//
// Size: 29 names, for each sort of ref is one, and what is asked of a name.
package refname

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
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

	// PrivateRef is the ref of the knowledge that stays in this clone. Nothing sends it, and its
	// name does not begin as that of the other, which a pattern of a push may name.
	PrivateRef = "refs/sage/private/knowledge"

	// VaultRef is where encrypted memory lies on a remote: of ours none is called so.
	VaultRef = "refs/sage/vault"
)

func HeadRef(line string) string       { return HeadsPrefix + line }
func ForkRef(line, name string) string { return ForksPrefix + line + "/" + name }

// MaxName is the longest name, in bytes.
const MaxName = naming.MaxName

// ErrName says that a name cannot be one.
var ErrName = errors.New("bad name")

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

// A Ref is one of ours: its full name and the commit it points to.
type Ref struct{ Name, ID string }

// ShortName is a name of a ref that can be typed: see refNamed. A line may be called
// as the knowledge tree is.
func ShortName(ref string) string {
	if s := ShortRef(ref); !strings.ContainsAny(s, ": ") && !IsKnowledge(ref) {
		return s
	}
	return ref
}

// IsKnowledge reports whether a ref of ours holds files of the knowledge.
func IsKnowledge(name string) bool { return name == KnowledgeRef || name == PrivateRef }

// State is a state of the knowledge in one word: the commit that the shared knowledge is at and,
// behind a plus sign, that of what is private. "" is none.
func State(shared, private string) string {
	if private == "" {
		return shared
	}
	return shared + "+" + private
}

// Halves takes a state of the knowledge apart.
func Halves(state string) (shared, private string) {
	shared, private, _ = strings.Cut(state, "+")
	return shared, private
}

// Kind says what a ref is for: "local" for lines, forks and tags, "tree" for
// the knowledge, "other" for what was fetched or is kept by a repair, ""
// if this version does not know.
func Kind(name string) string {
	switch {
	case IsKnowledge(name):
		return "tree"
	case strings.HasPrefix(name, HeadsPrefix), strings.HasPrefix(name, ForksPrefix), strings.HasPrefix(name, TagsPrefix):
		return "local"
	case strings.HasPrefix(name, RemotePrefix), strings.HasPrefix(name, KeptPrefix):
		return "other"
	}
	return ""
}

// IsAcknowledged reports whether a ref of this name is what we acknowledge: with the
// rest others may do as they like.
func IsAcknowledged(name string) bool {
	kind := Kind(name)
	return kind == "local" || kind == "tree"
}

// KeptPrefix are refs that keep git from deleting what a repair replaced.
const KeptPrefix = "refs/sage/repairs/"

// TrackingRef is where what a remote has of a ref of ours is kept.
func TrackingRef(remote, ref string) string {
	return RemotePrefix + remote + "/" + strings.TrimPrefix(ref, "refs/sage/")
}

// Tracks takes refs/sage/remotes/<remote>/<rest> apart. The name is that of our own
// ref. Of any other ref the remote is "".
func Tracks(ref string) (remote, name string) {
	rest, ok := strings.CutPrefix(ref, RemotePrefix)
	if !ok {
		return "", ref
	}
	remote, name, _ = strings.Cut(rest, "/")
	return remote, "refs/sage/" + name
}
