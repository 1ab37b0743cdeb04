package attempt

import (
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/hooks/transcript/internal/shell"
	"github.com/git-sage/git-sage/prose"
)

const (
	maxTargets = 8   // of one check
	maxTarget  = 200 // bytes of one
	maxRun     = 300 // bytes of what runs them
)

// testers are programs that run tests, and words behind a runner that make it do so.
var testers = prose.WordSet(`test tests check pytest py.test unittest tox nox jest vitest mocha ava rspec phpunit ctest
	gotestsum nextest bats prove playwright cypress`)

// vague are testers that are something else where they stand alone.
var vague = prose.WordSet(`test tests check prove`)

// runners are programs that run tests if they are told to.
var runners = prose.WordSet(`go cargo npm yarn pnpm bun deno npx make just task mvn mvnw gradle gradlew dotnet mix rake rails
	bundle python py uv poetry pipenv hatch php composer swift zig bazel ninja meson sbt lein stack cabal dart
	flutter node`)

// Find finds what a shell line tries: its tests, or else its one command.
func Find(cmds []shell.Command, hide Hide) Check {
	var others []int
	for i, c := range cmds {
		name, args := c.Program()
		if x, ok := testCheck(name, args, hide); ok {
			x.Hidden = !tells(cmds[i:])
			if env := c.Environment(); env != "" {
				x.Run = hide(env, maxRun) + " " + x.Run
			}
			return x
		}
		if name != "" && !notTried()[name] && !c.Fed {
			others = append(others, i)
		}
	}
	if len(others) != 1 || !tells(cmds[others[0]:]) {
		return Check{}
	}
	return Check{Run: hide(join(cmds[others[0]].Words, func(string) bool { return true }), maxRun)}
}

// notTried are programs that never are what a line is for.
var notTried = prose.WordSet(`cd export set source . echo sleep true mkdir`)

// tells reports whether the status of a line is that of its first command, if it is 0.
func tells(cmds []shell.Command) bool {
	for _, c := range cmds[:len(cmds)-1] {
		if c.Then != "&&" {
			return false
		}
	}
	return true
}

// testCheck finds what a command tests, if it does. The word that says so is one of the
// first four: pytest, uv run pytest, npm run test:unit.
func testCheck(name string, args []shell.Word, hide Hide) (c Check, ok bool) {
	words := append([]shell.Word{{Text: name, Plain: true}}, args...)
	at := slices.IndexFunc(words[:min(4, len(words))], func(w shell.Word) bool {
		base, _, _ := strings.Cut(path.Base(w.Text), ":")
		return w.Plain && testers()[base]
	})
	if at < 0 || at > 0 && !runners()[strings.TrimRight(name, "0123456789.")] || at == 0 && vague()[name] {
		return c, false
	}
	c.Tests = true
	c.Run = hide(join(words[:at+1], func(s string) bool { return s[0] != '-' && s[0] != '.' }), maxRun)
	for _, w := range words[at+1:] {
		if t := strings.TrimSuffix(w.Text, "/"); t != "" && !tellsMore(t) && t != "." && t != "./..." && len(c.Targets) < maxTargets {
			c.Targets = append(c.Targets, hide(t, maxTarget))
		}
	}
	return c, true
}

// tellsMore reports whether a word is an option that leaves out no test: with it or without,
// the same is tried.
func tellsMore(word string) bool {
	name, ok := strings.CutPrefix(word, "-")
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	return ok && (name == "" || harmless()[name])
}

// harmless are options of runners of tests that say how much is told, how often and how fast.
var harmless = prose.WordSet(`v vv vvv verbose q qq quiet s silent x failfast fail-fast bail maxfail b count race cover coverage cov timeout
	parallel p j jobs n workers tb no-header color no-color colors json durations rA ra nocapture no-cache ci runInBand watchAll reporter
	reporters stacktrace info no-daemon offline locked frozen`)

// join puts the words together that are to be taken.
func join(words []shell.Word, take func(string) bool) string {
	var list []string
	for _, w := range words {
		if w.Text != "" && take(w.Text) {
			list = append(list, w.Text)
		}
	}
	return strings.Join(list, " ")
}
