package term

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/hint"
)

// Warn says something that should be known but stops nothing.
func (t *Terminal) Warn(format string, args ...any) {
	fmt.Fprintf(t.Err, "warning: %s\n", Visible(t.Typed(fmt.Sprintf(format, hint.Args(args)...))))
}

// Hint names a next command.
func (t *Terminal) Hint(format string, args ...any) {
	fmt.Fprintf(t.Err, "hint: %s\n", Visible(t.Typed(fmt.Sprintf(format, args...))))
}

// Say tells a person what was done, on standard error so that it is never
// taken for data.
func (t *Terminal) Say(format string, args ...any) {
	fmt.Fprintln(t.Err, Visible(t.Typed(fmt.Sprintf(format, hint.Args(args)...))))
}

// Fprintf is [fmt.Fprintf] for standard output: of what the format names the commands are
// those of [Terminal.Typed], of what its arguments quote nothing changes.
func (t *Terminal) Fprintf(w io.Writer, format string, args ...any) {
	typed := Terminal{TypedDir: strings.ReplaceAll(t.TypedDir, "%", "%%"), TypedStore: strings.ReplaceAll(t.TypedStore, "%", "%%")}
	fmt.Fprintf(w, typed.Typed(format), args...)
}

// HintOnce says of several parts once what holds for each.
func (t *Terminal) HintOnce(note string) {
	if !slices.Contains(t.hinted, note) {
		t.hinted = append(t.hinted, note)
		t.Hint("%s", note)
	}
}

// PrintJSON prints v as one object on one line.
func (t *Terminal) PrintJSON(v any) error {
	return NewEncoder(t.Out).Encode(v)
}

// NewEncoder writes JSON with < > and & as they are: nothing of it stands in a web page. What no
// reader sees, or what a terminal obeys, is escaped: of the value that changes nothing.
func NewEncoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(escaping{w})
	enc.SetEscapeHTML(false)
	return enc
}

// escaping writes JSON in which such characters are escaped as it has the first 32: those above
// ASCII stand in texts only, and [json.Encoder] writes a value at once.
type escaping struct{ w io.Writer }

func (e escaping) Write(b []byte) (int, error) {
	out, from := []byte(nil), 0
	for i := 0; i < len(b); {
		r, n := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b[i:])
		}
		if r >= 0x7f && legible.Hidden(r) {
			out = append(out, b[from:i]...)
			for _, u := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, u)
			}
			from = i + n
		}
		i += n
	}
	if _, err := e.w.Write(append(out, b[from:]...)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Print prints at once what fn writes. What fails is kept for the end: those who call
// it cannot return an error.
func (t *Terminal) Print(fn func(w io.Writer)) error {
	var b strings.Builder
	fn(&b)
	_, err := io.WriteString(t.Out, b.String())
	t.Failed = errors.Join(t.Failed, err)
	return err
}
