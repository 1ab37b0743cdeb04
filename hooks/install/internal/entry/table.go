package entry

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/toml"
)

// TableOfServers is what Codex calls its table of servers.
const TableOfServers = "mcp_servers"

// A Table is what a TOML file says of the server 'sage', in whatever way.
type Table struct {
	Headers       []toml.Statement // of it, and of tables in it
	Command, Args *toml.Value
	Line          int  // where it begins
	Inline        bool // not with a header of its own: then it is not edited
}

// ServerKey is the key of the server in TOML.
var ServerKey = []string{TableOfServers, Server}

// IsServerKey says whether a key is one of the server's, or the server itself.
func IsServerKey(key []string) bool {
	return len(key) >= 2 && slices.Equal(key[:2], ServerKey)
}

// ReadTable finds the server; nil if there is none. The error says why it cannot be
// there, or is there in a way that means something else.
func ReadTable(src []byte, list []toml.Statement) (*Table, error) {
	t := &Table{}
	for _, s := range list {
		if err := t.add(src, s); err != nil {
			return nil, err
		}
	}
	if t.Line == 0 {
		return nil, nil
	}
	return t, nil
}

func (t *Table) add(src []byte, s toml.Statement) error {
	top := len(s.Key) == 1 && s.Key[0] == TableOfServers
	switch {
	case top && s.Kind == 'a', top && s.Kind == '=' && s.Value.Kind != '{':
		return fmt.Errorf("'%s' at line %d is not a table", TableOfServers, lineOf(src, s.From))
	case top && s.Kind == '=':
		return t.addInline(src, s)
	case !IsServerKey(s.Key):
		return nil
	case s.Kind == '=':
		t.Inline = t.Inline || len(t.Headers) == 0
		t.note(src, s)
		return nil
	case s.Kind == 'a' && len(s.Key) == 2:
		return fmt.Errorf("'%s.%s' at line %d is a list of tables", TableOfServers, Server, lineOf(src, s.From))
	case len(s.Key) == 2 && slices.ContainsFunc(t.Headers, func(h toml.Statement) bool { return len(h.Key) == 2 }):
		return fmt.Errorf("'%s.%s' is there twice, again at line %d", TableOfServers, Server, lineOf(src, s.From))
	}
	t.begin(src, s)
	t.Headers = append(t.Headers, s)
	return nil
}

func (t *Table) begin(src []byte, s toml.Statement) {
	if t.Line == 0 {
		t.Line = lineOf(src, s.From)
	}
}

// addInline takes the server out of 'mcp_servers = { ... }', where none can be added.
func (t *Table) addInline(src []byte, s toml.Statement) error {
	for _, m := range s.Value.Members {
		if m.Key[0] == Server {
			m.Key = append([]string{TableOfServers}, m.Key...)
			m.From = s.From
			t.Inline = true
			t.note(src, m)
		}
	}
	if t.Line == 0 {
		return fmt.Errorf("'%s' at line %d is an inline table, to which nothing can be added: make it a table with a header", TableOfServers, lineOf(src, s.From))
	}
	return nil
}

// note takes a key of the server, or all of it in an inline table.
func (t *Table) note(src []byte, s toml.Statement) {
	t.begin(src, s)
	if len(s.Key) == 2 {
		for _, m := range s.Value.Members {
			m.Key = append(slices.Clone(ServerKey), m.Key...)
			t.note(src, m)
		}
		return
	}
	if len(s.Key) != 3 {
		return
	}
	switch val := s.Value; s.Key[2] {
	case "command":
		t.Command = &val
	case "args":
		t.Args = &val
	}
}

// Program is what the server runs; "" if that is not said.
func (t *Table) Program() string {
	if t.Command == nil {
		return ""
	}
	return t.Command.Text
}

// Arguments are those of the program.
func (t *Table) Arguments() (list []string) {
	if t.Args != nil {
		for _, v := range t.Args.Items {
			list = append(list, v.Text)
		}
	}
	return list
}

func lineOf(src []byte, at int) int { return bytes.Count(src[:at], []byte("\n")) + 1 }

// IsOurs says whether the server runs git-sage.
func (t *Table) IsOurs(bin string) bool {
	args := t.Arguments()
	return len(args) > 0 && args[0] == "mcp" && isProgram(t.Program(), bin)
}

// TableSites are our servers in a TOML file: one, or none.
func TableSites(d *draft.Draft, bin string) []Site {
	t, err := ReadTable(d.Src, d.Statements)
	if err != nil || t == nil || !t.IsOurs(bin) {
		return nil
	}
	return []Site{{Table: t}}
}
