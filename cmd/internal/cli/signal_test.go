//go:build unix

package cli

import (
	"io"
	"syscall"
	"testing"
)

// A signaller sends a signal to this process when it is read, and then never
// answers, like a terminal at which nobody types.
type signaller struct {
	signal syscall.Signal
	done   chan struct{}
}

func (s signaller) Read([]byte) (int, error) {
	syscall.Kill(syscall.Getpid(), s.signal)
	<-s.done
	return 0, io.EOF
}

func TestSignalsEndWithTheirStatus(t *testing.T) {
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		a := testApp(t.TempDir())
		in := signaller{signal, make(chan struct{})}
		a.in = in
		if got := run(a, []string{"redact", "test", "-"}); got != want {
			t.Errorf("%v: status %d, want %d", signal, got, want)
		}
		close(in.done)
	}
}
