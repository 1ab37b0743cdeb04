package term

import (
	"io"
	"strings"
	"testing"
)

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
