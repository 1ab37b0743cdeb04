package usage

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/term"
)

// WriteUsage prints what -h prints: the usage and the options, no more.
func WriteUsage(w io.Writer, c *cobra.Command) {
	fmt.Fprintf(w, "usage: %s\n", Line(c))
	writeVerbs(w, c)
	writeFlags(w, c)
}

// WriteHelp prints what --help prints.
func WriteHelp(w io.Writer, c *cobra.Command) {
	fmt.Fprintf(w, "%s - %s\n\n", c.CommandPath(), term.LowerFirst(c.Short))
	if c.Long != "" {
		fmt.Fprintf(w, "%s\n\n", c.Long)
	}
	WriteUsage(w, c)
	if c.Example != "" {
		fmt.Fprintf(w, "\nexamples:\n%s\n", indent(c.Example))
	}
}

// Line is the usage of c. Use holds it from the name of the command on; of a group it is the
// name alone, unless the group does more by itself than to list.
func Line(c *cobra.Command) string {
	if c.HasSubCommands() && c.HasParent() && c.Use == c.Name() {
		verb := "<command>"
		if c.Annotations["runs"] == "list" {
			verb = "[<command>]"
		}
		return c.CommandPath() + " " + verb + " [<options>]"
	}
	if c.HasParent() {
		return c.Parent().CommandPath() + " " + c.Use
	}
	return strings.Replace(c.Use, c.Name(), c.CommandPath(), 1)
}

// writeVerbs lists the commands of c, under headings where it has them.
func writeVerbs(w io.Writer, c *cobra.Command) {
	writeSection(w, c, "")
	for _, g := range c.Groups() {
		writeSection(w, c, g.ID)
	}
}

// writeSection lists those commands of c that stand under a heading.
func writeSection(w io.Writer, c *cobra.Command, heading string) {
	wide := 0
	for _, v := range c.Commands() {
		wide = max(wide, len(v.Name()))
	}
	first := true
	for _, v := range c.Commands() {
		if !v.IsAvailableCommand() || v.GroupID != heading {
			continue
		}
		if first {
			fmt.Fprintln(w)
			first = false
			if heading != "" {
				fmt.Fprintf(w, "%s:\n", heading)
			}
		}
		fmt.Fprintf(w, "    %-*s  %s\n", wide, v.Name(), term.LowerFirst(v.Short))
	}
}

func writeFlags(w io.Writer, c *cobra.Command) {
	own, global := c.LocalNonPersistentFlags(), pflag.NewFlagSet("", pflag.ContinueOnError)
	global.SortFlags = false
	c.Root().PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if own.Lookup(f.Name) == nil { // it means something else there
			global.AddFlag(f)
		}
	})
	for _, set := range []*pflag.FlagSet{own, global} {
		if rows := FlagRows(set); len(rows) > 0 {
			fmt.Fprintln(w)
			for _, r := range rows {
				writeFlagRow(w, r)
			}
		}
	}
}

func writeFlagRow(w io.Writer, r [2]string) {
	const column = 28
	usage := strings.ReplaceAll(term.Wrap(r[1], 80-4-column, ""), "\n", "\n    "+strings.Repeat(" ", column))
	if len(r[0]) >= column {
		fmt.Fprintf(w, "    %s\n    %*s%s\n", r[0], column, "", usage)
		return
	}
	fmt.Fprintf(w, "    %-*s%s\n", column, r[0], usage)
}

// FlagRows are the options of a set as people write them, with their meaning.
func FlagRows(set *pflag.FlagSet) [][2]string {
	var rows [][2]string
	set.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			rows = append(rows, [2]string{FlagSyntax(f)})
			_, usage := pflag.UnquoteUsage(f)
			rows[len(rows)-1][1] = usage
		}
	})
	return rows
}

// FlagSyntax is -n, --max-count <number>.
func FlagSyntax(f *pflag.Flag) string {
	arg, _ := pflag.UnquoteUsage(f)
	long := "--" + f.Name
	switch {
	case arg == "" || f.Value.Type() == "bool":
	case f.NoOptDefVal != "":
		long += "[=<" + arg + ">]"
	default:
		long += " <" + arg + ">"
	}
	switch {
	case len(f.Name) == 1:
		return strings.TrimPrefix(long, "-")
	case f.Shorthand != "":
		return "-" + f.Shorthand + ", " + long
	}
	return long
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ")
}
