package distill

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/converse"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// A Budget is what distilling may take in a day, in all repositories of a user. A file for
// each day has a line for each request, which is written before it is sent: what a process
// that was killed had asked for is counted.
type Budget struct {
	Home   string
	Tokens int
	Now    func() time.Time
}

func (b Budget) file() string {
	return filepath.Join(b.Home, "distill", "spent-"+b.Now().Format("2006-01-02"))
}

// mostSpent is above what a day's file holds: it has two lines for each request.
const mostSpent = 1 << 20

// Spent is how many tokens were taken today.
func (b Budget) Spent() (n int) {
	if plainfile.CheckFolder(b.Home, filepath.Dir(b.file())) != nil {
		return 0
	}
	text, err := plainfile.Read(b.file(), mostSpent)
	if err != nil {
		return 0
	}
	for l := range strings.Lines(string(text)) {
		took, _ := strconv.Atoi(strings.TrimSpace(l)) // else it is none of ours
		n += took
	}
	return max(n, 0)
}

// Left is how many may be taken today still.
func (b Budget) Left() int { return max(b.Tokens-b.Spent(), 0) }

// Reserve takes so many tokens, if there are as many left. settle says how many it were in
// the end.
func (b Budget) Reserve(tokens int) (settle func(used int), err error) {
	if err := b.check(); err != nil {
		return nil, fmt.Errorf("count what distilling takes: %w", err)
	}
	if left := b.Left(); tokens > left {
		now := b.Now()
		tomorrow := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 1, 0, now.Location())
		return nil, &converse.BusyError{After: tomorrow.Sub(now), Why: fmt.Sprintf("only %[2]d of %[1]d tokens are left today (distill_tokens_per_day), and the conversation takes about %[3]d", b.Tokens, left, tokens)}
	}
	file := b.file()
	b.forgetOld(filepath.Base(file))
	if err := note(file, tokens); err != nil {
		return nil, fmt.Errorf("count what distilling takes: %w", err) // what cannot be counted is not spent
	}
	return func(used int) { _ = note(file, used-tokens) }, nil // else more is counted than was used
}

// check makes the folder of the day's file, and refuses what stands in the place of either.
func (b Budget) check() error {
	if err := plainfile.MakeFolder(b.Home, filepath.Dir(b.file())); err != nil {
		return err
	}
	if _, err := plainfile.Read(b.file(), mostSpent); errors.Is(err, plainfile.ErrOther) {
		return err
	}
	return nil
}

func note(file string, tokens int) error {
	f, err := plainfile.Open(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = fmt.Fprintln(f, tokens)
	return err
}

// forgetOld removes the files of other days.
func (b Budget) forgetOld(today string) {
	list, _ := os.ReadDir(filepath.Join(b.Home, "distill"))
	for _, f := range list {
		if strings.HasPrefix(f.Name(), "spent-") && f.Name() < today {
			_ = os.Remove(filepath.Join(b.Home, "distill", f.Name()))
		}
	}
}
