package cli

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
)

// writeRoffText prints a text as -h shows it. Paragraphs are filled; of lines that are
// indented, those of a list of terms become one, and others stay as they are.
func writeRoffText(w io.Writer, text string) {
	for i, para := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			fmt.Fprint(w, ".PP\n")
		}
		writeRoffPara(w, strings.Split(para, "\n"))
	}
}

func writeRoffPara(w io.Writer, lines []string) {
	for len(lines) > 0 {
		n := 0
		for n < len(lines) && isIndented(lines[n]) == isIndented(lines[0]) {
			n++
		}
		some := lines[:n]
		lines = lines[n:]
		switch {
		case !isIndented(some[0]):
			fmt.Fprintln(w, roffLines(strings.Join(some, "\n")))
		case termLine().MatchString(some[0]):
			writeRoffTerms(w, some)
		default:
			writeRoffAsIs(w, some)
		}
	}
}

func isIndented(line string) bool { return strings.HasPrefix(line, " ") }

// termLine is a line that begins an item: a term, and behind two blanks what it is.
var termLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ {2,4}(\S+(?: \S+)*) {2,}(\S.*)$`) })

func writeRoffTerms(w io.Writer, lines []string) {
	for _, l := range lines {
		if m := termLine().FindStringSubmatch(l); m != nil {
			fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(m[1]), roff(m[2]))
			continue
		}
		fmt.Fprintln(w, roff(strings.TrimSpace(l)))
	}
}

// writeRoffAsIs prints lines that are to be typed, less the indent that all have.
func writeRoffAsIs(w io.Writer, lines []string) {
	least := len(lines[0])
	for _, l := range lines {
		least = min(least, len(l)-len(strings.TrimLeft(l, " ")))
	}
	fmt.Fprint(w, ".PP\n.RS 4\n.nf\n")
	for _, l := range lines {
		fmt.Fprintln(w, roff(l[least:]))
	}
	fmt.Fprint(w, ".fi\n.RE\n")
}
