package install

import "slices"

const (
	program = "git-sage"
	server  = "sage" // name of the server: tools are then called mcp__sage__*
)

// HookTool is the tool of the server that answers an event in the place of a program.
// The client calls it although it is not among those that are listed (seen in 2.1.197
// and 2.1.329), so that no model is told of it.
const HookTool = "sage_hook"

// An event is one that we have a hook for.
type event struct {
	name, matcher, arg string
	timeout            int // seconds; the hooks themselves give up far earlier

	// says is what the client says of the event beside the session, for the events that
	// are frequent enough to ask the server at; nil is for a program, always.
	says []string
}

// events are the hooks of ours. Those around a compaction are called for one that the
// client begins by itself: of one that a person types it lists every hook on the screen,
// whatever that prints (seen in 2.1.329), and session-start does behind it what is to do.
var events = []event{
	{"SessionStart", "startup|resume|clear|compact|fork", "session-start", 10, nil},
	{"UserPromptSubmit", "", "user-prompt", 10, []string{"prompt"}},
	{"Stop", "", "stop", 10, []string{"stop_hook_active", "last_assistant_message"}},
	{"PreCompact", untyped, "pre-compact", 10, nil},
	{"PostCompact", untyped, "post-compact", 10, nil},
	{"SessionEnd", "", "session-end", 10, nil},
	{"SubagentStart", "", "subagent-start", 10, nil},
	{"PreToolUse", "Edit|MultiEdit|Write|NotebookEdit|Bash|Grep|Glob", "pre-tool-use", 10, []string{"tool_name", "tool_input.file_path", "tool_input.notebook_path", "tool_input.pattern", "tool_input.command"}},
	{"PostToolUse", reading, "post-tool-use", 10, []string{"tool_name", "tool_input.file_path", "tool_input.notebook_path"}},
	{"PostToolUseFailure", "Bash", "tool-failure", 10, []string{"tool_name", "error"}},
	{"CwdChanged", "", "cwd-changed", 10, nil},
}

// Matchers of compactions: those that the client begins by itself, and all. Of files: those
// that are read, and, before there was a hook ahead of tools, those that are changed, too.
const (
	untyped  = "auto"
	anyhow   = "auto|manual"
	reading  = "Read"
	touching = "Read|Edit|MultiEdit|Write|NotebookEdit"
)

// events are the hooks of ours for a place.
func (p Place) events() []event {
	if !p.Typed {
		return events
	}
	list := slices.Clone(events)
	for i := range list {
		if list[i].name == "PreCompact" {
			list[i].matcher = anyhow
		}
	}
	return list
}

// Event is what the client calls the event of 'git sage hook <arg>'; arg where it has none.
func Event(arg string) string {
	for _, e := range events {
		if e.arg == arg {
			return e.name
		}
	}
	return arg
}

// hookEntry calls git-sage without a shell in between.
func hookEntry(command, arg string, timeout int) object {
	return object{
		{"type", "command"},
		{"command", command},
		{"args", []any{"hook", arg}},
		{"timeout", timeout},
	}
}

func group(matcher string, hook object) object {
	g := object{{"hooks", []any{hook}}}
	if matcher != "" {
		g = append(object{{"matcher", matcher}}, g...)
	}
	return g
}

func serverEntry(command string) object {
	return object{
		{"type", "stdio"},
		{"command", command},
		{"args", []any{"mcp", "serve"}},
	}
}
