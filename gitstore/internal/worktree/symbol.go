package worktree

import (
	"context"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// Symbols know what names stand for in code.
type Symbols interface {
	// Definition is the text of what a source defines under a name, and its lines; "" if it
	// defines none. An error is that nobody knows.
	Definition(ctx context.Context, file string, source []byte, name string) (text string, lines [2]int, err error)
	// Defining are files of the work tree that define a name, as far as that is known.
	Defining(ctx context.Context, name string) []string
}

// symbolNow says how what a reference names, without lines, is in a file whose content changed
// since. What is no longer there is looked for under the same name elsewhere. ok is false where
// nobody can tell.
func (fl *UserFiles) symbolNow(ctx context.Context, w *reader, r sage.CodeRef, file string) (now sage.RefState, ok bool) {
	old := fl.symbolThen(ctx, r)
	if old == "" {
		return now, false
	}
	text, lines, err := fl.definition(ctx, w, file, r.Symbol)
	switch {
	case err != nil:
		return now, false
	case text == old:
		return sage.RefState{State: sage.RefCurrent}, true
	case text != "":
		return sage.RefState{State: sage.RefChanged, Now: lines}, true
	}
	if to := fl.symbolElsewhere(ctx, w, r, old); to != "" {
		return sage.RefState{State: sage.RefMoved, To: to}, true
	}
	return sage.RefState{State: sage.RefGone}, ctx.Err() == nil
}

// symbolThen is what a reference that names a symbol, and no lines, saw of it; "" is unknown.
func (fl *UserFiles) symbolThen(ctx context.Context, r sage.CodeRef) string {
	if fl.Symbols == nil || r.Symbol == "" || r.Blob == "" || r.Lines != [2]int{} {
		return ""
	}
	was, err := fl.object(r.Blob)
	if err != nil || len(was.Data) > maxCompared {
		return ""
	}
	old, _, _ := fl.Symbols.Definition(ctx, r.File, was.Data, r.Symbol)
	return old
}

// symbolElsewhere is a file that defines a symbol as it was; "" if there is none.
func (fl *UserFiles) symbolElsewhere(ctx context.Context, w *reader, r sage.CodeRef, old string) string {
	for _, file := range fl.Symbols.Defining(ctx, r.Symbol) {
		if text, _, err := fl.definition(ctx, w, file, r.Symbol); err == nil && text == old {
			return file
		}
	}
	return ""
}

func (fl *UserFiles) definition(ctx context.Context, w *reader, file, name string) (string, [2]int, error) {
	b, err := w.read(filepath.FromSlash(file))
	if err != nil {
		return "", [2]int{}, err
	}
	return fl.Symbols.Definition(ctx, file, b, name)
}
