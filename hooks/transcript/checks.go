package transcript

import (
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/prose"
)

const maxTargets = 8

// testers are programs that run tests, and words behind a runner that make it do so.
var testers = prose.WordSet(`test tests check pytest py.test unittest tox nox jest vitest mocha ava rspec phpunit ctest
	gotestsum nextest bats prove playwright cypress`)

// vague are testers that are something else where they stand alone.
var vague = prose.WordSet(`test tests check prove`)

// runners are programs that run tests if they are told to.
var runners = prose.WordSet(`go cargo npm yarn pnpm bun deno npx make just task mvn mvnw gradle gradlew dotnet mix rake rails
	bundle python py uv poetry pipenv hatch php composer swift zig bazel ninja meson sbt lein stack cabal dart
	flutter node`)

// check finds what a shell line tries: its tests, or else its one command.
func (d *Digest) check(cmds []command) check {
	var others []int
	for i, c := range cmds {
		name, args := c.program()
		if x, ok := d.testCheck(name, args); ok {
			x.Hidden = !tells(cmds[i:])
			if env := c.environment(); env != "" {
				env, _ = d.redact(env, maxWhat)
				x.Run = env + " " + x.Run
			}
			return x
		}
		if name != "" && !notTried()[name] && !c.fed {
			others = append(others, i)
		}
	}
	if len(others) != 1 || !tells(cmds[others[0]:]) {
		return check{}
	}
	run, _ := d.redact(join(cmds[others[0]].words, func(string) bool { return true }), maxWhat)
	return check{Run: run}
}

// notTried are programs that never are what a line is for.
var notTried = prose.WordSet(`cd export set source . echo sleep true mkdir`)

// tells reports whether the status of a line is that of its first command, if it is 0.
func tells(cmds []command) bool {
	for _, c := range cmds[:len(cmds)-1] {
		if c.then != "&&" {
			return false
		}
	}
	return true
}

// testCheck finds what a command tests, if it does. The word that says so is one of the
// first four: pytest, uv run pytest, npm run test:unit.
func (d *Digest) testCheck(name string, args []word) (c check, ok bool) {
	words := append([]word{{name, true}}, args...)
	at := slices.IndexFunc(words[:min(4, len(words))], func(w word) bool {
		base, _, _ := strings.Cut(path.Base(w.text), ":")
		return w.plain && testers()[base]
	})
	if at < 0 || at > 0 && !runners()[strings.TrimRight(name, "0123456789.")] || at == 0 && vague()[name] {
		return c, false
	}
	c.Tests = true
	c.Run, _ = d.redact(join(words[:at+1], func(s string) bool { return s[0] != '-' && s[0] != '.' }), maxWhat)
	for _, w := range words[at+1:] {
		if t := strings.TrimSuffix(w.text, "/"); t != "" && !tellsMore(t) && t != "." && t != "./..." && len(c.Targets) < maxTargets {
			t, _ = d.redact(t, maxName)
			c.Targets = append(c.Targets, t)
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

// environment are the variables that a command sets for its program, in one order.
func (c command) environment() string {
	var list []string
	for _, w := range c.words {
		if assigns(w.text) {
			list = append(list, w.text)
		} else if !notPrograms()[w.text] {
			break
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// join puts the words together that are to be taken.
func join(words []word, take func(string) bool) string {
	var list []string
	for _, w := range words {
		if w.text != "" && take(w.text) {
			list = append(list, w.text)
		}
	}
	return strings.Join(list, " ")
}

// covers reports whether success of c means that old would not fail any more: it is the
// same, in the same environment, and restricts what is tested by nothing that old did not.
func (c check) covers(old check) bool {
	for _, t := range c.Targets {
		if !slices.Contains(old.Targets, t) {
			return false
		}
	}
	return c.Run != "" && c.Run == old.Run
}
