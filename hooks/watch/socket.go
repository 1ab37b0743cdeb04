package watch

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

// What a daemon may be asked, one line for each connection. It answers with a Status.
const (
	askStatus = "status"
	askStop   = "stop"
	askLook   = "look" // at all files now
)

const (
	answerWithin = 2 * time.Second
	maxAnswer    = 1 << 20 // bytes
)

// errSilent says that nobody answers.
var errSilent = errors.New("no answer")

// listen opens the socket, for the user alone: it lies in a folder that nobody else may
// enter, see prepare.
func (p Place) listen() (net.Listener, error) {
	l, err := net.Listen("unix", p.socketFile())
	if err != nil {
		return nil, fmt.Errorf("open the socket: %w", err)
	}
	if err := os.Chmod(p.socketFile(), 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// answerAll answers who asks until the listener is closed.
func answerAll(l net.Listener, answer func(ask string) (Status, error)) {
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // too many open files, say: it passes
			time.Sleep(100 * time.Millisecond)
			continue
		}
		go answerOne(c, answer)
	}
}

func answerOne(c net.Conn, answer func(ask string) (Status, error)) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(answerWithin))
	line, err := bufio.NewReader(io.LimitReader(c, 100)).ReadString('\n')
	if err != nil {
		return
	}
	st, err := answer(line[:len(line)-1])
	if err != nil {
		return
	}
	_ = json.NewEncoder(c).Encode(st)
}

// ask asks the daemon, if there is one that answers.
func (p Place) ask(what string) (st Status, err error) {
	c, err := net.DialTimeout("unix", p.socketFile(), answerWithin)
	if err != nil {
		return st, fmt.Errorf("%w: %v", errSilent, err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(answerWithin))
	if _, err := fmt.Fprintln(c, what); err != nil {
		return st, fmt.Errorf("%w: %v", errSilent, err)
	}
	if err := json.NewDecoder(io.LimitReader(c, maxAnswer)).Decode(&st); err != nil {
		return st, fmt.Errorf("%w: %v", errSilent, err)
	}
	return st, nil
}
