package parse

import (
	"fmt"
	"strings"
	"testing"
)

// TestMacros reads C and C++ in which macros hide syntax from the grammar.
func TestMacros(t *testing.T) {
	p := newParser(t)
	for _, c := range []struct{ language, source, want string }{
		{"c", "BEGIN_DECLS\n\n/* Opens. */\nAPI_EXPORT int open_gate(const char *name) ATTR((nonnull(1)));\nextern int gates;\nextern API(int) close_gate (void);\nEND_DECLS\n",
			"function open_gate 4, variable gates 5, function close_gate 6"},
		{"c", "XMLPUBFUN int XMLCALL\n\t\txmlOpen\t\t(xmlPtr p,\n\t\t\t\t int n);\nXMLPUBFUN void XMLCALL\n\txmlClose (xmlPtr p);\nvoid last(void);\n",
			"function xmlOpen 2, function xmlClose 5, function last 6"},
		{"c", "STATIC_INLINE BOOL\nfoo(int a) FALLTHROUGH\n{\n    int local = 1;\n    return bar(local);\n}\n\n#define LIST(X) \\\n    X(one) \\\n    int inner(void) { return 1; }\n\nstruct PACKED pair { int a; };\n",
			"function foo 2, macro LIST 8, struct pair 12"},
		{"c", "typedef BOOL (WINAPI *OPEN_FN)(HANDLE h, DWORD flags) MAYBE;\nENUM_BEGIN\nX(a)\nX(b)\nENUM_END\nint after(int x)\n{\n  return x;\n}\n",
			"type OPEN_FN 1, function after 6"},
		{"cpp", "NAMESPACE_BEGIN(gate)\n\nclass EXPORT(1) Hinge : public Base {\n public:\n  EXPORT_2 void turn(int by) NOEXCEPT(true);\n};\nNAMESPACE_END\nint Hinge::count(int n) MAYBE(1) {\n  return n;\n}\n",
			"class Hinge 3, method turn 5, method count 8"},
		{"c", "int whole(void) { return 1; }\n", "function whole 1"},
	} {
		f, err := p.Parse(t.Context(), c.language, []byte(c.source))
		if err != nil {
			t.Fatal(err)
		}
		checkFile(t, f, []byte(c.source))
		var got []string
		for _, d := range f.Definitions {
			got = append(got, fmt.Sprintf("%s %s %d", d.Kind, d.Name, d.Line))
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s\nhas %s\nwant %s (%d bytes are no syntax)", c.source, got, c.want, f.Errors)
		}
	}
}
