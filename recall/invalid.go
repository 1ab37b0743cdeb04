package recall

import "strings"

// An InvalidError says what is wrong with a checkpoint that was to be saved:
// one problem for each field, which it names. Nothing was saved.
type InvalidError struct {
	Problems []string
	Missing  []string // fields of the template's own that it needs
}

func (e *InvalidError) Error() string { return strings.Join(e.Problems, "; ") }

// problemsOf are the lines of an error that joins several.
func problemsOf(err error) []string {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var out []string
		for _, e := range joined.Unwrap() {
			out = append(out, problemsOf(e)...)
		}
		return out
	}
	return []string{err.Error()}
}
