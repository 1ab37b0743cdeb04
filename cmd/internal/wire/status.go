package wire

import (
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/hint"
)

// Status is what status --json prints.
type Status struct {
	Repository   string         `json:"repository"`
	GitDir       string         `json:"git_dir"`
	CommonDir    string         `json:"common_dir"`
	Line         string         `json:"line"`
	Branch       string         `json:"git_branch,omitempty"` // that the line goes with
	Begins       bool           `json:"begins,omitempty"`     // the next save begins the line
	Unclaimed    int            `json:"unclaimed,omitempty"`  // commits that were made here, and are not known as this user's
	Untrusted    string         `json:"untrusted,omitempty"`  // why nothing can be kept as this user's
	Session      string         `json:"session,omitempty"`
	Parent       *Record        `json:"parent"`         // what the next save continues; null at the beginning
	Lost         string         `json:"lost,omitempty"` // why nothing can be saved on the line
	Detached     bool           `json:"detached"`       // the next save leaves the line's tip
	Lines        int            `json:"lines"`
	Forks        []Line         `json:"forks"`
	Unsettled    []Record       `json:"unsettled"`
	Merged       []Line         `json:"merged,omitempty"`            // lines whose git branch is merged
	Unmerged     []Line         `json:"unmerged,omitempty"`          // lines whose git branch was deleted
	Disagree     []string       `json:"disagree"`                    // files of the knowledge
	Conflicts    []string       `json:"conflicts"`                   // ids of items among them
	Refused      []refused      `json:"refused,omitempty"`           // of what was fetched; told once
	Buried       []string       `json:"removed_elsewhere,omitempty"` // checkpoints of this user's own
	Todos        []string       `json:"pending_todos"`
	Review       Review         `json:"review"`             // what nobody confirmed yet
	Opposing     [][2]string    `json:"opposing,omitempty"` // ids of checkpoints of two people that contradict each other, the newer first
	Identity     string         `json:"identity"`
	Fallback     bool           `json:"identity_is_fallback"`
	Enabled      bool           `json:"enabled"`
	Search       *Search        `json:"search"` // null if that cannot be looked at
	Distill      *Distill       `json:"distill,omitempty"`
	Claude       Claude         `json:"claude_code"`
	Remotes      []RemoteStatus `json:"remotes,omitempty"` // that something was said of, or that have what is not here
	PrivateLines []string       `json:"private_lines,omitempty"`
	Items        int            `json:"items"`
	Saved        time.Time      `json:"last_saved,omitzero"`
	Recalled     time.Time      `json:"last_recalled,omitzero"` // by a session, as far as that is known
	*Health
}

// refused is a [gitstore.Refused].
type refused struct {
	Remote string `json:"remote"`
	Ref    string `json:"ref"`
	ID     string `json:"id"`
	Why    string `json:"why"`
}

// StatusOf is where one stands, as far as the store knows it.
func StatusOf(st gitstore.Status) Status {
	j := Status{
		Repository: st.Repository, GitDir: st.GitDir, CommonDir: st.CommonDir,
		Line: st.Line, Branch: st.Branch, Begins: st.Begins, Session: st.Session, Detached: st.Detached, Lines: st.Lines,
		Forks: []Line{}, Unsettled: []Record{}, Disagree: NotNil(st.Disagree), Conflicts: ConflictIDs(st.Disagree),
		Identity: st.Identity, Fallback: st.Fallback, Enabled: !st.Disabled,
		Buried: st.Buried, Items: st.Items, Saved: st.Saved.UTC(), Recalled: st.Recalled.UTC(),
	}
	if st.Parent != nil {
		p := RecordOf(*st.Parent)
		j.Parent = &p
	}
	if st.Lost != nil {
		j.Lost = hint.Error(st.Lost)
	}
	for _, f := range st.Forks {
		j.Forks = append(j.Forks, LineOf(f))
	}
	for _, m := range st.Merged {
		j.Merged = append(j.Merged, LineOf(m.Line))
	}
	for _, u := range st.Unmerged {
		l := LineOf(u.Line)
		l.Unmerged = u.Checkpoints
		j.Unmerged = append(j.Unmerged, l)
	}
	for _, r := range st.Refused {
		j.Refused = append(j.Refused, refused{r.Remote, r.Ref, r.ID, hint.Note(r.Note())})
	}
	for _, r := range st.Unsettled {
		j.Unsettled = append(j.Unsettled, RecordOf(r))
	}
	return j
}

// ConflictIDs are the items among files of the knowledge.
func ConflictIDs(paths []string) []string {
	ids := []string{}
	for _, p := range paths {
		if id := ItemIDOf(p); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// ItemIDOf is the id of the item that a file of the knowledge is, "" if it is none.
func ItemIDOf(file string) string {
	parts := strings.Split(file, "/")
	if len(parts) != 3 || parts[0] != "knowledge" {
		return ""
	}
	id, ok := strings.CutSuffix(parts[2], ".md")
	if !ok {
		return ""
	}
	return id
}
