package remote

import (
	"io"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// writerOf writes what is known of a remote.
func writerOf(a *app.App, r wire.Remote) func(io.Writer) {
	return func(w io.Writer) {
		write := func(label, text string) { _, _ = io.WriteString(w, shown(label, text)) }
		write("remote:", r.Name)
		write("fetch:", r.Fetch)
		for _, url := range r.Push {
			write("push:", url)
		}
		shared := sharedText(r)
		if r.Since != nil {
			shared += ", since " + r.Since.Local().Format("2006-01-02")
		}
		write("shared:", shared)
		switch {
		case r.Looked != nil:
			write("asked:", term.Age(a.Now(), *r.Looked))
		default:
			write("asked:", "never")
		}
		if r.Why != "" {
			write("failed:", r.Why)
		}
		if r.Waiting > 0 {
			write("waits:", legible.Count(r.Waiting, "checkpoint")+"; 'git sage sync "+r.Name+"' takes them in")
		}
		for _, why := range r.Refused {
			write("refused:", why)
		}
	}
}
