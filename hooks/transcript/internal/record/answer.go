package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// maxTail is how much of the end of a transcript is read for an answer: one with what
// tools printed before it.
const maxTail = 8 << 20

// LastAnswer returns what the agent said since the person last said something, as far
// as the end of the file holds it.
func LastAnswer(file string) (string, error) {
	r, err := Open(file, Position{})
	if err != nil {
		return "", err
	}
	defer r.Close()
	if st, err := os.Stat(file); err == nil && st.Size() > maxTail {
		r.GoTo(st.Size() - maxTail)
		if _, err := r.line(); err != nil { // the half of one
			return "", fmt.Errorf("'%s': %w", file, ErrNone)
		}
	}
	text, err := lastAnswer(r)
	if err != nil {
		return "", fmt.Errorf("read '%s': %w", file, err)
	}
	if text == "" {
		return "", fmt.Errorf("'%s': %w", file, ErrNone)
	}
	return text, nil
}

// lastAnswer goes through records to the last: what a person says begins anew.
func lastAnswer(r *Reader) (string, error) {
	var said []string
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return strings.Join(said, "\n\n"), nil
		}
		if err != nil {
			return "", err
		}
		switch {
		case rec.Side || rec.Meta:
		case rec.Said() != "":
			said = nil
		case rec.Type == "assistant" && rec.Text() != "":
			said = append(said, rec.Text())
		}
	}
}

// ErrNone says that there is no transcript, or no answer in it.
var ErrNone = errors.New("no answer is on record")
