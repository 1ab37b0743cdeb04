package entry

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
)

// What the entries call, and what the server is called.
const (
	Program = "git-sage"
	Server  = "sage" // name of the server: tools are then called mcp__sage__*
)

// HookTool is the tool of the server that answers an event in the place of a program.
// The client calls it although it is not among those that are listed (seen in 2.1.197
// and 2.1.329), so that no model is told of it.
const HookTool = "sage_hook"

// An Event is one that we have a hook for.
type Event struct {
	Name, Matcher, Arg string
	Timeout            int // seconds; the hooks themselves give up far earlier

	// says is what the client says of the event beside the session, for the events that
	// are frequent enough to ask the server at; nil is for a program, always.
	says []string
}

// all are the hooks of ours. Those around a compaction are called for one that the
// client begins by itself: of one that a person types it lists every hook on the screen,
// whatever that prints (seen in 2.1.329), and session-start does behind it what is to do.
var all = []Event{
	{"SessionStart", "startup|resume|clear|compact|fork", "session-start", 10, nil},
	{"UserPromptSubmit", "", "user-prompt", 10, []string{"prompt"}},
	{"Stop", "", "stop", 10, []string{"stop_hook_active", "last_assistant_message"}},
	{"PreCompact", AutoCompaction, "pre-compact", 10, nil},
	{"PostCompact", AutoCompaction, "post-compact", 10, nil},
	{"SessionEnd", "", "session-end", 10, nil},
	{"SubagentStart", "", "subagent-start", 10, nil},
	{"PreToolUse", "Edit|MultiEdit|Write|NotebookEdit|Bash|Grep|Glob", "pre-tool-use", 10, []string{"tool_name", "tool_input.file_path", "tool_input.notebook_path", "tool_input.pattern", "tool_input.path", "tool_input.command"}},
	{"PostToolUse", Reading, "post-tool-use", 10, []string{"tool_name", "tool_input.file_path", "tool_input.notebook_path"}},
	{"PostToolUseFailure", "Bash", "tool-failure", 10, []string{"tool_name", "error"}},
	{"CwdChanged", "", "cwd-changed", 10, nil},
}

// Matchers of compactions: those that the client begins by itself, and all. Of files: those
// that are read, and, before there was a hook ahead of tools, those that are changed, too.
const (
	AutoCompaction = "auto"
	AnyCompaction  = "auto|manual"
	Reading        = "Read"
	Touching       = "Read|Edit|MultiEdit|Write|NotebookEdit"
)

// Events are the hooks of ours: typed is for one that is told of a compaction that a
// person types, too.
func Events(typed bool) []Event {
	if !typed {
		return all
	}
	list := slices.Clone(all)
	for i := range list {
		if list[i].Name == "PreCompact" {
			list[i].Matcher = AnyCompaction
		}
	}
	return list
}

// EventName is what the client calls the event of 'git sage hook <arg>'; arg where it has none.
func EventName(arg string) string {
	for _, e := range all {
		if e.Arg == arg {
			return e.Name
		}
	}
	return arg
}

// hookEntry calls git-sage without a shell in between.
func hookEntry(command, arg string, timeout int) jsonc.Object {
	return jsonc.Object{
		{Key: "type", Value: "command"},
		{Key: "command", Value: command},
		{Key: "args", Value: []any{"hook", arg}},
		{Key: "timeout", Value: timeout},
	}
}

// Group is a group of one hook, as stands under an event; "" is no matcher.
func Group(matcher string, hook jsonc.Object) jsonc.Object {
	g := jsonc.Object{{Key: "hooks", Value: []any{hook}}}
	if matcher != "" {
		g = append(jsonc.Object{{Key: "matcher", Value: matcher}}, g...)
	}
	return g
}

// ServerEntry is the server as most clients write it.
func ServerEntry(command string) jsonc.Object {
	return jsonc.Object{
		{Key: "type", Value: "stdio"},
		{Key: "command", Value: command},
		{Key: "args", Value: []any{"mcp", "serve"}},
	}
}

// Hook is the entry of an event: one that asks the server, if that is wanted and the
// event is frequent enough, or one that starts a program.
func (e Event) Hook(command string, asks bool) jsonc.Object {
	if e.says == nil || !asks {
		return hookEntry(command, e.Arg, e.Timeout)
	}
	return jsonc.Object{{Key: "type", Value: "mcp_tool"}, {Key: "server", Value: Server}, {Key: "tool", Value: HookTool}, {Key: "input", Value: e.input()}, {Key: "timeout", Value: e.Timeout}}
}

// input is what the server is told: the client puts in what it knows.
func (e Event) input() jsonc.Object {
	in := jsonc.Object{{Key: "event", Value: e.Arg}}
	for _, field := range append([]string{"session_id", "transcript_path", "cwd", "agent_id"}, e.says...) {
		in = append(in, jsonc.Member{Key: field[strings.LastIndexByte(field, '.')+1:], Value: "${" + field + "}"})
	}
	return in
}
