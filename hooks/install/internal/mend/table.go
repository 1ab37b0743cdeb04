package mend

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/edit"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
)

// Table writes the server as a table at the end of a TOML file, or mends it.
func Table(d *draft.Draft, r *Result, bin, command string) error {
	t, err := entry.ReadTable(d.Src, d.Statements)
	switch {
	case err != nil:
		return err
	case t == nil:
		r.Changes = append(r.Changes, "added server '"+entry.Server+"'")
		return d.Edit([]edit.Splice{{From: len(d.Src), To: len(d.Src), Text: newTable(d, command)}})
	case !t.IsOurs(bin):
		return OtherServer(t.Program())
	}
	return mendTable(d, t, r, command)
}

// newTable is the table with what has to stand before it.
func newTable(d *draft.Draft, command string) string {
	nl := d.Style.Newline
	text := strings.Join([]string{"[" + strings.Join(entry.ServerKey, ".") + "]", "command = " + quoteTOML(command), "args = " + argsTOML, ""}, nl)
	switch body := bytes.TrimPrefix(d.Src, edit.BOM); {
	case len(body) == 0 || bytes.HasSuffix(body, []byte(nl+nl)):
		return text
	case body[len(body)-1] != '\n':
		return nl + nl + text
	}
	return nl + text
}

const argsTOML = `["mcp", "serve"]`

// quoteTOML writes a text as JSON has it, which TOML reads alike but for one character.
func quoteTOML(s string) string { return strings.ReplaceAll(jsonc.Quote(s), "\x7f", `\u007F`) }

// mendTable corrects command and arguments, and leaves all else to the owner.
func mendTable(d *draft.Draft, t *entry.Table, r *Result, command string) error {
	var list []edit.Splice
	if t.Program() != command {
		list = append(list, edit.Splice{From: t.Command.From, To: t.Command.To, Text: quoteTOML(command)})
	}
	if !slices.Equal(t.Arguments(), []string{"mcp", "serve"}) {
		list = append(list, edit.Splice{From: t.Args.From, To: t.Args.To, Text: argsTOML})
	}
	if len(list) == 0 {
		return nil
	}
	if t.Inline {
		return fmt.Errorf("server '%s' runs %s, at line %d without a table header, where it cannot be edited: remove it by hand", entry.Server, entry.Shown(t.Program()), t.Line)
	}
	r.Changes = append(r.Changes, fmt.Sprintf("%s now runs %s instead of %s", entry.Site{}.Name(), entry.Shown(command), entry.Shown(t.Program())))
	return d.Edit(list)
}
