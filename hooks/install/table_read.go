package install

import (
	"bytes"
	"fmt"
	"slices"
)

// tableOfServers is what Codex calls its table of servers.
const tableOfServers = "mcp_servers"

// A table is what a TOML file says of the server 'sage', in whatever way.
type table struct {
	headers       []statement // of it, and of tables in it
	command, args *tomlValue
	line          int  // where it begins
	inline        bool // not with a header of its own: then it is not edited
}

var serverKey = []string{tableOfServers, server}

// below says whether a key is one of the server's, or the server itself.
func below(key []string) bool {
	return len(key) >= 2 && slices.Equal(key[:2], serverKey)
}

// serverTable finds the server; nil if there is none. The error says why it cannot be
// there, or is there in a way that means something else.
func serverTable(src []byte, list []statement) (*table, error) {
	t := &table{}
	for _, s := range list {
		if err := t.add(src, s); err != nil {
			return nil, err
		}
	}
	if t.line == 0 {
		return nil, nil
	}
	return t, nil
}

func (t *table) add(src []byte, s statement) error {
	top := len(s.key) == 1 && s.key[0] == tableOfServers
	switch {
	case top && s.kind == 'a', top && s.kind == '=' && s.val.kind != '{':
		return fmt.Errorf("'%s' at line %d is not a table", tableOfServers, lineOf(src, s.from))
	case top && s.kind == '=':
		return t.addInline(src, s)
	case !below(s.key):
		return nil
	case s.kind == '=':
		t.inline = t.inline || len(t.headers) == 0
		t.note(src, s)
		return nil
	case s.kind == 'a' && len(s.key) == 2:
		return fmt.Errorf("'%s.%s' at line %d is a list of tables", tableOfServers, server, lineOf(src, s.from))
	case len(s.key) == 2 && slices.ContainsFunc(t.headers, func(h statement) bool { return len(h.key) == 2 }):
		return fmt.Errorf("'%s.%s' is there twice, again at line %d", tableOfServers, server, lineOf(src, s.from))
	}
	t.begin(src, s)
	t.headers = append(t.headers, s)
	return nil
}

func (t *table) begin(src []byte, s statement) {
	if t.line == 0 {
		t.line = lineOf(src, s.from)
	}
}

// addInline takes the server out of 'mcp_servers = { ... }', where none can be added.
func (t *table) addInline(src []byte, s statement) error {
	for _, m := range s.val.members {
		if m.key[0] == server {
			m.key = append([]string{tableOfServers}, m.key...)
			m.from = s.from
			t.inline = true
			t.note(src, m)
		}
	}
	if t.line == 0 {
		return fmt.Errorf("'%s' at line %d is an inline table, to which nothing can be added: make it a table with a header", tableOfServers, lineOf(src, s.from))
	}
	return nil
}

// note takes a key of the server, or all of it in an inline table.
func (t *table) note(src []byte, s statement) {
	t.begin(src, s)
	if len(s.key) == 2 {
		for _, m := range s.val.members {
			m.key = append(slices.Clone(serverKey), m.key...)
			t.note(src, m)
		}
		return
	}
	if len(s.key) != 3 {
		return
	}
	switch val := s.val; s.key[2] {
	case "command":
		t.command = &val
	case "args":
		t.args = &val
	}
}

func (t *table) program() string {
	if t.command == nil {
		return ""
	}
	return t.command.text
}

func (t *table) arguments() (list []string) {
	if t.args != nil {
		for _, v := range t.args.items {
			list = append(list, v.text)
		}
	}
	return list
}

func lineOf(src []byte, at int) int { return bytes.Count(src[:at], []byte("\n")) + 1 }
