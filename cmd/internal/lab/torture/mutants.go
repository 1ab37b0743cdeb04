//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// A mutant is a source that was broken.
type mutant struct {
	name string
	text []byte
}

// large is how many bytes the large ones have; more than a megabyte is not read.
const large = 900_000

// mutants breaks a source in the same ways each time.
func mutants(source []byte) (out []mutant) {
	add := func(name string, text []byte) { out = append(out, mutant{name, text}) }
	rng := rand.New(rand.NewPCG(uint64(len(source)), 7))
	for i := range 16 {
		n := len(source) * (i + 1) / 17
		add(fmt.Sprint("cut-", n), source[:n])
	}
	const signs = ")]}>([{<\"'`\\/*#;:,\n\t\x80\xff=@$%"
	for i := range 12 {
		text := bytes.Clone(source)
		for range 1 + len(text)/(10+10*i) {
			text[rng.IntN(len(text))] = signs[rng.IntN(len(signs))]
		}
		add(fmt.Sprint("struck-", i), text)
	}
	lines, words := bytes.SplitAfter(source, []byte("\n")), bytes.Fields(source)
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	add("lines", bytes.Join(lines, nil))
	add("words", bytes.Join(words, []byte(" ")))
	crlf := bytes.ReplaceAll(source, []byte("\n"), []byte("\r\n"))
	add("crlf", crlf)
	add("bom", append([]byte("\ufeff"), source...))
	add("bom-crlf", append([]byte("\ufeff"), crlf...))
	add("utf16", bytes.Join(bytes.Split(source, nil), []byte{0}))
	add("nul-late", append(bytes.Repeat(source, 1+8000/len(source)), bytes.ReplaceAll(source, []byte(" "), []byte{0})...))
	add("no-utf8", bytes.ReplaceAll(source, []byte("e"), []byte("\xed\xa0\x80\xff")))

	again := func(text string, size int) []byte { return bytes.Repeat([]byte(text), size/len(text)) }
	behind := func(name string, text []byte) { add(name, append(bytes.Clone(source), text...)) }
	line := bytes.ReplaceAll(again(string(source)+" ", large), []byte("\n"), []byte(" "))
	add("one-line", line)
	behind("long-line", append(again("\n", large/240), line...)) // not minified, on the average
	add("many", again(string(source), large))
	behind("many-words", bytes.Join([][]byte{again(" a b\n", large/3), again("x = 1\n", large/3), again("f(x);\n", large/3)}, nil))
	var numbers strings.Builder
	for i := 0; numbers.Len() < large; i++ {
		fmt.Fprintf(&numbers, "%d,", i)
		if i%16 == 15 {
			numbers.WriteByte('\n')
		}
	}
	behind("numbers", []byte(numbers.String()))
	for i, sign := range []string{"(", "[", "{", "<", ")", "]", "}", ">", "\"", "'", "`", "/*", "(*", "{-", "<!--", "#if x\n", "begin\n", "if x then\n", "<a>", "f(", "{a:[", "${", "def f():\n ", "\\", "-", "a.", "!", "@", "=>"} {
		row := strings.Repeat(sign, 100) + "\n"
		behind(fmt.Sprint("signs-", i), again(row, 100*len(row)*10))
	}
	var deep strings.Builder
	for i := range 1200 {
		deep.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	behind("indented", []byte(deep.String()))
	behind("dedented", []byte(strings.Repeat(" ", 3000)+"x:\n"+strings.Repeat(strings.Repeat(" ", 200)+"- a\n", 3000)))
	return out
}
