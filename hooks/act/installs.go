package act

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/recall/rank"
)

// mostPackages is how many packages of one command are asked about.
const mostPackages = 4

var (
	installers = prose.WordSet(`npm pnpm yarn bun pip pip3 pipx uv poetry conda mamba cargo go gem bundle composer
		brew apt apt-get dnf yum apk`)
	installs = prose.WordSet("install i in add get require")

	// version is what may stand behind the name of a package: @2.11, ==2.9, >=1, [extra], :amd64.
	version = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[@=<>~!\[:].*$`) })
	major   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^v\d+$`) })
	// aFile is an argument that is no name of a package, but what lists some, or holds one.
	aFile = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[./~]|\.(?:txt|toml|json|lock|whl|tgz|tar\.gz|zip|deb|rpm|gem)$`)
	})
)

// packages are the names of what a command installs, each by itself: a name is what is known
// of it, and the installer and its options say nothing.
func packages(s transcript.Step) (out []rank.Act) {
	args := s.Args
	if s.Program == "uv" && len(args) > 0 && args[0] == "pip" {
		args = args[1:]
	}
	if !installers()[s.Program] || len(args) == 0 || !installs()[args[0]] {
		return nil
	}
	for _, arg := range args[1:] {
		if strings.HasPrefix(arg, "-") || aFile().MatchString(arg) {
			continue
		}
		if a := question(packageName(arg)); a.Text != "" && len(out) < mostPackages {
			a.Whole = true
			out = append(out, a)
		}
	}
	return out
}

// packageName is the name of a package without scope, path and version.
func packageName(arg string) string {
	dir, name := path.Split(strings.TrimSuffix(arg, "/..."))
	name = version().ReplaceAllString(name, "")
	if major().MatchString(name) { // of a path of Go
		name = path.Base(dir)
	}
	return name
}
