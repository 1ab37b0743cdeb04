// Package identity says who saves, and when, as git has it: by the environment, the
// configuration, or what git guesses.
package identity

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/reflog"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/environ"
)

// A Person as git writes one into a commit.
type Person struct{ Name, Mail string }

func (p Person) String() string { return p.Name + " <" + p.Mail + ">" }

// Stamp is a person at the nearest time to t that git can write down: it takes no commit
// of one before 1970, nor what continues that.
func (p Person) Stamp(t time.Time) string {
	return fmt.Sprintf("%s %d %s", p, InGit(t).Unix(), t.Format("-0700"))
}

// Nobody signs automatic saves where git knows no identity.
var Nobody = Person{"git-sage", "sage@localhost"}

// People knows who works on a repository.
type People struct {
	git    *git.Runner
	env    []string
	redact *redact.Redactor
	config func(key string) (value, scope string, ok bool)
}

// New returns the people that an environment and a configuration name; redact takes
// secrets out of it.
func New(run *git.Runner, env []string, redact *redact.Redactor, config func(key string) (value, scope string, ok bool)) *People {
	return &People{git: run, env: env, redact: redact, config: config}
}

// PersonOf returns who is saving, without secrets: a token that was pasted into user.name
// or user.email would go out with every commit. fallback is true when git knows nobody.
func (pe *People) PersonOf(ctx context.Context, role string) (p Person, fallback bool) {
	p, fallback = pe.gitIdentity(ctx, role)
	for _, part := range []*string{&p.Name, &p.Mail} {
		clean, _, err := pe.redact.Text(*part)
		if err != nil {
			return Nobody, fallback
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
// author see [People.AuthorDate].
func (pe *People) gitIdentity(ctx context.Context, role string) (p Person, fallback bool) {
	if env := identityOf(pe.env, role); len(env) > 0 {
		return askIdentity(ctx, pe.git.With(env...), role)
	}
	p = Person{pe.either(role+".name", "user.name"), pe.either(role+".email", "user.email")}
	if p.Name == "" || p.Mail == "" {
		return askIdentity(ctx, pe.git, role)
	}
	return Person{Crudless(p.Name), Crudless(p.Mail)}, false
}

// AuthorDate is the time that GIT_AUTHOR_DATE gives what a person saves, as git reads it;
// zero without one, and in a hook of git's, which has that of another commit.
func (pe *People) AuthorDate(ctx context.Context) (time.Time, error) {
	date := environ.Get(pe.env, "GIT_AUTHOR_DATE")
	if date == "" || environ.Get(pe.env, "GIT_INDEX_FILE") != "" {
		return time.Time{}, nil
	}
	out, err := pe.git.With("GIT_AUTHOR_NAME=nobody", "GIT_AUTHOR_EMAIL=nobody@localhost", "GIT_AUTHOR_DATE="+date).Run(ctx, "var", "GIT_AUTHOR_IDENT")
	if err != nil {
		return time.Time{}, fmt.Errorf("GIT_AUTHOR_DATE is '%s', which is not a date; nothing was saved", legible.OneLine(date))
	}
	return reflog.At(git.Text(out)), nil
}

func (pe *People) either(keys ...string) string {
	for _, k := range keys {
		if v, _, ok := pe.config(k); ok && v != "" {
			return v
		}
	}
	return ""
}

// identityOf are the variables by which an environment says who somebody is in a role. In a
// hook of git's, which has GIT_INDEX_FILE, the author is that of the commit that is being
// made: of a patch, say, that somebody else wrote.
func identityOf(env []string, role string) (list []string) {
	if role == "author" && environ.Get(env, "GIT_INDEX_FILE") != "" {
		return nil
	}
	for _, part := range []string{"NAME", "EMAIL"} {
		name := "GIT_" + strings.ToUpper(role) + "_" + part
		if v := environ.Get(env, name); v != "" {
			list = append(list, name+"="+v)
		}
	}
	return list
}

func askIdentity(ctx context.Context, g *git.Runner, role string) (Person, bool) {
	out, err := g.Run(ctx, "var", "GIT_"+strings.ToUpper(role)+"_IDENT")
	name, rest, ok := strings.Cut(git.Text(out), " <")
	mail, _, ok2 := strings.Cut(rest, ">")
	if err != nil || !ok || !ok2 {
		return Nobody, true
	}
	return Person{name, mail}, false
}

// Crudless drops what git drops from names: line ends, angle brackets, and
// punctuation and blanks at both ends.
func Crudless(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '<' || r == '>' || r == '\n' || r == 0 {
			return -1
		}
		return r
	}, s)
	return strings.Trim(s, " .,:;\"\\'\t\r\v\f")
}

// InGit is the nearest time that git can write down.
func InGit(t time.Time) time.Time {
	return time.Unix(min(max(t.Unix(), 0), record.LastSecond), 0).UTC()
}
