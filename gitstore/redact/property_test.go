package redact

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// plant is a secret that every surrounding must give up.
var plant = "gh" + "p_" + fill(36)

// TestSecretAtEveryOffset plants a secret around every round offset at which
// a scanner might cut its input.
func TestSecretAtEveryOffset(t *testing.T) {
	for _, edge := range []int{0, 256, 512, 1024, 4096, 65536} {
		for off := max(0, edge-len(plant)-2); off <= edge+2; off++ {
			in := strings.Repeat("word ", off/5+1)[:off] + plant + strings.Repeat(" more", 20)
			got, found, err := Default().Text(in)
			if err != nil || strings.Contains(got, plant) || len(found) != 1 {
				t.Fatalf("offset %d: %v, %v", off, found, err)
			}
		}
	}
}

// TestLongSecrets plants secrets that are longer than any window.
func TestLongSecrets(t *testing.T) {
	for _, n := range []int{200, 512, 513, 4096, 70000} {
		for name, in := range map[string]string{
			"token":  "sk" + "-ant-" + fill(n),
			"bare":   "API_TOKEN=" + fill(n),
			"quoted": `"api_token": "` + fill(min(n, 60000)) + `"`,
			"jwt":    "ey" + "J" + fill(n) + "." + fill(n) + "." + fill(43),
			"bearer": "Bearer " + fill(n),
		} {
			got, found, err := Default().Text(in + "\nend")
			if err != nil || len(found) != 1 || len(got) > 60 {
				t.Errorf("%s of %d bytes: %d bytes are left, %v, %v", name, n, len(got), found, err)
			}
		}
	}
}

// TestText holds texts that are put together from what scanners trip over to
// the laws: a planted token never survives, and a second pass changes nothing.
func TestText(t *testing.T) {
	pieces := slices.Concat(harmless, slices.Sorted(maps.Keys(secrets)), pems(), []string{
		"«", "»", " ", "\n", "\\n", "\"", "'", "=", ":", "\\", "[redacted:", "]", "[redacted:x]", "password", "token=", "{", "}", ",", "<", ">", "://", "@", "-----BEGIN ",
	})
	for _, c := range readSet(t, "dev.txt") {
		pieces = append(pieces, c.text)
	}
	r, err := New([]Rule{{Name: "mine", Pattern: `\w+-internal-\d+`}, {Name: "greedy", Pattern: `re(d[a-z]+)\W`}})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 12).Draw(t, "n") {
			b.WriteString(strings.NewReplacer("«", "", "»", "").Replace(rapid.SampledFrom(pieces).Draw(t, "piece")))
		}
		before, after := b.String(), rapid.SampledFrom(pieces).Draw(t, "after")
		in := before + " " + plant + " " + after
		once := mustText(t, r, in)
		if strings.Contains(once, plant) {
			t.Fatalf("the token survives in %q", once)
		}
		if twice := mustText(t, r, once); twice != once {
			t.Fatalf("not settled:\n%s", cmp.Diff(once, twice))
		}
	})
}

type fataler interface{ Fatal(...any) }

func mustText(t fataler, r *Redactor, s string) string {
	out, _, err := r.Text(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func FuzzText(f *testing.F) {
	for _, s := range harmless {
		f.Add(s)
	}
	for s := range secrets {
		f.Add(s)
	}
	for _, s := range pems() {
		f.Add(s)
	}
	for _, c := range readSet(f, "dev.txt") {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := mustText(t, Default(), s)
		if twice := mustText(t, Default(), once); twice != once {
			t.Fatalf("%q becomes %q", once, twice)
		}
		if got := mustText(t, Default(), s+"\n"+plant+"\n"+s); strings.Contains(got, plant) {
			t.Fatalf("the token survives in %q", got)
		}
	})
}
