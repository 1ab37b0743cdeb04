package connect

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/install"
)

// ClientPlace is this machine as the client sees it, without asking git.
func ClientPlace(a *app.App) install.Place {
	p := personsPlace(a)
	p.Root = a.ClientDir()
	return p
}

// Served says whether Claude Code has the server also by 'mcp install'.
func Served(ctx context.Context, a *app.App) bool {
	there := *a
	there.Dir = a.ClientDir()
	p, err := Place(ctx, &there)
	return err == nil && p.Served()
}

// personsPlace is this machine outside of any project.
func personsPlace(a *app.App) install.Place {
	return install.Place{
		Home: a.HomeFolder(), ConfigDir: a.Getenv("CLAUDE_CONFIG_DIR"),
		Bin: app.Program(), Records: filepath.Join(a.Home(), "installs"), Getenv: a.Getenv,
	}
}

// Place is this machine, as the installer sees it.
func Place(ctx context.Context, a *app.App) (install.Place, error) {
	p := personsPlace(a)
	if p.Bin == "" {
		return p, errors.New("the path of git-sage itself cannot be found")
	}
	s, err := gitstore.Open(ctx, gitstore.Options{Dir: a.Dir, Home: a.Home(), Env: a.Env, Now: a.Now})
	if errors.Is(err, gitstore.ErrNotRepository) {
		p.Typed = holdsTyped(config.Load(config.Sources{Env: a.Env, User: a.UserTuning()}))
		return p, nil
	}
	if err != nil {
		return p, err
	}
	defer s.Close()
	p.Root, p.Excludes = s.Repo.Top(), excludes{a, ctx}
	p.Typed = holdsTyped(a.Config(s))
	if common := s.Repo.CommonDir(); filepath.Base(common) == ".git" && p.Root != "" {
		p.Main = filepath.Dir(common)
	}
	return p, nil
}

// holdsTyped says whether a compaction that a person types is held while something is
// unsaved: autosave is ask.
func holdsTyped(c *config.Config, err error) bool {
	return err == nil && c.String("autosave") == "ask"
}

// HintHooks names the command that makes installed hooks follow autosave, if they do not:
// only with ask one is called before a compaction that a person types.
func HintHooks(ctx context.Context, a *app.App) {
	p, err := Place(ctx, a)
	if err != nil {
		return
	}
	for _, st := range p.Status() {
		if st.Part == install.Hooks && st.Installed && p.Lags(st.Scope) {
			a.Hint("'git sage hooks install --scope %s' applies it to the hook before a /compact that you type", st.Scope)
		}
	}
}

// PlaceOf is this machine as the installer sees it for a client; "" is Claude Code.
func PlaceOf(ctx context.Context, a *app.App, client string) (install.Place, error) {
	c, err := install.ParseClient(cmp.Or(client, string(install.Claude)))
	if err != nil {
		return install.Place{}, &usage.Error{Msg: err.Error()}
	}
	p, err := Place(ctx, a)
	p.Client = c
	return p, err
}

// excludes is git's list in the repository at hand, opened when it is wanted: seldom.
type excludes struct {
	a   *app.App
	ctx context.Context
}

func (e excludes) Tracked(line string) (tracked bool) {
	_, _ = e.with(func(s *gitstore.Store) (string, error) {
		tracked = s.Repo.Tracked(e.ctx, line)
		return "", nil
	})
	return tracked
}

func (e excludes) Exclude(line string, dry bool) (string, error) {
	return e.with(func(s *gitstore.Store) (string, error) { return s.Repo.Exclude(e.ctx, line, dry) })
}

func (e excludes) Include(line string, dry bool) (string, error) {
	return e.with(func(s *gitstore.Store) (string, error) { return s.Repo.Include(e.ctx, line, dry) })
}

func (e excludes) with(do func(*gitstore.Store) (string, error)) (string, error) {
	s, err := gitstore.Open(e.ctx, gitstore.Options{Dir: e.a.Dir, Home: e.a.Home(), Env: e.a.Env, Now: e.a.Now})
	if err != nil {
		return "", err
	}
	defer s.Close()
	return do(s)
}

// HasPredecessor reports whether the tool before us has hooks or a server here.
func HasPredecessor(ctx context.Context, a *app.App) bool {
	p, err := Place(ctx, a)
	if err != nil {
		return false
	}
	p.DryRun = true
	list, err := p.RemovePredecessor()
	return err == nil && len(list) > 0
}
