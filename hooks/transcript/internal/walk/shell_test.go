package walk

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
	"github.com/git-sage/git-sage/hooks/transcript/internal/shell"
)

const shop = "/home/ada/shop"

// inShort prints what a shell line does: read a.go:1-9, change b, search "x" in c.
func inShort(touches []files.Touch, searches []Search) string {
	var out []string
	for _, t := range touches {
		s := t.Did + " " + t.File
		switch {
		case t.Part:
			s += ":?"
		case t.Lines != [2]int{}:
			s += fmt.Sprintf(":%d-%d", t.Lines[0], t.Lines[1])
		}
		if t.Out {
			s += " outside"
		}
		out = append(out, s)
	}
	for _, s := range searches {
		out = append(out, fmt.Sprintf("search %q in %q", s.Query, strings.TrimPrefix(s.Where, shop+"/")))
	}
	return strings.Join(out, ", ")
}

func TestShellLines(t *testing.T) {
	r := files.NewRoot(shop)
	for line, want := range map[string]string{
		"cat a.go":                                       `read a.go`,
		"cat -n a.go b.go":                               `read a.go, read b.go`,
		`cat "with space.go" 'it''s' x\ y`:               `read with space.go, read its, read x y`,
		"cat /home/ada/shop/a.go ../other/b.go":          `read a.go, read /home/ada/other/b.go outside`,
		"cat a.go | grep -n x | head -3":                 `read a.go:?`,
		"cat a.go | head -20":                            `read a.go:1-20`,
		"nl -ba a.go | sed -n '10,20p'":                  `read a.go:10-20`,
		"cat $X *.go ~/x {a,b}.go":                       ``,
		"cat $(ls) `ls` \"$X\" a.go":                     `read a.go`,
		"cat <<EOF > a.txt\ncat b.go\nEOF\ncat c":        `change a.txt, read c`,
		"cat <<-'E O F' >>a.txt\n\tx > y\n\tE O F\n":     `change a.txt`,
		"cat < a.go > b.go 2>&1":                         `read a.go, change b.go`,
		"echo x > a.txt 2> err.txt; echo y >>a.txt":      `change a.txt, change err.txt, change a.txt`,
		"make &> log.txt && make > /dev/null":            `change log.txt`,
		"echo '> a.txt' \"> b\" \\> c # > d":             ``,
		"go test 2>/dev/null | tee out.txt":              `change out.txt`,
		"tee -a a.txt b.txt < c":                         `read c, change a.txt, change b.txt`,
		"head -n 20 a.go":                                `read a.go:1-20`,
		"head -20 a.go; head a.go; head -n20 a.go":       `read a.go:1-20, read a.go:1-10, read a.go:1-20`,
		"head -c 5 a.go; head -n -5 a.go":                `read a.go:?, read a.go:?`,
		"tail -n 5 a.go; tail -f a.go":                   `read a.go:?, read a.go:?`,
		"sed -n 3,6p a.go":                               `read a.go:3-6`,
		"sed -n '7p' a.go; sed -ne 1,2p a.go":            `read a.go:7-7, read a.go:1-2`,
		"sed -n '/x/p;1,3p' a.go":                        `read a.go:?`,
		"sed 's/a/b/' a.go":                              `read a.go`,
		"sed -i 's/a/b/' a.go b.go; sed -i.bak s/a/b/ c": `change a.go, change b.go, change c`,
		"sed -i -e s/a/b/ -e s/c/d/ a.go":                `change a.go`,
		"grep -n foo a.go":                               `read a.go:?, search "foo" in "a.go"`,
		"grep -rn foo src":                               `search "foo" in "src"`,
		"grep -rne foo src":                              `search "foo" in "src"`,
		"grep -rn --include='*.go' -e foo src lib":       `search "foo" in ""`,
		"grep -A3 -B 2 'a b' a.go b.go":                  `read a.go:?, read b.go:?, search "a b" in ""`,
		"go doc x | grep foo":                            ``,
		"rg -n foo":                                      `search "foo" in ""`,
		"rg 'a|b' src -g '*.go'":                         `search "a|b" in "src"`,
		"rg foo src/a.go":                                `read src/a.go:?, search "foo" in "src/a.go"`,
		"rg --files | rg x":                              ``,
		"git grep -n foo -- src":                         `search "foo" in "src"`,
		"git show HEAD~2:src/a.go":                       `see src/a.go`,
		"git --no-pager show main:a.go | head -3":        `see a.go`,
		"cd src && git show HEAD:lib/a.go HEAD:./b.go":   `see lib/a.go, see src/b.go`,
		"git -C /elsewhere show HEAD:a.go":               ``,
		"git show HEAD; git log -- a.go":                 ``,
		"cd src && cat a.go":                             `read src/a.go`,
		"(cd src; cat a.go) && cat b.go":                 `read src/a.go, read b.go`,
		"cd $X && cat a.go && cat /home/ada/shop/b.go":   `read b.go`,
		"cd /tmp && cat a.go":                            `read /tmp/a.go outside`,
		"if true; then cat a.go; fi":                     `read a.go`,
		"for f in a b; do cat $f; done":                  ``,
		"FOO=bar sudo cat a.go":                          `read a.go`,
		"cat .git/config a/.git/x .GIT/y /dev/sda src/":  ``,
		"rm -f a.go b.go; mv c.go d.go; cp e.go f.go":    `change a.go, change b.go, change c.go, change d.go, change f.go`,
		"cp -r a.go src":                                 ``,
		"cat 'a.go":                                      ``,
		"cat a.go; cat $(b; cat c.go":                    `read a.go`,
		"cat a.go \\\n b.go":                             `read a.go, read b.go`,
		"diff <(cat a.go) b.go; cat c":                   `read c`,
		"for f in a; do cat b.go; done > out.txt; cat c": `read b.go, change out.txt, read c`,
		"cat <<EOF > a.txt\nit does not end":             `change a.txt`,
		"export A=1 && (cat a.go; cat b.go) > c.txt":     `read a.go, read b.go, change c.txt`,
		"cat a 2>&1 >b":                                  `change b, read a`,
		"":                                               ``,
		"|| && ;; ) ( > <":                               ``,
	} {
		touches, searches := Line(r, shop, shell.Commands(line))
		if got := inShort(touches, searches); got != want {
			t.Errorf("%q\n got %s\nwant %s", line, got, want)
		}
	}
}

