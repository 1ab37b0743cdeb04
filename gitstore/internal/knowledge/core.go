package knowledge

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/worktree"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/prose/cut"
	"go.yaml.in/yaml/v3"
)

// A CoreFile is a file that whoever begins to work should know of.
type CoreFile struct {
	Path     string // relative to the repository's root
	Summary  string
	Added    time.Time
	Conflict bool // a merge left several summaries; this is the first
	Own      bool // this user said so here, or stands for it
}

// CoreFiles lists the core files, by path, but for those that lead out of the repository.
func (kn *Collection) CoreFiles(ctx context.Context) ([]CoreFile, error) {
	at := kn.history.Knowledge()
	if err := kn.history.MayRead(at); err != nil {
		return nil, err
	}
	n, _, err := kn.coreAt(at)
	err = cmp.Or(err, ctx.Err())
	if err != nil {
		return nil, fmt.Errorf("list core files: %w", err)
	}
	var out []CoreFile
	for i := 0; i+1 < len(n.Content); i += 2 {
		if naming.PathProblem(n.Content[i].Value) == "" {
			c := coreOf(n.Content[i].Value, n.Content[i+1])
			c.Own = kn.ownership.Vouched(ownership.SumOfCore(c.Path, c.Summary))
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b CoreFile) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// CoreFile is the one of this path; a [NoItemError] says that it is none.
func (kn *Collection) CoreFile(ctx context.Context, path string) (CoreFile, error) {
	all, err := kn.CoreFiles(ctx)
	if err != nil {
		return CoreFile{}, err
	}
	if i := slices.IndexFunc(all, func(c CoreFile) bool { return c.Path == path }); i >= 0 {
		return all[i], nil
	}
	return CoreFile{}, &NoItemError{ID: path, Kind: "core file"}
}

// coreAt reads the list at a commit or ref; where there is none it is empty.
func (kn *Collection) coreAt(at string) (*yaml.Node, []byte, error) {
	var o git.Object
	if at != "" {
		var err error
		if o, err = kn.contents.FileAt(at, contents.CoreListFile); err != nil && !errors.Is(err, git.ErrMissing) {
			return nil, nil, fmt.Errorf("read '%s': %w", contents.CoreListFile, err)
		}
	}
	n, err := ReadCore(o.Data)
	return n, o.Data, err
}

// purgeCore is what brings a list to an end that nobody can read.
func purgeCore() remedy.Remedy { return remedy.PurgePath.On(contents.CoreListFile) }

func ReadCore(b []byte) (*yaml.Node, error) {
	if err := contents.CoreBound.Check(contents.CoreListFile, len(b)); err != nil {
		return nil, remedy.For(err, purgeCore())
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return nil, fmt.Errorf("read '%s': %w", contents.CoreListFile, err)
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, nil
	}
	if doc.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("read '%s': want a mapping of paths", contents.CoreListFile)
	}
	if n := len(doc.Content[0].Content) / 2; n > contents.MaxListed {
		return nil, remedy.For(fmt.Errorf("'%s' lists %d files, %w of %d", contents.CoreListFile, n, contents.ErrBeyond, contents.MaxListed), purgeCore())
	}
	doc.Content[0].Style = 0 // not in one line
	return doc.Content[0], nil
}

// coreOf reads what is known of a file: a mapping, or the summary alone. What a merge
// left of several is read as the first.
func coreOf(file string, n *yaml.Node) CoreFile {
	c := CoreFile{Path: file}
	if v := yamlValue(n, "variants"); v != nil && len(v.Content) > 0 {
		n, c.Conflict = v.Content[0], true
	}
	if n.Kind == yaml.ScalarNode {
		c.Summary = n.Value
		return c
	}
	if v := yamlValue(n, "summary"); v != nil {
		if several := yamlValue(v, "variants"); several != nil && len(several.Content) > 0 {
			v, c.Conflict = several.Content[0], true
		}
		c.Summary = v.Value
	}
	if v := yamlValue(n, "added"); v != nil {
		c.Added, _ = time.Parse(time.RFC3339, v.Value)
	}
	return c
}

func yamlValue(n *yaml.Node, key string) *yaml.Node {
	if i := YamlKey(n, key); i >= 0 {
		return n.Content[i+1]
	}
	return nil
}

func YamlKey(n *yaml.Node, key string) int {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i
		}
	}
	return -1
}

func setYAML(n *yaml.Node, key string, v *yaml.Node) {
	if i := YamlKey(n, key); i >= 0 {
		n.Content[i+1] = v
		return
	}
	n.Content = append(n.Content, yamlText(key), v)
}

