package page

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/background"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/page"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// idle ends a server that was forgotten: a page that is in view asks every few seconds, so
// that nobody who reads is left alone.
const idle = 8 * time.Hour

type uiOptions struct {
	port   int
	noOpen bool
}

// NewUI makes 'git sage ui'.
func NewUI(a *app.App) *cobra.Command {
	var o uiOptions
	c := &cobra.Command{
		Use:   "ui [--port <number>] [--no-open]",
		Short: "Show the memory in your browser",
		Long: `Serve the memory to your browser, on this machine alone, until you press Ctrl-C
or nobody looked for 8 hours: lines of thought as a graph, checkpoints side by
side, merges with a synthesis, knowledge to edit, what a prompt would recall,
what waits for a review, search, who did what, and what sessions took.

The address that is printed ends with a token, without which nothing is shown;
it holds until the server ends. The browser is opened, unless there is no
display. Nothing is loaded from the network, and nothing is kept beside the
memory. What you change is changed as by the commands, and 'git sage undo' takes
it back.

The page asks the server for JSON, and so may programs: /api/openapi.json
describes it.`,
		Example: "git sage ui\ngit sage ui --no-open --port 8182",
		Args:    usage.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return runUI(c.Context(), a, o) },
	}
	c.Flags().IntVar(&o.port, "port", 0, "listen at this port `number`; 0 picks a free one")
	c.Flags().BoolVar(&o.noOpen, "no-open", false, "print the address, and open no browser")
	return c
}

func runUI(ctx context.Context, a *app.App, o uiOptions) error {
	if o.port < 0 || o.port > 65535 {
		return usage.Errorf("--port: %d is no port", o.port)
	}
	m, err := a.Open(ctx) // what keeps it from being opened is said here, and not in the page
	if err != nil {
		return err
	}
	what := app.MemoryOf(a, m.Store)
	a.Done()
	at := net.JoinHostPort("127.0.0.1", strconv.Itoa(o.port))
	l, err := app.Listen(ctx, at)
	if err != nil {
		return exit.WithHint(err, "'git sage ui' without --port takes a free one")
	}
	s := page.Options{App: a, Token: rand.Text(), Ticket: rand.Text(), Idle: idle}
	if err := announce(a, page.Address(l, s.Token), what); err != nil {
		l.Close()
		return err
	}
	if !o.noOpen {
		openBrowser(a, page.Address(l, s.Ticket))
	}
	err = page.Serve(ctx, l, s)
	if errors.Is(err, page.ErrIdle) {
		a.Say("nobody looked for %d hours: 'git sage ui' starts it again", int(idle.Hours()))
		return nil
	}
	return err
}

// announce prints the address alone on standard output, and how to end it beside.
func announce(a *app.App, address, what string) error {
	a.Say("serving the memory of %s; Ctrl-C ends it, and so do %d hours without a look", what, int(idle.Hours()))
	if a.JSON {
		return a.PrintJSON(map[string]string{"url": address, "repository": what})
	}
	_, err := fmt.Fprintln(a.Out, address)
	return err
}

// openBrowser has the system open an address, where somebody sees it. That it cannot is no
// failure: the address is printed.
func openBrowser(a *app.App, address string) {
	name, args := "", []string{address}
	switch {
	case runtime.GOOS == "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	case runtime.GOOS == "darwin" && a.Getenv("SSH_CONNECTION") == "":
		name = "open"
	case a.Getenv("DISPLAY")+a.Getenv("WAYLAND_DISPLAY") != "":
		name = "xdg-open"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return
	}
	cmd := exec.Command(path, args...)
	cmd.Env = a.Env
	background.Detach(cmd)
	_ = background.Start(cmd, nil)
}
