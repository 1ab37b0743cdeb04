package ask

import (
	"context"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/cmd/internal/term"
)

// Ctrl-C that clears a line does not end a chat, even if it was pressed before.
func TestInterrupted(t *testing.T) {
	typed := []string{"half a question", "another", "", "never read"}
	n := 0
	c := &chat{&talk{gatherer: gatherer{a: apptest.New(t.TempDir())}}, func(context.Context) (string, error) {
		n++
		return typed[n-1], term.ErrInterrupted
	}}
	if err := c.loop(t.Context()); err == nil || n != 3 {
		t.Errorf("ended behind %d lines with %v, want 3", n, err)
	}
}
