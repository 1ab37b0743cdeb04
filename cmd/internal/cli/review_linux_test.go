package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
	xterm "golang.org/x/term"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
)

// openPty returns both ends of a terminal: what a person types and sees, and what a program
// has as its standard streams.
func openPty(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { person.Close() })
	fd := int(person.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return person, program
}

// typist types a key whenever the screen asks for one.
type typist struct {
	person io.ReadWriter
	keys   string
	screen bytes.Buffer
}

func (p *typist) watch() {
	b := make([]byte, 4096)
	for asked := 0; ; {
		n, err := p.person.Read(b)
		p.screen.Write(b[:n])
		if now := strings.Count(p.screen.String(), "[q]uit: "); now > asked && p.keys != "" {
			asked = now
			fmt.Fprint(p.person, p.keys[:1])
			p.keys = p.keys[1:]
		}
		if err != nil {
			return
		}
	}
}

// In a terminal a key counts as it is pressed, and the terminal is as it was afterwards.
func TestReviewInATerminal(t *testing.T) {
	a := reviewing(t)
	person, program := openPty(t)
	before, err := xterm.GetState(int(program.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	p := &typist{person: person, keys: "kdq"}
	var watching sync.WaitGroup
	watching.Go(p.watch)
	b := &app.App{Terminal: term.Terminal{In: program, Out: program, Err: program, Dir: a.Dir, Now: a.Now, Env: a.Env, TTY: true, Width: 80}}
	status := run(b, []string{"review"})
	after, err := xterm.GetState(int(program.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	program.Close()
	watching.Wait()
	if status != 0 || *after != *before {
		t.Errorf("status %d, terminal as it was: %v", status, *after == *before)
	}
	if screen := p.screen.String(); !strings.Contains(screen, "removed ") || !strings.Contains(screen, "2 of 3 reviewed") {
		t.Errorf("the screen:\n%s", screen)
	}
}
