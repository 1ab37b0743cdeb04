package knowledge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// ItemPath is where the item of a key lies.
func ItemPath(key string) string {
	if strings.Contains(key, "/") {
		return key + ".md"
	}
	h := sha256.Sum256([]byte(key))
	return contents.ItemsDir + "/" + hex.EncodeToString(h[:1]) + "/" + key + ".md"
}

// PlaceOf is where the item of a key lies as it says of itself: what is private lies on a ref of
// its own.
func PlaceOf(key string, it *sage.Item) string {
	if it.IsPrivate() {
		return contents.Private(ItemPath(key))
	}
	return ItemPath(key)
}

// IsInPlace reports whether an item is looked for at a path by its key.
func IsInPlace(file string) bool { return contents.Public(file) == ItemPath(ItemKey(file)) }

// ItemKeyOf is the key of the item, pinned note, skill or text of a skill that lies at a path
// of the knowledge tree; ok is false where none does.
func ItemKeyOf(file string) (key string, ok bool) {
	return ItemKey(file), contents.IsItemPath(file)
}

// ItemKey is the key of the item that lies at a path, whatever the file says.
func ItemKey(file string) string {
	key := strings.TrimSuffix(contents.Public(file), ".md")
	if strings.HasPrefix(key, contents.ItemsDir+"/") {
		key = key[strings.LastIndexByte(key, '/')+1:]
	}
	return key
}

// shelfType is the type of what has a key; "" is any of those of knowledge.
func shelfType(key string) sage.ItemType {
	switch parts := strings.Split(key, "/"); {
	case len(parts) == 1:
		return ""
	case parts[0] == contents.SystemDir:
		return sage.Note
	case len(parts) == 2:
		return sage.Skill
	}
	return sage.Doc
}

// CheckKey is [CheckName] for the key of an item. Of a name that a person chose it
// proposes another.
func CheckKey(key string) error {
	parts := strings.Split(key, "/")
	switch {
	case len(parts) == 1, len(parts) == 2 && (parts[0] == contents.SystemDir || parts[0] == contents.SkillsDir), len(parts) == 3 && parts[0] == contents.SkillsDir:
	default:
		return fmt.Errorf("%w '%s': want an id, system/<name>, skills/<name> or skills/<skill>/<name>", refname.ErrName, legible.Visible(key))
	}
	for _, name := range parts {
		if err := refname.CheckTypedName(name); err != nil {
			return err
		}
	}
	return nil
}
