package install

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// isOurs says whether the server runs git-sage.
func (t *table) isOurs(bin string) bool {
	args := t.arguments()
	return len(args) > 0 && args[0] == "mcp" && isProgram(t.program(), bin)
}

// tableSites are our servers in a TOML file: one, or none.
func tableSites(d *draft, bin string) []site {
	t, err := serverTable(d.src, d.statements)
	if err != nil || t == nil || !t.isOurs(bin) {
		return nil
	}
	return []site{{table: t}}
}

// installTable writes the server as a table at the end of a TOML file, or mends it.
func (d *draft) installTable(r *Result, bin, command string) error {
	t, err := serverTable(d.src, d.statements)
	switch {
	case err != nil:
		return err
	case t == nil:
		r.Changes = append(r.Changes, "added server '"+server+"'")
		return d.edit([]splice{{len(d.src), len(d.src), d.newTable(command)}})
	case !t.isOurs(bin):
		return otherServer(t.program())
	}
	return d.mendTable(t, r, command)
}

// newTable is the table with what has to stand before it.
func (d *draft) newTable(command string) string {
	nl := d.style.nl
	text := strings.Join([]string{"[" + strings.Join(serverKey, ".") + "]", "command = " + quoteTOML(command), "args = " + argsTOML, ""}, nl)
	switch body := bytes.TrimPrefix(d.src, bom); {
	case len(body) == 0 || bytes.HasSuffix(body, []byte(nl+nl)):
		return text
	case body[len(body)-1] != '\n':
		return nl + nl + text
	}
	return nl + text
}

const argsTOML = `["mcp", "serve"]`

// quoteTOML writes a text as JSON has it, which TOML reads alike but for one character.
func quoteTOML(s string) string { return strings.ReplaceAll(quote(s), "\x7f", `\u007F`) }

// mendTable corrects command and arguments, and leaves all else to the owner.
func (d *draft) mendTable(t *table, r *Result, command string) error {
	var list []splice
	if t.program() != command {
		list = append(list, splice{t.command.from, t.command.to, quoteTOML(command)})
	}
	if !slices.Equal(t.arguments(), []string{"mcp", "serve"}) {
		list = append(list, splice{t.args.from, t.args.to, argsTOML})
	}
	if len(list) == 0 {
		return nil
	}
	if t.inline {
		return fmt.Errorf("server '%s' runs %s, at line %d without a table header, where it cannot be edited: remove it by hand", server, shown(t.program()), t.line)
	}
	r.Changes = append(r.Changes, fmt.Sprintf("%s now runs %s instead of %s", site{}.name(), shown(command), shown(t.program())))
	return d.edit(list)
}

// takeTable removes the server: what stands from its header to its last key, and the
// same of tables in it. Comments behind that belong to what follows.
func (d *draft) takeTable(t *table) error {
	if t.inline {
		return fmt.Errorf("server '%s' is at line %d without a table header, where it cannot be edited: remove it by hand", server, t.line)
	}
	var list []splice
	for _, h := range t.headers {
		end := h.to
		for _, s := range d.statements {
			if s.from >= h.from && s.kind == '=' && below(s.key) && !slices.ContainsFunc(t.headers, func(n statement) bool { return n.from > h.from && n.from < s.from }) {
				end = s.to
			}
		}
		list = append(list, splice{blankBefore(d.src, h.from), lineTo(d.src, end), ""})
	}
	return d.edit(list)
}

// blankBefore is the start of a line, or of the empty one before it.
func blankBefore(src []byte, at int) int {
	at = bytes.LastIndexByte(src[:at], '\n') + 1
	before := bytes.LastIndexByte(src[:max(at-1, 0)], '\n') + 1
	if at > 0 && len(bytes.TrimSpace(bytes.TrimPrefix(src[before:at], bom))) == 0 {
		return before
	}
	if at == 0 && bytes.HasPrefix(src, bom) {
		return len(bom)
	}
	return at
}

// lineTo is the end of a line, with its line break.
func lineTo(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(src)
}

// keeps says whether all that is not the server's means in another file what it means
// in this one: of TOML, a line taken out may give those below it to another table.
func keeps(list, without []statement) bool {
	rest := slices.DeleteFunc(slices.Clone(list), func(s statement) bool { return below(s.key) })
	return slices.EqualFunc(rest, without, func(a, b statement) bool { return a.kind == b.kind && slices.Equal(a.key, b.key) })
}
