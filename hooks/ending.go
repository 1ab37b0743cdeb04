package hooks

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// transcript is the path of the session's transcript; "" if the client names none that
// is one.
func (e *event) transcript() string {
	f := e.input.Transcript
	if st, err := os.Lstat(f); err != nil || !st.Mode().IsRegular() || !filepath.IsAbs(f) || filepath.Ext(f) != ".jsonl" || e.session() == "" || e.input.Agent != "" {
		return ""
	}
	return f
}

// later runs another event for the same session, without anybody who waits.
func (e *event) later(ctx context.Context, name string) error {
	if e.Later == nil {
		_, err := map[string]func(context.Context) (string, error){Closing: e.closing, Recovering: e.recovering, Keeping: e.keeping}[name](ctx)
		return err
	}
	in, err := json.Marshal(input{Session: e.session(), Transcript: e.input.Transcript, Dir: cmp.Or(e.input.Dir, e.Dir), Anchor: e.mem.Store.Anchor()})
	if err != nil {
		return err
	}
	return e.Later(name, in)
}

// sessionEnd leaves a session behind: the client ends all hooks after 1.5 s, and waits
// for them as well.
func (e *event) sessionEnd(ctx context.Context) (string, error) {
	if e.transcript() == "" {
		return "", nil
	}
	return "", e.later(ctx, Closing)
}

// closing saves what is worth it of a session that ended.
func (e *event) closing(ctx context.Context) (string, error) {
	return "", e.saveRest(ctx, sage.SessionEnd)
}

// recovering saves what is worth it of a session that was cut off.
func (e *event) recovering(ctx context.Context) (string, error) {
	return "", e.saveRest(ctx, sage.Recovery)
}

func (e *event) saveRest(ctx context.Context, why sage.Trigger) error {
	file := e.transcript()
	if file == "" {
		return nil
	}
	if _, err := saveUnsaved(ctx, e.mem, file, why, &e.cost); err != nil {
		return err
	}
	return noteRescued(e.mem.Store, file)
}
