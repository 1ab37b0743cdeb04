package gitstore

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// DefaultLine is the line that a repository has from its first save.
const DefaultLine = "main"

const (
	headsPrefix  = "refs/sage/heads/"
	forksPrefix  = "refs/sage/forks/"
	tagsPrefix   = "refs/sage/tags/"
	remotePrefix = "refs/sage/remotes/"
	knowledgeRef = "refs/sage/knowledge"
)

func headRef(line string) string       { return headsPrefix + line }
func forkRef(line, name string) string { return forksPrefix + line + "/" + name }

// maxName is the longest name, in bytes.
const maxName = sage.MaxName

// CheckName returns an error that wraps ErrName and says what is wrong with
// the name of a line, tag or knowledge item: [a-z0-9][a-z0-9._-]{0,99}, no
// "..", no ".lock" at the end, no Windows device name. The grammar leaves no
// two names that differ only in case, and none that git or a file system
// refuses.
func CheckName(name string) error {
	if why := sage.NameProblem(name); why != "" {
		return fmt.Errorf("%w '%s': %s", ErrName, name, why)
	}
	return nil
}

const lowerAlnum = "abcdefghijklmnopqrstuvwxyz0123456789"

// shortRef is how a ref of ours is shown: main, main/3f2a91c0, tag v1.
func shortRef(ref string) string {
	for _, p := range []string{headsPrefix, forksPrefix} {
		if s, ok := strings.CutPrefix(ref, p); ok {
			return s
		}
	}
	if s, ok := strings.CutPrefix(ref, tagsPrefix); ok {
		return "tag: " + s
	}
	return strings.TrimPrefix(ref, "refs/sage/")
}

// session8 is the short name of a session: its first eight characters if they
// can stand in a ref, else eight digits of its hash.
func session8(session string) string {
	if len(session) >= 8 && !strings.ContainsFunc(session[:8], func(r rune) bool { return !strings.ContainsRune(lowerAlnum, r) }) {
		return session[:8]
	}
	return hash16(session)[:8]
}

func hash16(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:8])
}

func short(id string) string {
	if len(id) > 8 {
		return id[:8]
	}
	return id
}
