package usage

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/gitstore/sage/naming"
)

// An Error is a mistake on the command line: status 129.
type Error struct {
	Msg   string
	Hints []string
}

func (e *Error) Error() string { return e.Msg }

// Errorf makes a usage error: "error: <msg>", the usage line, status 129.
func Errorf(format string, args ...any) error {
	return &Error{Msg: fmt.Sprintf(format, args...)}
}

// IsFlagError says that err came from reading the flags.
func IsFlagError(err error) bool {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
	)
	return errors.As(err, &unknown) || errors.As(err, &missing) ||
		errors.As(err, &invalid) || errors.As(err, &syntax)
}

// FlagError words what is wrong with a flag as git does.
func FlagError(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
	)
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &missing):
		if missing.GetSpecifiedShortnames() != "" {
			return &Error{Msg: "option '-" + missing.GetSpecifiedName() + "' requires a value"}
		}
		return &Error{Msg: "option " + flagName(missing.GetFlag()) + " requires a value"}
	case errors.As(err, &invalid):
		why := errors.Unwrap(invalid).Error()
		if i := strings.LastIndex(why, ": "); i >= 0 { // strconv.ParseInt: parsing "x": invalid syntax
			why = why[i+2:]
		}
		switch {
		case invalid.GetFlag().Value.Type() == "bool":
			return &Error{Msg: "option " + flagName(invalid.GetFlag()) + " takes no value"}
		case why == strconv.ErrSyntax.Error():
			why = "want a number"
		}
		return &Error{Msg: fmt.Sprintf("bad value '%s' for option %s: %s", invalid.GetValue(), flagName(invalid.GetFlag()), why)}
	}
	return &Error{Msg: err.Error()}
}

func flagName(f *pflag.Flag) string {
	if len(f.Name) == 1 {
		return "'-" + f.Name + "'"
	}
	return "'--" + f.Name + "'"
}

func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError) error {
	name := e.GetSpecifiedName()
	u := &Error{Msg: "unknown option '--" + name + "'"}
	if e.GetSpecifiedShortnames() != "" {
		u.Msg = "unknown switch '" + name + "'"
	}
	if hint := gitsOwn(cmd, name); hint != "" {
		u.Hints = []string{hint}
		return u
	}
	if e.GetSpecifiedShortnames() != "" {
		return u
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && len(f.Name) > 1 {
			names = append(names, f.Name)
		}
	})
	if near := naming.Nearest(name, names); near != "" {
		u.Hints = []string{"did you mean '--" + near + "'?"}
	}
	return u
}

// gitsOwn says what to type for an option that git's command of that name has; "" if it has none,
// or if nothing does the same.
func gitsOwn(cmd *cobra.Command, option string) string {
	of := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().CommandPath()+" ")
	for _, o := range gitsOptions() {
		if slices.Contains(o.commands, of) && slices.Contains(o.names, option) {
			return o.does
		}
	}
	return ""
}

// gitsOption are options of git's, and what does the same here.
type gitsOption struct {
	commands, names []string
	does            string
}

var gitsOptions = sync.OnceValue(func() []gitsOption {
	changes := []string{"p", "patch", "stat", "shortstat", "numstat", "name-only", "name-status"}
	return []gitsOption{
		{[]string{"log"}, changes, "'git sage log -p' shows what each checkpoint changed"},
		{[]string{"log"}, []string{"S", "G"}, "'git sage search <text>' finds a text in checkpoints, 'git sage log --grep <pattern>' in what they conclude"},
		{[]string{"show", "diff"}, changes, "'git sage diff <rev>' shows what a checkpoint changed"},
		{[]string{"diff"}, []string{"cached", "staged"}, "nothing is staged here: 'git sage diff' shows what the last checkpoint changed"},
		{[]string{"save"}, []string{"a"}, "nothing is staged here: 'git sage save -m <text>' records a checkpoint"},
		{[]string{"save"}, []string{"amend"}, "'git sage checkpoint edit @' corrects the newest checkpoint; the old one stays in history"},
		{[]string{"status"}, []string{"s", "b", "short", "porcelain"}, "'git sage status --json' is for programs"},
		{[]string{"branch"}, []string{"show-current"}, "'git sage branch' marks the current line with *"},
		{[]string{"remote"}, []string{"v"}, "'git sage remote list' shows each with its address"},
		{[]string{"config"}, []string{"l", "show-origin"}, "'git sage config list' lists settings and where each comes from"},
		{[]string{"config"}, []string{"get", "get-all"}, "'git sage config get <key>' shows a setting"},
		{[]string{"config"}, []string{"unset", "unset-all"}, "'git sage config reset <key>' takes a setting back"},
		{[]string{"config"}, []string{"add", "replace-all", "local", "global"}, "'git sage config set <key> <value>' changes a setting"},
		{[]string{"import"}, []string{"dry-run", "n", "again", "quiet", "q", "from"}, "name what to import before its options: 'git sage import CLAUDE.md --dry-run'"},
	}
})
