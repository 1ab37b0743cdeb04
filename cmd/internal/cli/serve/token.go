package serve

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// A token is kept, so that clients need to be told once. Who can read its file has the
// memory: it has to be the user's alone.

const (
	leastToken = 16   // characters
	mostToken  = 4096 // bytes of the file
)

// readToken reads the token of a file, and makes both if there is none.
func readToken(a *app.App, file string) (string, error) {
	dir := filepath.Dir(file)
	ours := dir == filepath.Join(a.Home(), "run")
	if ours {
		if err := plainfile.CheckFolder(a.Home(), dir); errors.Is(err, plainfile.ErrOther) {
			return "", fmt.Errorf("token: %w", err)
		}
	}
	f, err := plainfile.Open(file, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, plainfile.ErrOther) {
		if err = makeToken(file); err == nil {
			f, err = plainfile.Open(file, os.O_RDONLY)
		}
	}
	switch {
	case errors.Is(err, plainfile.ErrOther) && !ours:
		return "", fmt.Errorf("token: %s is no file with a token", file)
	case err != nil:
		return "", fmt.Errorf("token: %w", err)
	}
	defer f.Close()
	return tokenIn(f, file)
}

// tokenIn is the token of a file that is open: what was looked at is what is read.
func tokenIn(f *os.File, file string) (string, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", fmt.Errorf("token: %w", err)
	case info.Size() > mostToken:
		return "", fmt.Errorf("token: %s is no file with a token", file)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", exit.WithHint(fmt.Errorf("token: %s can be read by others", file), "remove it, and the next start creates another: rm %s", term.ShellWord(file))
	}
	b, err := io.ReadAll(io.LimitReader(f, mostToken))
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	token := strings.TrimSpace(string(b))
	if len(token) < leastToken || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", fmt.Errorf("token: %s must hold one word of at least %d characters", file, leastToken)
	}
	return token, nil
}

// makeToken writes a new one, whole or not at all; who was faster stays.
func makeToken(file string) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".token-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(rand.Text() + rand.Text() + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = os.Link(f.Name(), file); errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
