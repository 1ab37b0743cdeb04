package connect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/hooks/watch"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// NewUninstall makes 'git sage uninstall'.
func NewUninstall(a *app.App) *cobra.Command {
	u := &uninstalling{a: a}
	var dry, yes bool
	c := &cobra.Command{
		Use:   "uninstall [-n] [-y] [--all]",
		Short: "Remove what git-sage wrote outside repositories",
		Long: `List what git-sage wrote outside repositories, ask, and remove it: hooks and
server from the files of Claude Code and other clients, yours in projects too;
skills, unless you edited them; the watcher, caches and logs in ~/.sage; and the
manual page and completions of 'make install'. Files of clients are restored,
byte for byte where nobody else changed the entries. Entries that call another
git-sage stay, and with them caches and watcher.

Your knowledge and settings in ~/.sage stay. --all removes them as well, but
never the key of encrypted remotes, ~/.sage/age.

Files that a project shares stay, since others use them; they are named.
Repositories keep their memory. To remove it from one, for good:

  git for-each-ref --format='delete %(refname)' refs/sage |
      git update-ref --stdin
  git update-ref -d refs/notes/sage
  git sage hooks uninstall --git
  rm -r "$(git rev-parse --git-common-dir)/sage"`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return u.run(c.Context(), dry, yes) },
	}
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "list what would be removed, and remove nothing")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	c.Flags().BoolVar(&u.all, "all", false, "also remove your own knowledge and settings in ~/.sage")
	return c
}

// uninstalling is one call of it.
type uninstalling struct {
	a     *app.App
	all   bool
	steps []removal
	stays []string // what is left, and why
	used  bool     // by entries of another git-sage
}

// A removal is a step: what of a path goes, and how.
type removal struct {
	path, what string
	do         func() error
}

func (u *uninstalling) add(path, what string, do func() error) {
	u.steps = append(u.steps, removal{path, what, do})
}

func (u *uninstalling) run(ctx context.Context, dry, yes bool) error {
	a := u.a
	if err := u.entries(ctx); err != nil {
		return err
	}
	if err := u.skills(ctx); err != nil {
		return err
	}
	u.pages()
	if !u.used {
		if err := u.derived(ctx); err != nil {
			return err
		}
	}
	u.own()
	for _, s := range u.steps {
		if yes && !dry {
			break // each is told of once it is done
		}
		if err := u.tell(s, false); err != nil {
			return err
		}
	}
	switch {
	case len(u.steps) == 0 && !a.JSON:
		if _, err := fmt.Fprintln(a.Out, "nothing to remove"); err != nil {
			return err
		}
	case dry || len(u.steps) == 0:
	case yes:
	case !a.TTY || !a.InputTTY():
		return exit.WithHint(errors.New("removing this must be confirmed, and there is no terminal; nothing was removed"), "'--yes' removes without asking")
	case !a.Ask("remove this?", "nothing was removed"):
		return exit.ErrNo
	}
	if !dry {
		if err := u.remove(yes); err != nil {
			return err
		}
	}
	return u.tellRest(dry)
}

// uninstallJSON is what --json prints of a step.
type uninstallJSON struct {
	Path   string `json:"path"`
	Remove string `json:"remove"`
	DryRun bool   `json:"dry_run,omitempty"`
}

// tell says of a step what will be done, or was.
func (u *uninstalling) tell(s removal, done bool) error {
	if u.a.JSON {
		return u.a.PrintJSON(uninstallJSON{s.path, s.what, !done})
	}
	verb := map[bool]string{false: "remove", true: "removed"}[done]
	_, err := fmt.Fprintf(u.a.Out, "%s: %s %s\n", term.Visible(u.a.Homely(s.path)), verb, term.Visible(s.what))
	return err
}

// remove takes all the steps, and tells of each if that is wanted; one that fails stops no other.
func (u *uninstalling) remove(tell bool) error {
	var failed bool
	for _, s := range u.steps {
		if err := s.do(); err != nil {
			failed = true
			u.a.Warn("%s stays: %s", s.path, strings.TrimSpace(exit.Message(err)))
		} else if tell {
			_ = u.tell(s, true) // a reader that went away keeps nothing from being removed
		}
	}
	if st, err := os.Lstat(u.a.Home()); err == nil && st.IsDir() { // and no link, which the user made
		_ = os.Remove(u.a.Home()) // if nothing is left in it
	}
	if failed {
		return exit.WithHint(errors.New("not all of it could be removed"), "run 'git sage uninstall' again once the cause is gone")
	}
	return nil
}

