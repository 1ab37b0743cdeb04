package repo

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
)

// PlainGit is how git is called on this repository by who stands in its folder: the
// user's own store is a repository that git does not find from anywhere.
func (rp *Repo) PlainGit() string {
	if rp.Options.Global {
		return "git --git-dir=" + wording.InShell(rp.Where.CommonDir)
	}
	return "git"
}

// Remotes are the names of the remotes, in the order of git. A name may hold blanks.
func (rp *Repo) Remotes(ctx context.Context) ([]string, error) {
	out, err := rp.Git.Run(ctx, "remote")
	if err != nil {
		return nil, fmt.Errorf("list remotes: %w", err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' }), nil
}

// Outside is a git that talks to a remote. Programs are taken from the user's own
// configuration and never from the repository's. config are further settings.
func (rp *Repo) Outside(config ...string) *git.Runner {
	ssh, ok := rp.UserConfig("core.sshcommand")
	if !ok {
		ssh = "ssh"
	}
	ask, _ := rp.UserConfig("core.askpass")
	return rp.Git.Remote(append([]string{"core.sshCommand=" + ssh, "core.askPass=" + ask, "core.gitProxy=none"}, config...)...)
}

// FetchCommand is what to type to fetch all of a remote that MergeFetched takes in.
// refs/sage/* would bring along what the remote itself fetched.
func (rp *Repo) FetchCommand(remote string, options ...string) string {
	cmd := strings.Join(append([]string{rp.PlainGit(), "fetch"}, options...), " ")
	word := wording.InShell(remote)
	if word != remote {
		cmd += " --"
	}
	cmd += " " + word
	for _, kind := range []string{"heads/", "forks/", "tags/", "knowledge"} {
		cmd += " " + wording.QuotedShell("+refs/sage/"+kind+"*:"+refname.RemotePrefix+remote+"/"+kind+"*")
	}
	return cmd
}
