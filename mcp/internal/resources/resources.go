// Package resources has what a person may point at: checkpoints, items, pinned notes.
package resources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/mcp/internal/client"
	"github.com/git-sage/git-sage/mcp/internal/knowledge"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
)

// Resources are what a person may point at, to put it into the context. Names and
// descriptions hold ids and dates alone, no stored text: they are shown outside any
// fence.
const (
	scheme       = "sage"
	markdown     = "text/markdown"
	ResourcePage = 100
	newest       = 20 // checkpoints that are listed; any can be read
)

// Templates are the forms of addresses.
func Templates() []proto.ResourceTemplate {
	var out []proto.ResourceTemplate
	for _, t := range []struct{ uri, name, doc string }{
		{"sage://checkpoint/{id}", "checkpoint", "A checkpoint: id, line, fork or tag."},
		{"sage://knowledge/{id}", "knowledge", "An item of knowledge."},
		{"sage://failure/{id}", "failure", "What was tried and did not work."},
		{"sage://system/{file}", "system", "A pinned note."},
	} {
		out = append(out, proto.NewResourceTemplate(t.uri, t.name, proto.WithTemplateDescription(t.doc), proto.WithTemplateMIMEType(markdown)))
	}
	return out
}

// List is a page of what there is.
func List(ctx context.Context, s *client.Client, r protocol.Request) (any, *protocol.Error) {
	skip, e := cursor(r)
	if e != nil {
		return nil, e
	}
	c := tool.New(s, nil)
	defer c.Close()
	all, err := allResources(ctx, c)
	if err != nil {
		return nil, protocol.Errorf(proto.INTERNAL_ERROR, "%s", s.Explain(err))
	}
	page := all[min(skip, len(all)):min(skip+ResourcePage, len(all))]
	out := &proto.ListResourcesResult{Resources: append([]proto.Resource{}, page...)}
	if skip+len(page) < len(all) {
		out.NextCursor = proto.Cursor(strconv.Itoa(skip + len(page)))
	}
	return out, nil
}

func cursor(r protocol.Request) (int, *protocol.Error) {
	given, ok := r.Params["cursor"]
	if !ok || given == nil {
		return 0, nil
	}
	s, _ := given.(string)
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, protocol.Errorf(proto.INVALID_PARAMS, "cursor: must be the nextCursor of a list")
	}
	return n, nil
}

// allResources are the pinned notes, the items that hold and the newest checkpoints.
func allResources(ctx context.Context, c *tool.Call) (out []proto.Resource, err error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return nil, err
	}
	notes, err := m.Knowledge.ItemsUnder(ctx, "system")
	if err != nil {
		return nil, err
	}
	for _, e := range notes {
		if e.Err != nil || gitstore.CheckName(e.Item.ID) != nil { // a name that says more than it should
			continue
		}
		out = append(out, resource("system", e.Item.ID, marked("Pinned note", !e.Own && !m.Store.Knowledge.IsOwnItem(e.ItemEntry))))
	}
	items, err := m.Knowledge.Items(ctx, recall.ItemQuery{})
	if err != nil {
		return nil, err
	}
	for _, k := range items {
		if k.Err != nil || gitstore.CheckName(k.Item.ID) != nil {
			continue
		}
		out = append(out, itemResource(k, !k.Own && !m.Store.Knowledge.IsOwnItem(k.ItemEntry)))
	}
	records, err := m.Store.Commits.Log(ctx, gitstore.Query{Max: newest})
	for _, r := range records {
		out = append(out, resource("checkpoint", brief.ShortID(r.ID), marked("Checkpoint of "+r.Time.UTC().Format("2006-01-02 15:04"), !r.Own || r.Unconfirmed)))
	}
	return out, err
}

// marked is a description of what somebody here stands for, or nobody does. It names nobody,
// since an author may choose any name.
func marked(doc string, unconfirmed bool) string {
	if unconfirmed {
		return doc + ", unconfirmed"
	}
	return doc
}

func itemResource(k recall.Known, unconfirmed bool) proto.Resource {
	folder := "knowledge"
	if k.Item.Type == sage.Failure {
		folder = "failure"
	}
	doc := "Knowledge"
	if kind := k.Item.Type.Kind(); slices.Contains(sage.Kinds(), kind) {
		doc = strings.ToUpper(kind[:1]) + kind[1:]
	}
	if !k.Item.Updated.IsZero() {
		doc += " of " + k.Item.Updated.UTC().Format("2006-01-02")
	}
	return resource(folder, k.Item.ID, marked(doc, unconfirmed))
}

func resource(folder, id, doc string) proto.Resource {
	return proto.NewResource(scheme+"://"+folder+"/"+url.PathEscape(id), id, proto.WithResourceDescription(doc), proto.WithMIMEType(markdown))
}

