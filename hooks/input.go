package hooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/hooks/plugin"
	"github.com/git-sage/git-sage/hooks/transcript/sessions"
)

const maxInput = 8 << 20 // the client sends some 500 bytes, and what a person pastes

// An input is what the client says of an event. Its other fields are of no use here and
// left alone.
type input struct {
	Session    string    `json:"session_id"`
	Transcript string    `json:"transcript_path,omitempty"`
	Agent      string    `json:"agent_id,omitempty"` // of a subagent
	Dir        string    `json:"cwd"`
	Source     string    `json:"source,omitempty"`
	Prompt     string    `json:"prompt,omitempty"`
	Answer     string    `json:"last_assistant_message,omitempty"`
	Again      bool      `json:"stop_hook_active,omitempty"` // the agent goes on because a hook said so
	Trigger    string    `json:"trigger,omitempty"`          // of a compaction: manual or auto
	Summary    string    `json:"compact_summary,omitempty"`  // what it made of the conversation
	Tool       string    `json:"tool_name,omitempty"`
	ToolInput  toolInput `json:"tool_input,omitzero"`
	Error      string    `json:"error,omitempty"` // of a tool
	NewDir     string    `json:"new_cwd,omitempty"`
	Anchor     string    `json:"sage_anchor,omitempty"` // ours: the work tree that stays when that of the session is removed

	Compacted string          `json:"compacted,omitempty"` // of an Order, as what follows
	Actions   []plugin.Action `json:"actions,omitempty"`
}

// A toolInput is what tools are given that work on a file, look for something or run a
// command.
type toolInput struct {
	File     string `json:"file_path,omitempty"`
	Notebook string `json:"notebook_path,omitempty"`
	Pattern  string `json:"pattern,omitempty"`
	Path     string `json:"path,omitempty"` // of a search: a folder, or one file
	Command  string `json:"command,omitempty"`
}

func (t toolInput) file() string { return cmp.Or(t.File, t.Notebook) }

// readInput reads one JSON value and does not wait for more: a client may leave
// its end open. It waits as long as the event has: a client that is busy says late what
// it wants, and gives up no sooner for that.
func readInput(ctx context.Context, r io.Reader) (in input, err error) {
	done := make(chan error, 1)
	var got input
	go func() { done <- json.NewDecoder(io.LimitReader(r, maxInput)).Decode(&got) }()
	select {
	case err := <-done:
		if err != nil {
			return input{}, fmt.Errorf("read what the client says: %w", err)
		}
		return got, nil
	case <-ctx.Done():
		return input{}, errors.New("the client said nothing in all the time that this event has")
	}
}

// dir is the folder that the client names, where it goes before where it is, else
// otherwise.
func (in input) dir(otherwise string) string {
	return autosave.Folder(otherwise, in.NewDir, in.Dir, in.Anchor)
}

// transcript is the file that the client writes the conversation to, "" if it names none.
func (in input) transcript() string {
	if !sessions.IsPath(in.Transcript) {
		return ""
	}
	return in.Transcript
}
