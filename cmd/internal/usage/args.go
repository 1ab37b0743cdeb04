package usage

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
)

// Group makes a command that only holds others.
func Group(use, short, long string, verbs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Long: long, DisableFlagsInUseLine: true,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return UnknownVerb(c, args) },
	}
	c.AddCommand(verbs...)
	return c
}

// Listing has a group without a command run its command list, as 'git branch' does.
func Listing(c *cobra.Command) *cobra.Command {
	c.Annotations = map[string]string{"runs": "list"}
	c.Long = strings.TrimSpace(c.Long + "\n\nWithout a command, it lists them.")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return UnknownVerb(c, args)
		}
		list := Child(c, "list")
		list.SetContext(c.Context())
		return list.RunE(list, nil)
	}
	return c
}

// ExactArgs takes one argument for each name.
func ExactArgs(names ...string) cobra.PositionalArgs {
	return RangeArgs(len(names), len(names), names...)
}

// RangeArgs takes from least to most arguments; most < 0 is any number. names
// are what the first ones are called.
func RangeArgs(least, most int, names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return Errorf("<%s> is missing", names[len(args)])
		case most >= 0 && len(args) > most:
			return Errorf("too many arguments: '%s'", args[most])
		case len(names) == 0 || slices.Contains([]string{"id", "rev", "line"}, names[0]):
			return NoEmpty(args)
		}
		return nil
	}
}

// NoEmpty refuses a revision without a letter: it is what a script passes whose
// variable is not set, and would mean where one stands.
func NoEmpty(revs []string) error {
	if slices.Contains(revs, "") {
		return Errorf("a revision is empty; '@' is where you stand")
	}
	return nil
}

// NoArgs takes none.
func NoArgs(_ *cobra.Command, args []string) error {
	return RangeArgs(0, 0)(nil, args)
}

// MatchesAny says whether name matches one of the patterns; none match all.
func MatchesAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if ok, _ := path.Match(p, name); ok {
			return true
		}
	}
	return len(patterns) == 0
}

// IsText reports whether an argument is more than a word of a name or a path may be.
func IsText(arg string) bool {
	return strings.ContainsFunc(arg, func(r rune) bool { return unicode.IsSpace(r) || r > unicode.MaxASCII })
}
