package editor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
)

// scissors ends what is saved: everything below it in the editor's buffer is
// help. The last one counts, for a thesis may quote it.
const scissors = "<!-- >8 ---- git sage: everything below this line is left out ---- >8 -->"

// An Buffer is text on its way through the user's editor. Its file lives
// beside the repository's other sage files, until the save has succeeded.
type Buffer struct {
	Path, shown string
	Blank       bool // shown is a form with nothing in it
}

// New writes text, with help below the scissors, to a file of its
// own in folder.
func New(folder, text, help string) (*Buffer, error) {
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
	return &Buffer{Path: f.Name(), shown: text}, nil
}

// Edit runs the editor and returns what stands above the scissors.
func (b *Buffer) Edit(ctx context.Context, t *term.Terminal) (string, error) {
	editor, err := gitEditor(ctx, t)
	if err != nil {
		return "", err
	}
	if err := runEditor(ctx, t, editor, b.Path); err != nil {
		return "", fmt.Errorf("editor '%s': %w", editor, err)
	}
	data, err := os.ReadFile(b.Path)
	if err != nil {
		return "", err
	}
	text, _, _ := Cut(string(data))
	return text, nil
}

// Kept adds to err, with which editing ended, where the text is; a form that
// nobody wrote into is not kept.
func (b *Buffer) Kept(err error) error {
	data, e := os.ReadFile(b.Path)
	if e != nil || b.Blank && string(data) == b.shown {
		b.Remove()
		return err
	}
	return exit.WithHint(err, "the text is kept in '%s'", b.Path)
}

// Remove forgets the buffer, once nothing of it can be lost.
func (b *Buffer) Remove() { _ = os.Remove(b.Path) }

// Cut is what stands above the scissors, and below, if there are any.
func Cut(s string) (above, below string, found bool) {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	i := strings.LastIndex(s, scissors)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i:], true
}

// gitEditor asks git, so that core.editor, GIT_EDITOR, VISUAL and EDITOR weigh
// as they do for a commit. An editor that the repository's own config names is
// left out: that config may have come in an archive.
func gitEditor(ctx context.Context, t *term.Terminal) (string, error) {
	cmd := exec.CommandContext(ctx, "git", "var", "GIT_EDITOR")
	cmd.Dir, cmd.Env = t.Dir, t.Env
	if _, ok := t.UserConfig("core.editor"); !ok {
		cmd.Env = append(t.Env[:len(t.Env):len(t.Env)], "GIT_DIR="+os.DevNull)
	}
	out, err := cmd.Output()
	if err != nil {
		return "", errors.New("no editor to open: set GIT_EDITOR, or give the fields as options")
	}
	return strings.TrimSpace(string(out)), nil
}

// editing says that the terminal and its Ctrl-C belong to an editor. Signals are
// the process's, and so is this.
var editing atomic.Bool

// IsOpen reports whether somebody writes in an editor, to whom Ctrl-C belongs.
func IsOpen() bool { return editing.Load() }

// shellChars in the name of an editor make it a command for the shell, as in
// git.
const shellChars = "|&;<>()$`\\\"' \t\n*?[#~=%"

// runEditor runs the editor, through a shell if it has options of its own, and
// never puts the path into the command. The shell, too, bears Ctrl-C.
func runEditor(ctx context.Context, t *term.Terminal, editor, path string) error {
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
	cmd.Dir, cmd.Env = t.Dir, t.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = t.In, t.Out, t.Err
	editing.Store(true) // Ctrl-C is the editor's, and so is Ctrl-\
	defer editing.Store(false)
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	defer signal.Stop(quit)
	return cmd.Run()
}
