package git

import (
	"testing"
	"time"
)

// What ssh says ends with both; what a progress said before is gone.
func TestHeardText(t *testing.T) {
	h := &heard{late: time.NewTimer(time.Hour), silence: time.Hour}
	_, _ = h.Write([]byte("Counting: 1\rCounting: 2\nada@host: Permission denied (publickey).\r\nfatal: Could not read from remote repository.\n"))
	if got, want := (&Error{Stderr: h.text()}).OfRemote(), "ada@host: Permission denied (publickey)."; got != want {
		t.Errorf("of a remote: %q, want %q", got, want)
	}
}
