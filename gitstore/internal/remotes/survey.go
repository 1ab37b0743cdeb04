package remotes

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/notes"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/redact"
)

// A Survey is what would go to a remote, and where that is, for a person who is to decide.
type Survey struct {
	Remote      string
	Push        []string // its addresses
	Public      string   // the public host that one of them is on, "" if it is none that is known
	Lines       []string
	Private     []string // lines that stay
	Forks, Tags int
	Checkpoints int
	Items       int
	Bytes       int64            // of all objects, as they are read
	Found       []redact.Finding // secrets that the rules of today find in it
}

// publicHosts are hosts where a repository may be open to everybody.
var publicHosts = []string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "git.sr.ht", "gitea.com", "gitee.com", "notabug.org", "salsa.debian.org", "git.savannah.gnu.org", "sourceforge.net", "huggingface.co"}

// publicHost is the public host of an address, "" if it is on none that is known.
func publicHost(address string) string {
	host := ""
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		host = u.Hostname()
	} else if before, _, ok := strings.Cut(address, ":"); ok && !strings.Contains(before, "/") {
		host = before[strings.LastIndexByte(before, '@')+1:] // git@host:path
	}
	host = strings.ToLower(host)
	for _, public := range publicHosts {
		if host == public || strings.HasSuffix(host, "."+public) {
			return public
		}
	}
	return ""
}

// Survey tells what lines, all if none is named, and the knowledge are, before they go to a
// remote. left, which may be nil, is told how many objects are still to be read.
func (r *Remotes) Survey(ctx context.Context, name string, only []string, left func(int)) (s Survey, err error) {
	if err := r.Check(ctx, name); err != nil {
		return s, err
	}
	s.Remote = name
	if s.Push, err = r.pushURLs(ctx, name); err != nil {
		return s, err
	}
	for _, address := range s.Push {
		s.Public = cmp.Or(s.Public, publicHost(address))
	}
	ours, theirs, err := r.refs(ctx, name)
	if err != nil {
		return s, err
	}
	c := agreement{Name: name, Lines: only}
	var tips, commits []string
	mayLeave := r.leaving(ctx, c, ours)
	for _, ref := range ours {
		if ref.Name == notes.TrackedAs {
			if mayLeave(ref) { // people write into notes, too
				tips = append(tips, ref.ID)
			}
			continue
		}
		if !mayLeave(ref) {
			if line, ok := strings.CutPrefix(ref.Name, refname.HeadsPrefix); ok {
				s.Private = append(s.Private, line)
			}
			continue
		}
		tips = append(tips, ref.ID)
		switch {
		case ref.Name == refname.KnowledgeRef:
			s.Items = r.countItems(ctx, ref.ID)
			continue
		case strings.HasPrefix(ref.Name, refname.HeadsPrefix):
			s.Lines = append(s.Lines, strings.TrimPrefix(ref.Name, refname.HeadsPrefix))
		case strings.HasPrefix(ref.Name, refname.ForksPrefix):
			s.Forks++
		default:
			s.Tags++
		}
		commits = append(commits, ref.ID)
	}
	for _, line := range only {
		if !slices.Contains(s.Lines, line) {
			return s, fmt.Errorf("there is no line '%s' that may leave", line)
		}
	}
	if len(commits) > 0 {
		out, err := r.repo.Git.Feed(ctx, []byte(strings.Join(commits, "\n")+"\n"), "rev-list", "--stdin")
		if err != nil {
			return s, fmt.Errorf("count checkpoints: %w", err)
		}
		s.Checkpoints = len(lines(out))
	}
	return s, r.search(ctx, &s, tips, theirs, left)
}

// countItems is how many items a state of the knowledge has.
func (r *Remotes) countItems(ctx context.Context, tip string) int {
	out, err := r.repo.Git.Run(ctx, "ls-tree", "-r", "--name-only", "-z", tip, "knowledge/")
	if err != nil {
		return 0
	}
	return strings.Count(string(out), "\x00")
}

// search looks for secrets in what a remote does not have yet.
func (r *Remotes) search(ctx context.Context, s *Survey, tips []string, theirs map[string]string, left func(int)) error {
	if len(tips) == 0 {
		return nil
	}
	in := strings.Join(tips, "\n") + "\n"
	for _, id := range theirs {
		in += "^" + id + "\n"
	}
	out, err := r.repo.Git.Feed(ctx, []byte(in), "rev-list", "--objects", "--no-object-names", "--ignore-missing", "--stdin")
	if err != nil {
		return fmt.Errorf("list what is to be shared: %w", err)
	}
	ids := lines(out)
	counts, n := map[string]int{}, len(ids)
	err = r.repo.Batch.Each(ids, func(_ string, o git.Object, err error) {
		if n--; left != nil {
			left(n)
		}
		s.Bytes += int64(len(o.Data))
		if err != nil || o.Type == "tree" {
			return
		}
		_, found, err := r.repo.Options.Redact.Text(string(o.Data))
		if err != nil {
			counts["a text that cannot be searched"]++
		}
		for _, f := range found {
			counts[f.Rule] += f.Count
		}
	})
	for rule, n := range counts {
		s.Found = append(s.Found, redact.Finding{Rule: rule, Count: n})
	}
	slices.SortFunc(s.Found, func(a, b redact.Finding) int { return strings.Compare(a.Rule, b.Rule) })
	return err
}