// Read is the text at an address.
func Read(ctx context.Context, s *client.Client, r protocol.Request, modern bool) (any, *protocol.Error) {
	uri, ok := r.Params["uri"].(string)
	if !ok {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "uri: must be the URI of a resource")
	}
	c := tool.New(s, nil)
	defer c.Close()
	text, err := resourceText(ctx, c, uri)
	switch {
	case errors.Is(err, gitstore.ErrNotFound):
		e := protocol.Errorf(proto.RESOURCE_NOT_FOUND, "%s", err)
		if e.Data = map[string]string{"uri": uri}; modern { // since 2026-07-28
			e.Code = proto.INVALID_PARAMS
		}
		return nil, e
	case errors.Is(err, errAddress), errors.Is(err, gitstore.ErrName):
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "uri: %s", err)
	case err != nil:
		return nil, protocol.Errorf(proto.INTERNAL_ERROR, "%s", s.Explain(err))
	}
	return &proto.ReadResourceResult{Contents: []proto.ResourceContents{
		proto.TextResourceContents{URI: uri, MIMEType: markdown, Text: brief.Inert(text)},
	}}, nil
}

var errAddress = errors.New("must be sage://checkpoint/, sage://knowledge/, sage://failure/ or sage://system/ with an id")

// address takes the address of a resource apart.
func address(uri string) (folder, id string, err error) {
	rest, ok := strings.CutPrefix(uri, scheme+"://")
	folder, escaped, slash := strings.Cut(rest, "/")
	id, err = url.PathUnescape(escaped)
	if !ok || !slash || err != nil || id == "" || len(uri) > 1000 {
		return "", "", errAddress
	}
	return folder, id, nil
}

// resourceText is the text at an address, in a fence.
func resourceText(ctx context.Context, c *tool.Call, uri string) (string, error) {
	folder, id, err := address(uri)
	if err != nil {
		return "", err
	}
	read := map[string]func(context.Context, *recall.Memory, string) (text, more string, err error){
		"checkpoint": checkpointText, "knowledge": itemText, "failure": failureText, "system": noteText,
	}[folder]
	if read == nil {
		return "", errAddress
	}
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	text, more, err := read(ctx, m, id)
	if err != nil {
		return "", err
	}
	return texts.Fenced("git-sage "+folder+" "+texts.OneLine(id, 100), text, 0, more), nil
}

func checkpointText(ctx context.Context, m *recall.Memory, rev string) (text, more string, err error) {
	thought, err := m.Store.Commits.Load(ctx, rev)
	if err != nil {
		return "", "", err
	}
	text, err = m.Templates.Brief(ctx, thought, recall.BriefOptions{Full: true})
	return text, "`git sage show " + brief.ShortID(thought.ID) + "` prints all of it", err
}

func itemText(ctx context.Context, m *recall.Memory, id string) (text, more string, err error) {
	k, err := m.Knowledge.Item(ctx, id)
	if err = cmp.Or(err, k.Err); err != nil {
		return "", "", err
	}
	return knowledge.Trust(ctx, m, k) + string(codec.MarshalItem(k.Item)) + m.Knowledge.RefsText(ctx, k) + knowledge.LinksText(ctx, m, k), "`git sage knowledge show " + k.Item.ID + "` prints all of it", nil
}

func failureText(ctx context.Context, m *recall.Memory, id string) (text, more string, err error) {
	k, err := m.Knowledge.Item(ctx, id)
	if err = cmp.Or(err, k.Err); err != nil {
		return "", "", err
	}
	if !knowledge.HasType(k.Item, sage.Failure) {
		return "", "", &gitstore.NoItemError{ID: id, Kind: "failure"}
	}
	text = knowledge.Trust(ctx, m, k) + fmt.Sprintf("# %s (%s)\n\n%s\n", k.Item.ID, texts.Age(m.Stores.Now().Sub(k.Item.Updated)), k.Item.Text()) + m.Knowledge.RefsText(ctx, k)
	return text, "`git sage knowledge show " + k.Item.ID + "` prints all of it", nil
}

func noteText(ctx context.Context, m *recall.Memory, file string) (text, more string, err error) {
	name := strings.TrimSuffix(file, ".md")
	if naming.NameProblem(name) != "" {
		return "", "", &gitstore.NoItemError{ID: file, Kind: "pinned note"}
	}
	e, err := m.Knowledge.Item(ctx, "system/"+name)
	if errors.Is(err, gitstore.ErrNotFound) {
		return "", "", &gitstore.NoItemError{ID: name, Kind: "pinned note"}
	}
	if err = cmp.Or(err, e.Err); err != nil {
		return "", "", err
	}
	return knowledge.Trust(ctx, m, e) + e.Item.Text() + "\n", "`git sage note list` lists all", nil
}
