package repo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gitconfig"
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
		for _, kv := range rp.Git.Env() { // which git asks behind core.sshCommand
			if program, ok := strings.CutPrefix(kv, "GIT_SSH="); ok && program != "" {
				ssh = wording.QuotedShell(program)
			}
		}
	}
	ask, _ := rp.UserConfig("core.askpass")
	own := append([]string{"core.sshCommand=" + ssh, "core.askPass=" + ask, "core.gitProxy=none", "core.alternateRefsCommand="}, userHelpers(rp)...)
	return rp.Git.Remote(append(own, config...)...)
}

// userHelpers are the settings with which git asks the user's own credential helpers alone,
// none if the repository names no other. An empty one makes git forget those before it.
func userHelpers(rp *Repo) (config []string) {
	known, err := rp.Configuration()
	isHelper := func(key string) bool {
		return strings.HasSuffix(key, ".helper") && gitconfig.OfRepository(known.Scope[key])
	}
	if err == nil && !slices.ContainsFunc(rp.ConfigKeys("credential."), isHelper) {
		return nil
	}
	out, err := rp.Git.Run(context.Background(), "config", "-z", "--show-scope", "--includes", "--get-regexp", `^credential\.(.*\.)?helper$`)
	f := strings.Split(string(out), "\x00")
	config = []string{"credential.helper="}
	for i := 0; err == nil && i+1 < len(f); i += 2 {
		key, value, _ := strings.Cut(f[i+1], "\n")
		if !gitconfig.OfRepository(f[i]) && !strings.Contains(key, "=") { // else -c would take it for another
			config = append(config, key+"="+value)
		}
	}
	return config
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
