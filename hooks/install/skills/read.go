package skills

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Read reads skills, <name>/SKILL.md each, in the order of their names. The file
// begins with lines of "key: value" between two of "---"; name and description must be
// there, on a line each, and the name must be that of the folder.
func Read(files fs.FS) (list []Skill, err error) {
	found, err := fs.Glob(files, "*/SKILL.md")
	if err != nil {
		return nil, err
	}
	for _, file := range found {
		b, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, err
		}
		k := Skill{Text: string(b)}
		if k.Name, k.Description = head(k.Text, "name"), head(k.Text, "description"); k.Name != path.Dir(file) || k.Description == "" {
			return nil, fmt.Errorf("%s: name '%s' and description '%s'", file, k.Name, k.Description)
		}
		list = append(list, k)
	}
	return list, nil
}

// head is the value of a key at the beginning of a skill.
func head(text, key string) string {
	text, ok := strings.CutPrefix(text, "---\n")
	text, _, end := strings.Cut(text, "\n---\n")
	for line := range strings.SplitSeq(text, "\n") {
		if value, is := strings.CutPrefix(line, key+": "); is && ok && end {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}
