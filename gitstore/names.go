package gitstore

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
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
const maxName = 100

// CheckName returns an error that wraps ErrName and says what is wrong with
// the name of a line, tag or knowledge item: [a-z0-9][a-z0-9._-]{0,99}, no
// "..", no ".lock" at the end, no Windows device name. The grammar leaves no
// two names that differ only in case, and none that git or a file system
// refuses.
func CheckName(name string) error {
	why := ""
	switch {
	case name == "":
		why = "it is empty"
	case len(name) > maxName:
		why = fmt.Sprintf("it is longer than %d characters", maxName)
	case !strings.Contains(lowerAlnum, name[:1]):
		why = "it must begin with a-z or 0-9"
	case strings.Trim(name, lowerAlnum+"._-") != "" || strings.ContainsFunc(name, notNameRune):
		why = "only a-z, 0-9, '.', '_' and '-' may stand in it"
	case strings.Contains(name, ".."):
		why = "'..' may not stand in it"
	case strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, "."):
		why = "it may not end in '.lock' or '.'"
	case isDevice(name):
		why = "it is a device on Windows"
	default:
		return nil
	}
	return fmt.Errorf("%w '%s': %s", ErrName, name, why)
}

const lowerAlnum = "abcdefghijklmnopqrstuvwxyz0123456789"

func notNameRune(r rune) bool {
	return r > 0x7f || !strings.ContainsRune(lowerAlnum+"._-", r)
}

func isDevice(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	switch base {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(base) == 4 && (base[:3] == "com" || base[:3] == "lpt") && base[3] >= '1' && base[3] <= '9'
}

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