func yamlText(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

// MarkCore makes a file a core file, or gives one that is another summary. Without a
// summary one that is stays as it is.
func (kn *Collection) MarkCore(ctx context.Context, file, summary string) error {
	return kn.MarkCores(ctx, CoreFile{Path: file, Summary: summary})
}

// MarkCores is MarkCore of several in one commit. A file that is new keeps the time at which
// it was added, if that is known.
func (kn *Collection) MarkCores(ctx context.Context, files ...CoreFile) error {
	var names []string
	for i, f := range files {
		file, err := kn.corePath(f.Path)
		if err != nil {
			return err
		}
		// A placeholder in a path would name no file.
		if _, found, err := kn.repo.Options.Redact.Text(file); err != nil || len(found) > 0 {
			return errors.Join(err, fmt.Errorf("%w: the path looks like a secret; rename the file, then mark it", worktree.ErrPath))
		}
		summary, _, err := kn.repo.Options.Redact.Text(legible.OneLine(f.Summary))
		if err != nil {
			return fmt.Errorf("look for secrets: %w; nothing was saved", err)
		}
		names, files[i].Path, files[i].Summary = append(names, file), file, summary
	}
	return kn.changeCore(ctx, "mark core file "+strings.Join(names, ", "), func(n *yaml.Node) (sums []string, err error) {
		for _, f := range files {
			sums = append(sums, kn.markCore(n, f)...)
		}
		return sums, nil
	})
}

// markCore puts a file on the list n, and returns the sums of what this user stands for.
func (kn *Collection) markCore(n *yaml.Node, f CoreFile) []string {
	of, sums := yamlValue(n, f.Path), []string{ownership.SumOfCore(f.Path, f.Summary)}
	if of != nil && f.Summary == "" {
		return nil
	}
	if of != nil { // an agent's word about what came from elsewhere does not make it one's own
		if was := coreOf(f.Path, of).Summary; !kn.ownership.Vouched(ownership.SumOfCore(f.Path, was)) && (!kn.repo.Options.Person || was == f.Summary) {
			sums = nil
		}
	}
	if of == nil || of.Kind != yaml.MappingNode || YamlKey(of, "variants") >= 0 {
		of = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		setYAML(n, f.Path, of)
	}
	of.Style = 0
	setYAML(of, "summary", yamlText(f.Summary))
	if YamlKey(of, "added") < 0 {
		if f.Added.IsZero() {
			f.Added = kn.repo.Options.Now()
		}
		setYAML(of, "added", yamlText(f.Added.UTC().Format(time.RFC3339)))
	}
	return sums
}

// UnmarkCore takes a file off the list, also one that could not be put on it any more.
// ErrNotFound says that it is not on it.
func (kn *Collection) UnmarkCore(ctx context.Context, file string) error {
	clean, outside := kn.corePath(file)
	return kn.changeCore(ctx, "unmark core file "+legible.OneLine(cut.Runes(cmp.Or(clean, file), maxCorePath)), func(n *yaml.Node) ([]string, error) {
		i := YamlKey(n, file)
		if i < 0 && outside != nil {
			return nil, outside
		}
		if i < 0 {
			i = YamlKey(n, clean)
		}
		if i < 0 {
			return nil, &NoItemError{ID: clean, Kind: "core file"}
		}
		n.Content = slices.Delete(n.Content, i, i+2)
		return nil, nil
	})
}

const maxCorePath = 500

func (kn *Collection) corePath(file string) (string, error) {
	clean, err := kn.repo.PathInside(file)
	if err == nil && len(clean) > maxCorePath {
		return "", fmt.Errorf("%w '%s': a path has at most %d bytes", worktree.ErrPath, legible.OneLine(cut.Runes(clean, 60)), maxCorePath)
	}
	return clean, err
}

// changeCore changes the list; change returns the sums of what this user stands for.
func (kn *Collection) changeCore(ctx context.Context, subject string, change func(*yaml.Node) ([]string, error)) error {
	_, err := kn.contents.WritePlan(ctx, func(tip string) (contents.TreeChange, error) {
		n, old, err := kn.coreAt(tip)
		var sums []string
		if err == nil {
			sums, err = change(n)
		}
		if err != nil {
			return contents.TreeChange{}, err
		}
		if len(n.Content)/2 > contents.MaxListed {
			return contents.TreeChange{}, fmt.Errorf("'%s' already lists %d files, the limit", contents.CoreListFile, contents.MaxListed)
		}
		b, err := coreText(n)
		if bytes.Equal(b, old) {
			return contents.TreeChange{}, err
		}
		return contents.TreeChange{Subject: subject, Files: map[string][]byte{contents.CoreListFile: b}, Sums: sums}, err
	}, contents.Also{})
	return err
}

// coreText prints the list; an empty one is no file.
func coreText(n *yaml.Node) ([]byte, error) {
	if len(n.Content) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return nil, err
	}
	err := e.Close()
	return b.Bytes(), err
}
