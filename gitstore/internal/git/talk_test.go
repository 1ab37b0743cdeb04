package git

import (
	"testing"
	"time"
)

// What git counted before a server failed is not why it did.
func TestCountsAreNoReason(t *testing.T) {
	for _, said := range []string{
		"Total 3 (delta 0), reused 0 (delta 0), pack-reused 0\nerror: RPC failed; HTTP 500 curl 22\nfatal: the remote end hung up unexpectedly\nEverything up-to-date\n",
		"remote: counting objects: 3, done.        \nerror: RPC failed; HTTP 500 curl 22\nfatal: the remote end hung up unexpectedly\n",
		"Enumerating objects: 4, done.\nerror: RPC failed; HTTP 500 curl 22\nfatal: the remote end hung up unexpectedly\n",
	} {
		if got, want := (&Error{Stderr: said}).OfRemote(), "RPC failed; HTTP 500 curl 22"; got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// What ssh says ends with both; what a progress said before is gone.
func TestHeardText(t *testing.T) {
	h := &heard{late: time.NewTimer(time.Hour), silence: time.Hour}
	_, _ = h.Write([]byte("Counting: 1\rCounting: 2\nada@host: Permission denied (publickey).\r\nfatal: Could not read from remote repository.\n"))
	if got, want := (&Error{Stderr: h.text()}).OfRemote(), "ada@host: Permission denied (publickey)."; got != want {
		t.Errorf("of a remote: %q, want %q", got, want)
	}
}

func TestAKilledTalkIsNamed(t *testing.T) {
	for _, said := range []string{"", "remote: Total 16 (delta 6), reused 0 (delta 0), pack-reused 0\n"} {
		if got, want := (&Error{Command: "fetch", Code: -1, Stderr: said, how: "signal: killed"}).OfRemote(), "git fetch: killed (signal: killed)"; got != want {
			t.Errorf("of a git that was killed behind %q: %q, want %q", said, got, want)
		}
	}
}
