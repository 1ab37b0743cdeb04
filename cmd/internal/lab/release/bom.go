package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// boms writes for each system what its program is made of, in SPDX 2.3, by what the program
// says of itself (go version -m), the models and the grammars.
func (r *Release) boms(st *Stage) error {
	for _, s := range systems {
		doc, err := r.bom(st, s)
		if err != nil {
			return err
		}
		b, err := json.MarshalIndent(doc, "", "  ")
		if err != nil {
			return err
		}
		if err := r.add(r.base(s)+".spdx.json", func(w io.Writer) error {
			_, err := w.Write(append(b, '\n'))
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

type spdxPackage struct {
	ID         string              `json:"SPDXID"`
	Name       string              `json:"name"`
	Version    string              `json:"versionInfo,omitempty"`
	Download   string              `json:"downloadLocation"`
	Analyzed   bool                `json:"filesAnalyzed"`
	Concluded  string              `json:"licenseConcluded"`
	Declared   string              `json:"licenseDeclared"`
	Copyright  string              `json:"copyrightText"`
	References []map[string]string `json:"externalRefs,omitempty"`
	Comment    string              `json:"comment,omitempty"`
}

// bom is the bill of materials of a system's program.
func (r *Release) bom(st *Stage, s System) (map[string]any, error) {
	info, err := buildinfo.ReadFile(st.binary(s))
	if err != nil {
		return nil, err
	}
	byName := map[string]Licence{}
	for _, l := range st.licences {
		byName[l.Kind+" "+l.Name] = l
	}
	list := []spdxPackage{spdx("git-sage", "git-sage", r.Version, "Apache-2.0", "pkg:golang/github.com/git-sage/git-sage@"+r.Tag)}
	list[0].Comment = "commit " + r.Commit
	module := func(name, version, sum string) error {
		l, ok := byName["module "+name]
		if !ok {
			return fmt.Errorf("%s: %s is in the program, and no licence was collected of it", s, name)
		}
		p := spdx("module-"+name, name, version, l.ID, "pkg:golang/"+name+"@"+version)
		if sum != "" {
			p.Comment = "go.sum: " + sum
		}
		list = append(list, p)
		return nil
	}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		if err := module(d.Path, d.Version, d.Sum); err != nil {
			return nil, err
		}
	}
	if err := module("std", info.GoVersion, ""); err != nil {
		return nil, err
	}
	for _, l := range st.licences {
		if l.Kind != "module" {
			list = append(list, spdx(l.Kind+"-"+l.Name, l.Name, l.Version, l.ID, ""))
		}
	}
	relations := []map[string]string{{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": list[0].ID}}
	for _, p := range list[1:] {
		relations = append(relations, map[string]string{"spdxElementId": list[0].ID, "relationshipType": "CONTAINS", "relatedSpdxElement": p.ID})
	}
	name := r.base(s)
	return map[string]any{
		"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
		"documentNamespace": homepage + "/releases/" + r.Tag + "/" + name + "-" + r.Commit,
		"creationInfo":      map[string]any{"created": r.Date.Format("2006-01-02T15:04:05Z"), "creators": []string{"Tool: git-sage-release"}},
		"packages":          list, "relationships": relations,
	}, nil
}

var notInID = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

func spdx(id, name, version, licence, purl string) spdxPackage {
	p := spdxPackage{ID: "SPDXRef-" + notInID.ReplaceAllString(id, "-"), Name: name, Version: strings.TrimSpace(version),
		Download: "NOASSERTION", Concluded: licence, Declared: licence, Copyright: "NOASSERTION"}
	if purl != "" {
		p.References = []map[string]string{{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}}
	}
	return p
}