// tellRest says what stays, and how the program itself goes.
func (u *uninstalling) tellRest(dry bool) error {
	a := u.a
	if a.JSON {
		return nil
	}
	for _, path := range personsPlace(a).Recorded() { // once it is done, what is recorded is left
		said := slices.ContainsFunc(u.stays, func(s string) bool { return strings.HasPrefix(s, path) })
		if planned := slices.ContainsFunc(u.steps, func(s removal) bool { return strings.HasPrefix(behindLinks(s.path), path) }); !said && !(dry && planned) {
			u.stays = append(u.stays, path+": shared with others, edited, or of another git-sage")
		}
	}
	home := a.Homely(a.Home())
	if own := present(a.Home(), owned); len(own) > 0 && !(dry && u.all) {
		u.stays = append(u.stays, home+": your own knowledge and settings ("+strings.Join(own, ", ")+"); '--all' removes them")
	}
	if len(present(a.Home(), []string{keyFolder})) > 0 {
		u.stays = append(u.stays, filepath.Join(home, keyFolder)+": the key of encrypted remotes, which nobody else has")
	}
	for _, s := range u.stays {
		if _, err := fmt.Fprintf(a.Out, "stays: %s\n", term.Visible(s)); err != nil {
			return err
		}
	}
	a.Hint("repositories keep their memory; 'git sage help uninstall' says how to remove it from one")
	if bin := personsPlace(a).Bin; bin != "" {
		a.Hint("then remove the program: %s", howToRemove(bin))
	} else {
		a.Hint("then remove the program; its path cannot be found")
	}
	return nil
}

// behindLinks is where a file lies, as what is recorded names it.
func behindLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// entries are those of clients: the person's everywhere, and theirs in projects.
func (u *uninstalling) entries(ctx context.Context) error {
	p := personsPlace(u.a)
	if p.Home == "" {
		return exit.WithHint(errors.New("no home folder: nothing can be found"), "set HOME")
	}
	for _, p.Client = range install.Clients() {
		u.part(p, install.Hooks, install.User)
		u.part(p, install.MCP, install.User)
	}
	p.Client = install.Claude
	for _, root := range p.Projects() {
		there := *u.a
		there.Dir = root
		q := p
		if app.IsDir(root) {
			at, err := Place(ctx, &there)
			if err == nil && at.Root == root {
				q = at
			}
		}
		q.Client, q.Root = install.Claude, root
		u.part(q, install.Hooks, install.Local)
		u.part(q, install.MCP, install.Local)
	}
	return nil
}

// part plans to take a part out of a client's file, unless it is another git-sage's.
func (u *uninstalling) part(p install.Place, part install.Part, s install.Scope) {
	if part == install.Hooks && p.Client != install.Claude {
		return
	}
	for _, st := range p.Status() {
		if p.Bin != "" && st.Part == part && st.Scope == s && ofAnother(st) { // who knows no path tells no other
			u.used = true
			u.stays = append(u.stays, fmt.Sprintf("%s: the %s of another git-sage, %s", st.Path, part, strings.Join(st.Commands, ", ")))
			return
		}
	}
	p.DryRun = true
	r, err := p.Uninstall(part, s)
	p.DryRun = false
	if err != nil {
		u.stays = append(u.stays, exit.Message(err))
		return
	}
	if len(r.Changes) == 0 {
		return
	}
	scope := ""
	if s == install.Local && filepath.Dir(filepath.Dir(r.Path)) != p.Root {
		scope = " of " + u.a.Homely(p.Root)
	}
	u.add(r.Path, whatGoes(r.Changes)+scope, func() error {
		_, err := p.Uninstall(part, s)
		return err
	})
}

// whatGoes says what changes take out: of hooks how many.
func whatGoes(changes []string) string {
	var what []string
	hooks := 0
	for _, c := range changes {
		if oneHook().MatchString(c) {
			hooks++
		} else {
			what = append(what, strings.TrimPrefix(c, "removed "))
		}
	}
	if hooks > 0 {
		what = append(what, legible.Count(hooks, "hook"))
	}
	return strings.Join(what, ", ")
}

// ofAnother says whether all that entries call is another git-sage, which is there.
func ofAnother(st install.State) bool {
	for _, c := range st.Commands {
		if !slices.Contains(st.Stale, c) || slices.Contains(st.Missing, c) {
			return false
		}
	}
	return len(st.Commands) > 0
}

