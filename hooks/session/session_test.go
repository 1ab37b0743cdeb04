package session

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/transcript"
)

func TestManyFilesAreCapped(t *testing.T) {
	var f code
	for i := range 500 {
		name := fmt.Sprint(i, ".go")
		f.explored, f.changed = append(f.explored, name), append(f.changed, name)
		f.refs = append(f.refs, sage.CodeRef{File: name})
	}
	c := &sage.Checkpoint{FilesChanged: []string{"mine"}}
	if f.addTo(c); len(c.FilesExplored) != mostFiles || len(c.FilesChanged) != mostFiles || len(c.CodeRefs) != mostRefs || c.FilesChanged[0] != "mine" {
		t.Errorf("%d explored, %d changed, %d refs", len(c.FilesExplored), len(c.FilesChanged), len(c.CodeRefs))
	}
}

// FuzzMemo: whatever is in the file, it is read without harm, and what is written is read
// again.
func FuzzMemo(f *testing.F) {
	f.Add([]byte(`{"format":1,"transcript":"/a.jsonl","saved":{"checkpoint":"ab","offset":5,"turns":2,"output":9},"filled":7}`))
	f.Add([]byte(`{"format":1,"saved":{"offset":-5,"turns":-9223372036854775808}}`))
	f.Add([]byte(`{"format":2,"told":["a"]}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, b []byte) {
		k := &Trail{Memo: parseMemo(b), Digest: transcript.New(transcript.Options{})}
		k.forgetEnd()
		text, err := json.Marshal(k.Memo)
		if err != nil {
			t.Skip(err) // of a year that JSON does not know
		}
		again, err := json.Marshal(parseMemo(text))
		if err != nil || string(again) != string(text) {
			t.Errorf("%s is read as %s (%v)", text, again, err)
		}
	})
}