// FuzzShell makes sure that no line ends the reader, and that what it finds is bounded
// and text of the line.
func FuzzShell(f *testing.F) {
	for _, s := range []string{
		"cat <<A <<B >c\nx\nA\ny\nB\ncat d", "a $(b \"$(c 'd')\" `e`) | f", "sed -n '1,2p' x", "git -C a -c b=c show d:e", "head -n", "2>&1>|x",
		"\\", "'", "\"\\", "$(", "${a:-`b", "<(", "((((", "))))", "\xff\x00", "cd a; (cd b; (cd c; cat d); cat e)",
	} {
		f.Add(s)
	}
	r := files.NewRoot(shop)
	f.Fuzz(func(t *testing.T, s string) {
		cmds := shell.Commands(s)
		touches, searches := Line(r, shop, cmds)
		if len(touches) > maxTouches || len(searches) > maxTouches {
			t.Errorf("%d touches, %d searches", len(touches), len(searches))
		}
		for _, x := range touches {
			if x.File == "" || len(x.File) > files.MaxPath || x.Lines[1] < x.Lines[0] {
				t.Errorf("%+v", x)
			}
		}
	})
}

func TestSteps(t *testing.T) {
	got := Steps("cd a && FOO=1 sudo npm i 'left pad' | tee log; rg -n -e 'x y' src | grep z; $X; ls", 4)
	want := []Step{
		{Program: "cd", Args: []string{"a"}}, {Program: "npm", Args: []string{"i", "left pad"}}, {Program: "tee", Args: []string{"log"}},
		{Program: "rg", Args: []string{"-n", "-e", "x y", "src"}, Search: "x y"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, not %+v", got, want)
	}
}
