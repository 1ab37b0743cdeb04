package records

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/propose"
)

// Graph is the tool of the file of @modelcontextprotocol/server-memory.
const Graph = "mcp-memory"

// Keys of an item's Extra.
const (
	entityTypeKey = "entity_type"
	relationsKey  = "relations" // those that are no kind of links, each as "kind: entity"
)

// graphLine is a line of the file: an entity, or how one stands to another.
type graphLine struct {
	Type         string   `json:"type"`
	Name         string   `json:"name,omitempty"`
	EntityType   string   `json:"entityType,omitempty"`
	Observations []string `json:"observations"`
	From         string   `json:"from,omitempty"`
	To           string   `json:"to,omitempty"`
	RelationType string   `json:"relationType,omitempty"`
}

// ReadGraph reads the file.
func ReadGraph(file, shown string) (imports.Source, error) {
	l := &imports.List{From: Graph}
	byName := map[string]*sage.Item{}
	var order []string
	lies := map[string]string{}
	observed := map[string][]string{}
	var relations []graphLine
	var places []string
	err := eachLine(l, file, shown, func(at string, v graphLine) {
		switch {
		case v.Type == "entity" && strings.TrimSpace(v.Name) != "":
			if it := byName[v.Name]; it != nil {
				l.Say(imports.Problem{Where: at, Grade: imports.Noted, What: fmt.Sprintf("%s is there twice; both were merged into one", legible.Quoted(v.Name, 60))})
			} else {
				order, lies[v.Name] = append(order, v.Name), at
				byName[v.Name] = &sage.Item{Type: entityType(v.EntityType), Extra: []sage.Entry{{Key: entityTypeKey, Value: legible.OneLine(v.EntityType)}}}
			}
			for _, s := range v.Observations {
				if s = strings.TrimSpace(s); s != "" && !slices.Contains(observed[v.Name], s) {
					observed[v.Name] = append(observed[v.Name], s)
				}
			}
		case v.Type == "relation" && v.From != "" && v.To != "":
			relations, places = append(relations, v), append(places, at)
		default:
			l.Say(imports.Problem{Where: at, Grade: imports.Skipped, What: "is neither an entity nor a relation with names"})
		}
	})
	if err != nil {
		return nil, err
	}
	for i, v := range relations {
		from, to := byName[v.From], byName[v.To]
		if from == nil {
			l.Say(imports.Problem{Where: places[i], Grade: imports.Skipped, What: fmt.Sprintf("%s is no entity of the file", legible.Quoted(v.From, 60))})
			continue
		}
		if to == nil { // the server lets anything be related to anything
			l.Say(imports.Problem{Where: places[i], Grade: imports.Noted, What: fmt.Sprintf("%s is no entity of the file: the relation was kept without a link", legible.Quoted(v.To, 60))})
		}
		relate(from, relationsKey, relation{v.RelationType, v.To}, to != nil && v.From != v.To)
	}
	for _, name := range order {
		it := byName[name]
		entity(it, name, observed[name])
		it.Source = plain.Source(shown)
		l.Add(lies[name], name, it)
	}
	return l, nil
}

// entityType is the type of an item that stands for an entity.
func entityType(kind string) sage.ItemType {
	if t := sage.TypeOf(kind); t != sage.Failure && slices.Contains(sage.ItemWords("type"), string(t)) {
		return t
	}
	return sage.Knowledge
}

// entity gives an item what an entity says.
func entity(it *sage.Item, name string, observations []string) {
	it.ID = cmp.Or(naming.SuggestName(propose.WithoutSecrets(name)), propose.IDFor(it.Type, name))
	if len(it.ID) > 60 {
		it.ID = propose.IDFor(it.Type, name)
	}
	if it.ID != name {
		it.Description = cut.Bytes(legible.OneLine(name), 300)
		it.Aliases = []string{cut.Bytes(legible.OneLine(name), 200)}
	}
	kind, _ := plain.ExtraText(it.Extra, entityTypeKey)
	switch len(observations) {
	case 0:
		it.Content = strings.TrimSpace(name + " (" + kind + ")")
	case 1:
		it.Content = observations[0]
	default:
		it.Content = bullets(observations)
	}
	it.Keywords = plain.Keywords(name)
	if kind == "" || entityType(kind) != sage.Knowledge || sage.TypeOf(kind) == sage.Knowledge {
		it.Extra = slices.DeleteFunc(it.Extra, func(x sage.Entry) bool { return x.Key == entityTypeKey }) // the type of the item says it
	} else {
		it.When = []string{cut.Bytes(legible.OneLine(kind+" "+name), 200)}
	}
}

// WriteGraph writes items as the file.
func WriteGraph(items []*sage.Item) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	names := map[string]string{}
	for _, it := range items {
		names[it.ID] = it.ID
		if it.Description != "" && slices.Contains(it.Aliases, it.Description) {
			names[it.ID] = it.Description
		}
	}
	for _, it := range items {
		name := names[it.ID]
		kind, ok := plain.ExtraText(it.Extra, entityTypeKey)
		if !ok {
			kind = it.Type.Kind()
		}
		x := *it
		if x.Description == name {
			x.Description = ""
		}
		said := x.Text()
		list, ok := unbulleted(said)
		if !ok {
			list = []string{said}
		}
		if said == name+" ("+kind+")" {
			list = []string{}
		}
		_ = enc.Encode(graphLine{Type: "entity", Name: name, EntityType: kind, Observations: list})
	}
	for _, it := range items {
		here, elsewhere := relations(it, relationsKey, names)
		for _, r := range append(here, elsewhere...) {
			_ = enc.Encode(relationLine{"relation", names[it.ID], r.to, r.word})
		}
	}
	return b.Bytes()
}

type relationLine struct {
	Type         string `json:"type"`
	From         string `json:"from"`
	To           string `json:"to"`
	RelationType string `json:"relationType"`
}
