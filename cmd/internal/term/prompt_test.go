package term

import (
	"io"
	"strings"
	"testing"
)

func TestAsk(t *testing.T) {
	for answer, want := range map[string]string{"y\n": "sure? [y/N] ", "maybe\n": "sure? [y/N] nothing was sent\n", "": "sure? [y/N] \nnothing was sent\n"} {
		var said strings.Builder
		term := &Terminal{In: strings.NewReader(answer), Err: &said}
		if yes := term.Ask("sure?", "nothing was sent"); yes != (answer == "y\n") || said.String() != want {
			t.Errorf("%q: %v, %q; want %q", answer, yes, said.String(), want)
		}
	}
}

func TestReadTyped(t *testing.T) {
	for text, want := range map[string]string{"one\ntwo": "one", " one ": "one", "\n": ""} {
		if got, err := (&Terminal{In: strings.NewReader(text)}).ReadLine(); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if _, err := (&Terminal{In: strings.NewReader("")}).ReadLine(); err != io.EOF {
		t.Errorf("of nothing: %v", err)
	}
}
