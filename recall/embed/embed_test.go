package embed

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// files are the weights that are built in, by their names. Package weights is for
// cmd alone; the tests read what it embeds.
var files = []string{"e5-small-v2", "all-MiniLM-L6-v2"}

var read = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join("weights", name+".bin"))
		if err != nil {
			panic(err)
		}
		all[name] = string(data)
	}
	return all
})

func open(t testing.TB, name string) *Bert {
	t.Helper()
	b, err := OpenBert(read()[name])
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestOpenAndVerify(t *testing.T) {
	for _, name := range files {
		b := open(t, name)
		if err := b.Verify(); err != nil {
			t.Error(err)
		}
		if m := b.Model(); !strings.HasPrefix(m.Name, name+"/") || m.Dim != 384 {
			t.Errorf("%s is %+v", name, m)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	good := read()[files[0]]
	for what, file := range map[string]string{
		"nothing":        "",
		"text":           strings.Repeat("weights\n", 1000),
		"another magic":  strings.Replace(good, "weights 1", "weights 2", 1),
		"a byte less":    good[:len(good)-1],
		"a head alone":   good[:2048],
		"an odd width":   strings.Replace(good, "Hidden: 384", "Hidden: 385", 1),
		"other heads":    strings.Replace(good, "Heads: 12", "Heads: 13", 1),
		"no layers":      strings.Replace(good, "Layers: 12", "Layers: -2", 1),
		"too much":       strings.Replace(good, "Vocab: 30522", "Vocab: 99999", 1),
		"an odd epsilon": strings.Replace(good, "1e-12", "1x-12", 1),
	} {
		if _, err := OpenBert(file); err == nil {
			t.Errorf("%s is opened", what)
		}
	}
}

func TestVerifyNotices(t *testing.T) {
	file := []byte(read()[files[1]])
	file[len(file)/2] ^= 1
	b, err := OpenBert(string(file))
	if err != nil {
		t.Fatal(err)
	}
	if b.Verify() == nil {
		t.Error("a flipped bit passes")
	}
}

func TestLikeTextsAreNear(t *testing.T) {
	for _, name := range files {
		v, err := open(t, name).Documents(t.Context(), []string{
			"the access token expires after one hour", "credentials are valid for sixty minutes", "the cat sleeps on the sofa",
		})
		if err != nil {
			t.Fatal(err)
		}
		if near, far := dot(v[0], v[1]), dot(v[0], v[2]); near < far+.05 {
			t.Errorf("%s: %.3f for a paraphrase, %.3f for something else", name, near, far)
		}
	}
}

func TestNoTexts(t *testing.T) {
	if v, err := open(t, files[0]).Queries(t.Context(), nil); err != nil || len(v) != 0 {
		t.Errorf("%v, %v", v, err)
	}
}
