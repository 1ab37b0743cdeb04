package converse

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// program asks the user's own Claude Code. It knows one turn: the earlier ones stand in it.
func (a *Asker) program(ctx context.Context, q Request, st *stream) error {
	p := Program{World: a.World, Setting: a.Settings.Setting}
	args := append([]string{"-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"}, p.Alone()...)
	if a.Settings.Model != "" {
		args = append(args, "--model", a.Settings.Model)
	}
	cmd, err := p.Command(ctx, q.Most, append(args, "--tools", "", "--max-turns", "1", "--system-prompt", q.System)...)
	if err != nil {
		return err
	}
	cmd.Stdin = strings.NewReader(inOne(q.Turns))
	var complaint Limited
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("claude: %w", err)
	}
	var last programLine
	err = lines(out, st, func(line []byte) (bool, error) {
		var v programLine
		if json.Unmarshal(line, &v) != nil { // a warning of the program's
			return false, nil
		}
		switch v.Type {
		case "stream_event":
			st.message(v.Event)
		case "result":
			last = v
		}
		return false, nil
	})
	if st.over != nil {
		_, _ = cmd.Cancel(), cmd.Wait() // how it ends says nothing more
		return st.over
	}
	return p.judge(last, complaint.String(), errors.Join(err, cmd.Wait()), st)
}

// A programLine is a line that Claude Code prints, as far as it counts.
type programLine struct {
	Type  string
	Event messageEvent
	Outcome
}

// An Outcome is what Claude Code prints in the end.
type Outcome struct {
	IsError  bool                       `json:"is_error"`
	Result   string                     `json:"result"`
	Status   int                        `json:"api_error_status"`
	Terminal string                     `json:"terminal_reason"` // why it ended
	Usage    Usage                      `json:"usage"`
	Models   map[string]json.RawMessage `json:"modelUsage"`
}

// Model is the one that answered, "" if it does not say.
func (o Outcome) Model() (model string) {
	for name := range o.Models {
		model = max(model, name) // there is one
	}
	return model
}

// judge tells a good answer by its exit status and is_error.
func (p Program) judge(last programLine, complaint string, ended error, st *stream) error {
	if last.Type == "" {
		return fmt.Errorf("claude printed no result (%s): %s", Exit(ended), Clipped(complaint))
	}
	last.Usage.note(&st.answer.Use)
	st.answer.Use.Model = cmp.Or(last.Model(), st.answer.Use.Model)
	if ended != nil || last.IsError {
		return p.Failure(last.Outcome, ended)
	}
	if st.text.Len() == 0 { // it did not stream
		st.add(last.Result)
	}
	if st.text.Len() == 0 {
		return fmt.Errorf("claude: %w", errForm)
	}
	return nil
}

// inOne puts a conversation into one text.
func inOne(turns []Turn) string {
	if len(turns) == 1 {
		return turns[0].Text
	}
	var b strings.Builder
	for _, t := range turns[:len(turns)-1] {
		who := "person"
		if t.Agent {
			who = "you"
		}
		fmt.Fprintf(&b, "[%s said before]\n%s\n\n", who, t.Text)
	}
	return b.String() + "[now]\n" + turns[len(turns)-1].Text
}
