package checks

import (
	"path"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
)

// items checks that items can be read, and lie where somebody looks for them.
func (k *knowledgeTree) items(files []gittree.Entry) {
	_ = k.contents.EachItem(files, func(f gittree.Entry, o git.Object, err error) {
		if err == nil { // else it is reported by wholeTree
			k.item(f.Name, o)
		}
	})
}

func (k *knowledgeTree) item(file string, o git.Object) {
	at, key := "knowledge:"+legible.OneLine(file), knowledge.ItemKey(file)
	if err := knowledge.CheckKey(key); err != nil {
		k.Add("bad-item", at, legible.OneLine(err.Error()))
		return
	}
	it, err := codec.ParseItem(o.Data)
	switch want := knowledge.PlaceOf(key, it); {
	case err != nil:
		k.Add("bad-item", at, "cannot be read: "+legible.OneLine(err.Error()), remedy.EditItem.On(key))
	case file != want:
		k.Warn("misplaced-item", at, "belongs at '"+want+"'", remedy.EditItem.On(key))
	case it.ID != "" && it.ID != path.Base(key):
		k.Warn("misplaced-item", at, "has the id '"+legible.OneLine(it.ID)+"', which does not match its path", remedy.EditItem.On(key))
	}
}

// coreFiles checks the list of core files.
func (k *knowledgeTree) coreFiles(blob string) {
	if o, err := k.Anywhere(blob); err == nil {
		n, err := knowledge.ReadCore(o.Data)
		if err != nil {
			k.Warn("bad-core", "knowledge:"+contents.CoreListFile, legible.OneLine(err.Error()))
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if file := n.Content[i].Value; naming.PathProblem(file) != "" {
				k.Warn("bad-core", "knowledge:"+contents.CoreListFile, "'"+legible.OneLine(file)+"' "+naming.PathProblem(file)+", so it is ignored", remedy.UnmarkCore.On(wording.InShell(file)))
			}
		}
	}
}
