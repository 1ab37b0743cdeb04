package parse

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestErrorsHideLittle reads sources in which something is not closed.
func TestErrorsHideLittle(t *testing.T) {
	p := newParser(t)
	for _, c := range []struct{ language, source, want string }{
		{"python", "import os\n\nclass Before:\n    def one(self):\n        return os.getcwd()\n\ndef half_written(a, b:\n    return a\n\n# Says it.\ndef intact(x):\n    return helper(x)\n",
			"class Before 3-5, method one 4-5, function half_written 7-8, function intact 10-12; one>getcwd intact>helper; os"},
		{"python", "x = foo(\n\n@wrap\ndef intact(x):\n    return helper(x)\n\nclass K:\n    def m(self):\n        return [other(2)\n\n    def n(self):\n        y = 1\n",
			"variable x 1-1, function intact 3-5, class K 7-12, method m 8-9, method n 11-12; intact>helper m>other; "},
		{"kotlin", "package x\n\nfun broken(a: Int {\n    println(\"x\"\n}\n\nfun intact(b: Int): Int {\n    return helper(b)\n}\n\ndata class After(val x: Int) {\n    fun two(): Int = helper(2)\n}\n",
			"function broken 3-5, function intact 7-9, class After 11-13, method two 12-12; broken>println intact>helper two>helper; "},
		{"typescript", "import { x } from \"y\";\n\nexport function openEnded(a: string) {\n  if (a) {\n    return x(a);\n\n// Comes after.\nexport function afterTheBreak(b: number): number {\n  return helper(b);\n}\n",
			"function openEnded 3-5, function afterTheBreak 7-10; openEnded>x afterTheBreak>helper; y"},
		{"java", "class A {\n    int one() {\n        if (x) {\n    }\n\n    int two() {\n        return f(1);\n    }\n}\n",
			"class A 1-9, method one 2-4, method two 6-8; two>f; "},
		{"php", "<?php\nnamespace N {\nclass A {\n    function one() {\n        foo(;\n    }\n}\n\nfunction two() {\n    return f(1);\n}\n}\n",
			"module N 2-12, class A 3-7, method one 4-6, function two 9-11; one>foo two>f; "},
		{"sql", "DELIMITER //\n-- Says who.\nCREATE PROCEDURE get_users(IN n INT)\nBEGIN\n  SELECT count(*) FROM users LIMIT n;\nEND //\nCREATE TRIGGER users_ai AFTER INSERT ON users FOR EACH ROW\nBEGIN\n  INSERT INTO log VALUES (NEW.id);\nEND //\nDELIMITER ;\n\nCREATE PROCEDURE dbo.uspGet @Id INT\nAS\n  SELECT 1;\nGO\nCREATE TABLE [last] (id INT);\n",
			"function get_users 2-6, function users_ai 7-10, function uspGet 13-16, table last 17-17; get_users>count; "},
	} {
		f, err := p.Parse(t.Context(), c.language, []byte(c.source))
		if err != nil {
			t.Fatal(err)
		}
		checkFile(t, f, []byte(c.source))
		var found, calls []string
		for _, d := range f.Definitions {
			found = append(found, fmt.Sprintf("%s %s %d-%d", d.Kind, d.Name, d.FirstLine, d.LastLine))
		}
		for _, r := range f.References {
			calls = append(calls, f.Definitions[r.From].Name+">"+r.Name)
		}
		if got := strings.Join(found, ", ") + "; " + strings.Join(calls, " ") + "; " + strings.Join(f.Imports, " "); got != c.want {
			t.Errorf("%s\nhas  %s\nwant %s (%d bytes are no syntax)", c.source, got, c.want, f.Errors)
		}
	}
}

// TestMissingBrackets takes each bracket in turn out of the samples, and counts the names
// that are no longer found where they were.
func TestMissingBrackets(t *testing.T) {
	p := newParser(t)
	for _, language := range Languages() {
		if !hasGrammar(language) || beside(language) == nil {
			continue
		}
		source := sampleOf(t, language)
		names := func(source []byte) map[string]bool {
			f, err := p.Parse(t.Context(), language, source)
			if err != nil {
				t.Fatal(language, err)
			}
			checkFile(t, f, source)
			out := map[string]bool{}
			for _, d := range f.Definitions {
				out[fmt.Sprint(d.Container, " > ", d.Name, d.Line)] = true
			}
			return out
		}
		want := names(source)
		missing, all := 0, 0
		for i, c := range source {
			if strings.IndexByte("([{}])", c) < 0 {
				continue
			}
			broken := bytes.Clone(source)
			broken[i] = ' '
			got := names(broken)
			for name := range want {
				if all++; !got[name] {
					missing++
				}
			}
		}
		if missing > all/20 {
			t.Errorf("%s: %d of %d names are missing", language, missing, all)
		}
	}
}
