// Package transcript reads what Claude Code keeps of its conversations: files of one
// JSON object a line, whose form is nobody's promise. Lines that cannot be read are
// passed over.
package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxTail is how much of the end of a transcript is read: an answer with what tools
// printed before it.
const maxTail = 8 << 20

// ErrNone says that there is no transcript, or no answer in it.
var ErrNone = errors.New("no answer is on record")

// Find returns the transcript of a session among those in the client's folder, such as
// ~/.claude.
func Find(folder, session string) (string, error) {
	if session == "" || strings.Trim(session, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return "", fmt.Errorf("session '%s': %w", session, ErrNone)
	}
	projects := filepath.Join(folder, "projects")
	entries, err := os.ReadDir(projects)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	for _, e := range entries {
		name := filepath.Join(projects, e.Name(), session+".jsonl")
		if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() {
			return name, nil
		}
	}
	return "", fmt.Errorf("session '%s' in '%s': %w", session, projects, ErrNone)
}

// LastAnswer returns what the agent said since the person last said something, as far
// as the end of the file holds it.
func LastAnswer(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	tail, err := tailOf(f)
	if err != nil {
		return "", fmt.Errorf("read '%s': %w", file, err)
	}
	if text := lastAnswer(tail); text != "" {
		return text, nil
	}
	return "", fmt.Errorf("'%s': %w", file, ErrNone)
}

// tailOf reads the end of a file, from the beginning of a line on.
func tailOf(f io.ReadSeeker) ([]byte, error) {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	from := max(0, end-maxTail)
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, maxTail))
	if from > 0 {
		_, b, _ = bytes.Cut(b, []byte("\n"))
	}
	return b, err
}

// An entry is what matters here of a line.
type entry struct {
	Type    string `json:"type"`
	Side    bool   `json:"isSidechain"` // of a helper that the agent sent out
	Meta    bool   `json:"isMeta"`
	Message struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// lastAnswer reads entries from the first to the last: what a person says begins anew.
func lastAnswer(b []byte) string {
	var said []string
	for line := range bytes.Lines(b) {
		var e entry
		if json.Unmarshal(line, &e) != nil || e.Side || e.Meta {
			continue
		}
		text := e.text()
		switch {
		case text == "":
		case e.Type == "user":
			said = nil
		case e.Type == "assistant":
			said = append(said, text)
		}
	}
	return strings.Join(said, "\n\n")
}

// text is what an entry says, without what tools are asked and answer.
func (e entry) text() string {
	var s string
	if json.Unmarshal(e.Message.Content, &s) == nil {
		return strings.TrimSpace(s)
	}
	var blocks []struct{ Type, Text string }
	if json.Unmarshal(e.Message.Content, &blocks) != nil {
		return ""
	}
	var parts []string
	for _, b := range blocks {
		if b.Type == "text" && strings.TrimSpace(b.Text) != "" {
			parts = append(parts, strings.TrimSpace(b.Text))
		}
	}
	return strings.Join(parts, "\n\n")
}
