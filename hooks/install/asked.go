package install

import "strings"

// asksServer says whether hooks of a scope ask the server at frequent events: a server
// that runs answers a prompt in a third of the time of a program that starts, for it has
// the model at hand. Wherever the hooks are, it has to be there, too, and nobody has to
// consent to it, as to a project's: else each event would show an error.
func (p Place) asksServer(s Scope) bool {
	any := func(string) bool { return true } // of one that cannot be found, doctor tells
	return !p.Programs && s != Project && (p.serves(User, any) || s == Local && p.serves(Local, any))
}

// remembers says whether somebody chose that the hooks of a scope start programs. It is
// known while they are installed.
func (p Place) remembers(s Scope) bool {
	path, follow, err := p.file(Hooks, s)
	if err != nil {
		return false
	}
	t, err := open(path, follow)
	if err != nil {
		return false
	}
	rec := p.readRecord(t)
	return rec != nil && rec.Programs
}

// serves says whether Claude Code starts the server by an entry of a scope, with a
// program that is good.
func (p Place) serves(s Scope, good func(program string) bool) bool {
	if s != User && p.Root == "" {
		return false
	}
	if there, planned := p.Planned[s]; planned {
		return there
	}
	d := p.look(MCP, s)
	if d == nil {
		return false
	}
	for _, at := range serverSites(d.src, d.root, p.Bin, p.servers(s)) {
		if good(at.program(d.src)) {
			return true
		}
	}
	return false
}

// entry is the hook of an event in a scope.
func (p Place) entry(e event, command string, s Scope) object {
	if e.says == nil || !p.asksServer(s) {
		return hookEntry(command, e.arg, e.timeout)
	}
	return object{{"type", "mcp_tool"}, {"server", server}, {"tool", HookTool}, {"input", e.input()}, {"timeout", e.timeout}}
}

// input is what the server is told: the client puts in what it knows.
func (e event) input() object {
	in := object{{"event", e.arg}}
	for _, field := range append([]string{"session_id", "transcript_path", "cwd", "agent_id"}, e.says...) {
		in = append(in, member{field[strings.LastIndexByte(field, '.')+1:], "${" + field + "}"})
	}
	return in
}

// mendAsked makes an entry one that asks the server, if it is not that already.
func (d *draft) mendAsked(s site, r *Result, want object) error {
	if isAsked(d.src, s.val) && d.alike(s.val.get("input"), want[3].val.(object)) {
		return nil
	}
	if isAsked(d.src, s.val) {
		r.Changes = append(r.Changes, s.name()+" now sends the server what it needs")
	} else {
		r.Changes = append(r.Changes, s.name()+" now asks the server instead of "+shown(s.program(d.src)))
	}
	return d.edit([]splice{d.value(s.val, want)})
}

// alike says whether an object has these members and no others, all of them texts.
func (d *draft) alike(n *node, want object) bool {
	if n == nil || len(n.items) != len(want) {
		return false
	}
	for _, m := range want {
		if n.get(m.key).text(d.src) != m.val {
			return false
		}
	}
	return true
}
