package install

// A State is what is installed of one part in one scope.
type State struct {
	Part      Part
	Scope     Scope
	Path      string   // the file
	Installed bool     // entirely: every hook, or the server
	Commands  []string // what the entries run, each once
	Asks      bool     // hooks ask the server at frequent events
	Programs  bool     // hooks start programs at these, too, since somebody chose that
	Unheard   bool     // and nothing starts that server for them
	Lacks     []string // events without a hook, where others have one: an older install
	Missing   []string // those of the commands that cannot be found
	Stale     []string // those that are not this git-sage
	Others    []string // entries of the tool that git-sage succeeds, in words
	Err       error    // why the file cannot be read; nothing else is known then
}

// Status tells for each part and scope what is installed. Outside of a project
// there is the user's scope only.
func (p Place) Status() (list []State) {
	for _, part := range p.parts() {
		for _, s := range p.scopes() {
			list = append(list, p.state(part, s))
		}
	}
	return list
}

func (p Place) state(part Part, s Scope) State {
	st := State{Part: part, Scope: s}
	path, _, err := p.file(part, s)
	st.Path = path
	var t *target
	var d *draft
	if err == nil {
		t, err = open(path, true) // to read, any link will do
	}
	if err == nil {
		d, err = p.read(t.data)
	}
	if err != nil {
		st.Err = err
		return st
	}
	sites := p.sites(d, part, s)
	p.commands(&st, d, sites)
	if part == Hooks && len(sites) > 0 {
		st.Lacks, st.Programs = lacking(sites), p.remembers(s)
	}
	st.Installed = len(sites) > 0 && len(st.Lacks) == 0
	if d.root != nil {
		st.Others = predecessors(d.src, d.root)
	}
	return st
}

func (p Place) commands(st *State, d *draft, sites []site) {
	want, _ := p.command(st.Scope)
	seen := map[string]bool{}
	for _, s := range sites {
		if isAsked(d.src, s.val) {
			st.Asks, st.Unheard = true, !p.asksServer(st.Scope)
			continue
		}
		c := s.program(d.src)
		if seen[c] {
			continue
		}
		seen[c] = true
		st.Commands = append(st.Commands, c)
		if !canRun(c) {
			st.Missing = append(st.Missing, c)
		}
		if c != want {
			st.Stale = append(st.Stale, c)
		}
	}
}

func lacking(sites []site) (names []string) {
	seen := map[string]bool{}
	for _, s := range sites {
		seen[s.event] = true
	}
	for _, e := range events {
		if !seen[e.name] {
			names = append(names, e.name)
		}
	}
	return names
}
