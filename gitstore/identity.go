package gitstore

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// A person as git writes one into a commit.
type person struct{ name, mail string }

func (p person) String() string { return p.name + " <" + p.mail + ">" }

func (p person) stamp(t time.Time) string {
	return fmt.Sprintf("%s %d %s", p, t.Unix(), t.Format("-0700"))
}

// nobody signs automatic saves where git knows no identity.
var nobody = person{"git-sage", "sage@localhost"}

// identity returns who is saving, as git resolves it: author.* before user.*,
// includes followed. What the config leaves open is asked of `git var`, which
// also guesses as git does. fallback is true when git knows nobody.
func (s *Store) identity(ctx context.Context, role string) (p person, fallback bool) {
	p = person{s.either(role+".name", "user.name"), s.either(role+".email", "user.email")}
	if p.name == "" || p.mail == "" {
		return s.askIdentity(ctx, role)
	}
	return person{crudless(p.name), crudless(p.mail)}, false
}

func (s *Store) either(keys ...string) string {
	for _, k := range keys {
		if v, _, ok := s.Config(k); ok && v != "" {
			return v
		}
	}
	return ""
}

func (s *Store) askIdentity(ctx context.Context, role string) (person, bool) {
	out, err := s.git.Run(ctx, "var", "GIT_"+strings.ToUpper(role)+"_IDENT")
	name, rest, ok := strings.Cut(text(out), " <")
	mail, _, ok2 := strings.Cut(rest, ">")
	if err != nil || !ok || !ok2 {
		return nobody, true
	}
	return person{name, mail}, false
}

// crudless drops what git drops from names: line ends, angle brackets, and
// punctuation and blanks at both ends.
func crudless(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '<' || r == '>' || r == '\n' || r == 0 {
			return -1
		}
		return r
	}, s)
	return strings.Trim(s, " .,:;\"\\'\t\r\v\f")
}
