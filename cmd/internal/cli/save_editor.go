package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/template"
	"github.com/git-sage/git-sage/recall"
)

// scissors ends what is saved: everything below it in the editor's buffer is
// help. The last one counts, for a thesis may quote it.
const scissors = "<!-- >8 ---- git sage: everything below this line is left out ---- >8 -->"

// An editBuffer is text on its way through the user's editor. Its file lives
// beside the repository's other sage files, until the save has succeeded.
type editBuffer struct {
	path, shown string
	blank       bool // shown is a form with nothing in it
}

// newEditBuffer writes text, with help below the scissors, to a file of its
// own in folder.
func newEditBuffer(folder, text, help string) (*editBuffer, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(folder, "CHECKPOINT_EDITMSG-*.md")
	if err != nil {
		return nil, err
	}
	text = strings.TrimRight(text, "\n") + "\n\n" + scissors + "\n" + help
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return &editBuffer{path: f.Name(), shown: text}, nil
}

// edit runs the editor and returns what stands above the scissors.
func (b *editBuffer) edit(ctx context.Context, a *app) (string, error) {
	editor, err := gitEditor(ctx, a)
	if err != nil {
		return "", err
	}
	if err := runEditor(ctx, a, editor, b.path); err != nil {
		return "", fmt.Errorf("editor '%s': %w", editor, err)
	}
	data, err := os.ReadFile(b.path)
	if err != nil {
		return "", err
	}
	text, _ := aboveScissors(string(data))
	return text, nil
}

// kept adds to err, with which editing ended, where the text is; a form that
// nobody wrote into is not kept.
func (b *editBuffer) kept(err error) error {
	data, e := os.ReadFile(b.path)
	if e != nil || b.blank && string(data) == b.shown {
		b.remove()
		return err
	}
	return exit.WithHint(err, "the text is kept in '%s'", b.path)
}

// remove forgets the buffer, once nothing of it can be lost.
func (b *editBuffer) remove() { _ = os.Remove(b.path) }

func aboveScissors(s string) (string, bool) {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	i := strings.LastIndex(s, scissors)
	if i < 0 {
		return s, false
	}
	return s[:i], true
}

// gitEditor asks git, so that core.editor, GIT_EDITOR, VISUAL and EDITOR weigh
// as they do for a commit. An editor that the repository's own config names is
// left out: that config may have come in an archive.
func gitEditor(ctx context.Context, a *app) (string, error) {
	cmd := exec.CommandContext(ctx, "git", "var", "GIT_EDITOR")
	cmd.Dir, cmd.Env = a.Dir, a.Env
	if _, ok := a.UserConfig("core.editor"); !ok {
		cmd.Env = append(a.Env[:len(a.Env):len(a.Env)], "GIT_DIR="+os.DevNull)
	}
	out, err := cmd.Output()
	if err != nil {
		return "", errors.New("no editor to open: set GIT_EDITOR, or give the fields as options")
	}
	return strings.TrimSpace(string(out)), nil
}

// shellChars in the name of an editor make it a command for the shell, as in
// git.
const shellChars = "|&;<>()$`\\\"' \t\n*?[#~=%"

// runEditor runs the editor, through a shell if it has options of its own, and
// never puts the path into the command. The shell, too, bears Ctrl-C.
func runEditor(ctx context.Context, a *app, editor, path string) error {
	if editor == ":" { // git's own word for "do not edit"
		return nil
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, editor, abs)
	if strings.ContainsAny(editor, shellChars) {
		cmd = exec.CommandContext(ctx, "sh", "-c", "trap : INT QUIT\n"+editor+` "$@"`, editor, abs)
	}
	cmd.Dir, cmd.Env = a.Dir, a.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.In, a.Out, a.Err
	editing.Store(true) // Ctrl-C is the editor's, and so is Ctrl-\
	defer editing.Store(false)
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	defer signal.Stop(quit)
	return cmd.Run()
}

// saveEdited lets the person write the checkpoint. What was written is kept in
// a file if it cannot be saved, which again, the command line up to the file, goes on with.
func (a *app) saveEdited(ctx context.Context, m *recall.Memory, c *sage.Checkpoint, f finish, again string, quiet bool) error {
	own, help := templateHelp(ctx, m, c.Template)
	b, err := newEditBuffer(editFolder(m), draftText(c, own), editHelp+help)
	if err != nil {
		return err
	}
	b.blank = isEmpty(c)
	text, err := b.edit(ctx, a)
	if err != nil {
		return b.kept(err)
	}
	saved, err := a.saveText(ctx, m, text, f)
	switch {
	case errors.Is(err, exit.ErrNo):
		b.remove()
		return err
	case err != nil:
		return exit.WithHint(err, "your text is kept: %s '%s'", again, b.path)
	}
	b.remove()
	return a.printSaved(saved, quiet)
}

// templateHelp is what the form has to know of a template: its own fields, and
// what it needs. One that is not there is judged by the save.
func templateHelp(ctx context.Context, m *recall.Memory, name string) ([]template.Field, string) {
	if name == "" {
		return nil, ""
	}
	set, _ := m.Templates(ctx)
	t, err := set.Lookup(name)
	if err != nil {
		return nil, ""
	}
	var needs []string
	for _, f := range t.Required {
		needs = append(needs, f.Name)
	}
	return t.Own(), "\nThe template '" + name + "' needs: " + strings.Join(needs, ", ") + "\n"
}

func (a *app) saveText(ctx context.Context, m *recall.Memory, text string, f finish) (gitstore.Saved, error) {
	c, err := parseDraft([]byte(text))
	if err != nil {
		return gitstore.Saved{}, err
	}
	if withoutEmpty(c); isEmpty(c) {
		a.Say("aborting: the checkpoint is empty")
		return gitstore.Saved{}, exit.ErrNo
	}
	note, err := f(c)
	if err != nil {
		return gitstore.Saved{}, err
	}
	return a.saveNote(ctx, m, note)
}

// editFolder is where texts in the editor lie: with git-sage's other files of
// the repository, never in the work tree.
func editFolder(m *recall.Memory) string { return m.Store.Folder() }
