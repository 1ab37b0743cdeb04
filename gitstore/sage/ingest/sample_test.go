package ingest

import (
	"os"
	"reflect"
	"regexp"
	"testing"

	goccy "github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

// samples are files that must be in the canonical form. odd.md has what needs
// escapes in every place.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, name := range []string{"../../../testdata/store/auth-tokens.md", "../../../testdata/store/auth-cookies.md", "../testdata/odd.md"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = b
	}
	b, err := os.ReadFile("../../FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)````markdown\n(---\ntype: checkpoint.*?)````\n").FindSubmatch(b)
	if m == nil {
		t.Fatal("FORMAT.md has no example")
	}
	out["FORMAT.md"] = m[1]
	return out
}

func TestSamplesAreCanonical(t *testing.T) {
	for name, b := range samples(t) {
		t.Run(name, func(t *testing.T) {
			sagetest.CheckCanonical(t, b, codec.Parse, codec.Marshal)
			c, err := Parse(b, "")
			if c == nil {
				t.Fatal(err)
			}
			if odd := name == "../testdata/odd.md"; odd != (err != nil) {
				t.Errorf("validity: %v", err)
			}
			if d := cmp.Diff(string(b), string(codec.Marshal(c))); d != "" {
				t.Errorf("as input: %s", d)
			}
		})
	}
}

// The example shows every key and heading that there is.
func TestFormatShowsEverything(t *testing.T) {
	c, err := codec.Parse(samples(t)["FORMAT.md"])
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(c.Header(), c.Others()[2:]...) {
		if f.Key == "action" || f.Key == "said_none" { // where all is set nothing is none
			continue
		}
		if d := cmp.Diff(f.Ptr, codec.Find(append((&sage.Checkpoint{}).Header(), (&sage.Checkpoint{}).Others()...), f.Key)); d == "" {
			t.Errorf("%s is unset", f.Key)
		}
	}
}

// Two readers that share no code must agree on what we print.
func TestTwoYAMLReadersAgree(t *testing.T) {
	for name, b := range samples(t) {
		t.Run(name, func(t *testing.T) { checkReaders(t, b) })
	}
	rapid.Check(t, func(t *rapid.T) { checkReaders(t, codec.Export(sagetest.Checkpoint().Draw(t, "checkpoint"))) })
}

func checkReaders(t sagetest.Fataler, b []byte) {
	t.Helper()
	head, _, ok := codec.SplitFrontMatter(string(b))
	if !ok {
		t.Fatalf("no front matter\n%s", b)
	}
	head = head[len("---\n") : len(head)-len("---\n")]
	var one, two map[string]any
	if err := yaml.Unmarshal([]byte(head), &one); err != nil {
		t.Fatalf("%v\n%s", err, head)
	}
	if err := goccy.Unmarshal([]byte(head), &two); err != nil {
		t.Fatalf("%v\n%s", err, head)
	}
	if d := cmp.Diff(sameNumbers(one), sameNumbers(two), sagetest.SameValue); d != "" {
		t.Fatalf("%s\n%s", d, head)
	}
}

// sameNumbers removes what the readers' Go types differ in, not the values.
func sameNumbers(v any) any {
	switch v := v.(type) {
	case int:
		return int64(v)
	case uint64:
		return int64(v)
	case []any:
		for i := range v {
			v[i] = sameNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = sameNumbers(v[k])
		}
	}
	return v
}

func canonicalItem(t *testing.T, b []byte) *sage.Item {
	t.Helper()
	it := sagetest.Parsed(t, codec.ParseItem, string(b))
	if d := cmp.Diff(string(b), string(codec.MarshalItem(it))); d != "" {
		t.Error(d)
	}
	if err := validate.Item(it); err != nil {
		t.Error(err)
	}
	return it
}

// The example of an item is canonical too, and shows every key; so is a file of old.
func TestFormatShowsAnItem(t *testing.T) {
	b, err := os.ReadFile("../../FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)````markdown\n(---\nid: .*?)````\n").FindSubmatch(b)
	if m == nil {
		t.Fatal("FORMAT.md has no example of an item")
	}
	old, err := os.ReadFile("../../../testdata/store/staging-wipe.md")
	if err != nil {
		t.Fatal(err)
	}
	it := canonicalItem(t, m[1])
	canonicalItem(t, old)
	for _, f := range append(it.Fields(), it.Scope.Fields()...) {
		if reflect.ValueOf(f.Ptr).Elem().IsZero() {
			t.Errorf("%s is unset", f.Key)
		}
	}
	if len(sage.LinkFields(it.Links)) != len(sage.LinkKinds) || len(it.Extra) == 0 {
		t.Errorf("not every kind of link, or no further key: %+v", it)
	}
}