func (u *uninstalling) skills(ctx context.Context) error {
	list, err := skillTexts(nil)
	if err != nil || u.used {
		return err
	}
	look, err := shelfOf(ctx, u.a, install.User, true)
	if err != nil {
		return nil // without a home folder there are none
	}
	do, err := shelfOf(ctx, u.a, install.User, false)
	if err != nil {
		return err
	}
	for _, k := range list {
		r, err := look.Uninstall(k)
		switch {
		case err != nil:
			return err
		case r.Left != "":
			u.stays = append(u.stays, r.Path+": "+r.Left)
		case r.Did != "":
			u.add(r.Path, "skill "+k.Name, func() error {
				_, err := do.Uninstall(k)
				return err
			})
		}
	}
	return nil
}

// shared are the pages that 'make install' writes beneath its prefix.
var shared = []struct{ path, what string }{
	{"share/man/man1/git-sage.1", "manual page"},
	{"share/bash-completion/completions/git-sage", "completion of bash"},
	{"share/zsh/site-functions/_git-sage", "completion of zsh"},
	{"share/fish/vendor_completions.d/git-sage.fish", "completion of fish"},
}

// pages are those beside the program, unless a package has them.
func (u *uninstalling) pages() {
	bin := personsPlace(u.a).Bin
	if filepath.Base(filepath.Dir(bin)) != "bin" || packager(bin) != "" {
		return
	}
	for _, s := range shared {
		path := filepath.Join(filepath.Dir(filepath.Dir(bin)), filepath.FromSlash(s.path))
		if st, err := os.Lstat(path); err == nil && st.Mode().IsRegular() {
			u.add(path, s.what, func() error { return os.Remove(path) })
		}
	}
}

// packagers are the programs that packages of git-sage are removed with, by a part of the path
// of what they install.
var packagers = []struct{ in, how string }{
	{"/node_modules/", "npm uninstall -g git-sage"},
	{"/Cellar/", "brew uninstall git-sage"},
	{"/scoop/apps/", "scoop uninstall git-sage"},
	{"/uv/tools/", "uv tool uninstall git-sage"},
	{"/pipx/venvs/", "pipx uninstall git-sage"},
}

// packager is what removes the package that a program is of; "" if it is of none.
func packager(bin string) string {
	bin = behindLinks(bin)
	for _, p := range packagers {
		if strings.Contains(filepath.ToSlash(bin), p.in) {
			return p.how
		}
	}
	prefix := filepath.Dir(filepath.Dir(bin))
	if found, _ := filepath.Glob(filepath.Join(prefix, "lib", "python*", "site-packages", "git_sage-*.dist-info")); len(found) > 0 {
		return "pip uninstall git-sage"
	}
	for _, p := range []struct{ record, how string }{
		{"/var/lib/dpkg/info/git-sage.list", "apt remove git-sage"},
		{"/var/lib/rpm", "dnf remove git-sage"},
		{"/lib/apk/db/installed", "apk del git-sage"},
	} {
		if _, err := os.Stat(p.record); err == nil && filepath.ToSlash(prefix) == "/usr" {
			return p.how
		}
	}
	return ""
}

func howToRemove(bin string) string {
	if how := packager(bin); how != "" {
		return how
	}
	return plainfile.Removal(bin)
}

// What lies in the folder of the user: made of other things, and the user's own.
var (
	derived   = []string{"cache", "distill", "run", "hooks.log", "hooks.log.1", "watcher.log", "watcher.log.1"}
	owned     = []string{"memory.git", "templates", "config.yaml", "tuning.yaml", "plugins.yaml", "prices.yaml", "models", "trust"}
	keyFolder = "age" // without it nobody reads what was encrypted for it
)

// present are those of the names that are in a folder.
func present(dir string, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return errors.Is(err, fs.ErrNotExist)
	})
}

// derived plans to stop the watcher, and to remove what can be made again.
func (u *uninstalling) derived(ctx context.Context) error {
	w := watch.Place{Home: u.a.Home()}
	st, err := w.Status(ctx)
	if err != nil {
		return err
	}
	if st.Running {
		u.add(w.Home, fmt.Sprintf("the watcher, process %d", st.PID), func() error {
			_, err := w.Stop(ctx)
			return err
		})
	}
	u.folder(derived, "what is derived and logged: ")
	return nil
}

// own plans to remove what is the user's own, if that is wanted.
func (u *uninstalling) own() {
	if u.all {
		u.folder(owned, "your own knowledge and settings: ")
	}
}

// folder plans to remove some of the names in the user's folder.
func (u *uninstalling) folder(names []string, what string) {
	home := u.a.Home()
	there := present(home, names)
	if !filepath.IsAbs(home) || len(there) == 0 {
		return
	}
	u.add(home, what+strings.Join(there, ", "), func() error {
		var errs []error
		for _, name := range there {
			errs = append(errs, os.RemoveAll(filepath.Join(home, name)))
		}
		return errors.Join(errs...)
	})
}
