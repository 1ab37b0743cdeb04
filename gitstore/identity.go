package gitstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A person as git writes one into a commit.
type person struct{ name, mail string }

func (p person) String() string { return p.name + " <" + p.mail + ">" }

// stamp is a person at the nearest time to t that git can write down: it takes no commit
// of one before 1970, nor what continues that.
func (p person) stamp(t time.Time) string {
	return fmt.Sprintf("%s %d %s", p, inGit(t).Unix(), t.Format("-0700"))
}

// nobody signs automatic saves where git knows no identity.
var nobody = person{"git-sage", "sage@localhost"}

// identity returns who is saving, without secrets: a token that was pasted into user.name
// or user.email would go out with every commit. fallback is true when git knows nobody.
func (s *Store) identity(ctx context.Context, role string) (p person, fallback bool) {
	p, fallback = s.gitIdentity(ctx, role)
	for _, part := range []*string{&p.name, &p.mail} {
		clean, _, err := s.o.Redact.Text(*part)
		if err != nil {
			return nobody, fallback
		}
		*part = clean
	}
	return p, fallback
}

// gitIdentity returns who is saving, as git resolves it: GIT_AUTHOR_NAME and its kin, then
// author.* before user.*, includes followed. What the config leaves open, and what the
// environment says, is asked of `git var`, which also knows EMAIL and guesses as git
// does. fallback is true when git knows nobody. The time of the committer is always the
// clock's: what is newest, and what is old enough to be pruned, goes by it. For that of the
// author see [Store.AuthorDate].
func (s *Store) gitIdentity(ctx context.Context, role string) (p person, fallback bool) {
	if env := identityOf(s.o.Env, role); len(env) > 0 {
		return askIdentity(ctx, s.git.With(env...), role)
	}
	p = person{s.either(role+".name", "user.name"), s.either(role+".email", "user.email")}
	if p.name == "" || p.mail == "" {
		return askIdentity(ctx, s.git, role)
	}
	return person{crudless(p.name), crudless(p.mail)}, false
}

// AuthorDate is the time that GIT_AUTHOR_DATE gives what a person saves, as git reads it;
// zero without one, and in a hook of git's, which has that of another commit.
func (s *Store) AuthorDate(ctx context.Context) (time.Time, error) {
	date := variable(s.o.Env, "GIT_AUTHOR_DATE")
	if date == "" || variable(s.o.Env, "GIT_INDEX_FILE") != "" {
		return time.Time{}, nil
	}
	out, err := s.git.With("GIT_AUTHOR_NAME=nobody", "GIT_AUTHOR_EMAIL=nobody@localhost", "GIT_AUTHOR_DATE="+date).Run(ctx, "var", "GIT_AUTHOR_IDENT")
	if err != nil {
		return time.Time{}, fmt.Errorf("GIT_AUTHOR_DATE is '%s', which git takes for no date: nothing was saved", sage.OneLine(date))
	}
	return loggedAt(text(out)), nil
}

// Writer is who would be the author of what is saved now, "Name <mail>".
func (s *Store) Writer(ctx context.Context) string {
	p, _ := s.identity(ctx, "author")
	return p.String()
}

func (s *Store) either(keys ...string) string {
	for _, k := range keys {
		if v, _, ok := s.Config(k); ok && v != "" {
			return v
		}
	}
	return ""
}

// identityOf are the variables by which an environment says who somebody is in a role. In a
// hook of git's, which has GIT_INDEX_FILE, the author is that of the commit that is being
// made: of a patch, say, that somebody else wrote.
func identityOf(env []string, role string) (list []string) {
	if role == "author" && variable(env, "GIT_INDEX_FILE") != "" {
		return nil
	}
	for _, part := range []string{"NAME", "EMAIL"} {
		name := "GIT_" + strings.ToUpper(role) + "_" + part
		if v := variable(env, name); v != "" {
			list = append(list, name+"="+v)
		}
	}
	return list
}

func askIdentity(ctx context.Context, g *git.Runner, role string) (person, bool) {
	out, err := g.Run(ctx, "var", "GIT_"+strings.ToUpper(role)+"_IDENT")
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
