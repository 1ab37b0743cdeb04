package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// wheelTags are what Python calls our systems. The program needs no C library, and so runs
// with either of Linux; it needs macOS 12, as Go does.
var wheelTags = map[System]string{
	{"linux", "amd64"}:   "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	{"linux", "arm64"}:   "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	{"darwin", "amd64"}:  "macosx_12_0_x86_64",
	{"darwin", "arm64"}:  "macosx_12_0_arm64",
	{"windows", "amd64"}: "win_amd64",
	{"windows", "arm64"}: "win_arm64",
}

// pythonVersion is a version as PEP 440 has it: what comes before a release is a dev of it,
// or an alpha, beta or candidate.
func pythonVersion(version string) string {
	base, pre, found := strings.Cut(version, "-")
	if !found {
		return base
	}
	name, rest, _ := strings.Cut(pre, ".")
	short, known := map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[name]
	if known && rest != "" && strings.Trim(rest, "0123456789") == "" {
		return base + short + rest
	}
	date, _, _ := strings.Cut(pre, "-")
	if date == "" || strings.Trim(date, "0123456789") != "" {
		date = "0"
	}
	return base + ".dev" + date
}

// wheels writes a wheel for each system. pip puts the program and its pages where those of
// the environment are.
func (r *Release) wheels(st *Stage) error {
	version := pythonVersion(r.Version)
	for _, s := range systems {
		root := "git_sage-" + version
		data, info := root+".data/", root+".dist-info/"
		var tags strings.Builder
		for tag := range strings.SplitSeq(wheelTags[s], ".") {
			tags.WriteString("Tag: py3-none-" + tag + "\n")
		}
		list := []member{
			{name: data + "scripts/" + s.program(), mode: 0o755, from: st.binary(s)},
			{name: info + "METADATA", mode: 0o644, text: []byte("Metadata-Version: 2.1\nName: git-sage\nVersion: " + version + "\nSummary: " + summary +
				"\nHome-page: " + homepage + "\nLicense: Apache-2.0\nLicense-File: LICENSE\nRequires-Python: >=3.8\n")},
			{name: info + "WHEEL", mode: 0o644, text: []byte("Wheel-Version: 1.0\nGenerator: git-sage\nRoot-Is-Purelib: false\n" + tags.String())},
		}
		for _, p := range pages {
			list = append(list, member{name: data + "data/" + p.To, mode: 0o644, from: st.file(p.Name)})
		}
		record, err := wheelRecord(info+"RECORD", list)
		if err != nil {
			return err
		}
		list = append(list, member{name: info + "RECORD", mode: 0o644, text: record})
		if err := r.add(root+"-py3-none-"+wheelTags[s]+".whl", func(w io.Writer) error { return writeZip(w, r.Date, list) }); err != nil {
			return err
		}
	}
	return nil
}

// wheelRecord lists the files of a wheel with checksums and sizes.
func wheelRecord(itself string, list []member) ([]byte, error) {
	var b strings.Builder
	for _, m := range sorted(list) {
		in, size, err := m.open()
		if err != nil {
			return nil, err
		}
		sum := sha256.New()
		_, err = io.Copy(sum, in)
		in.Close()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", m.name, base64.RawURLEncoding.EncodeToString(sum.Sum(nil)), size)
	}
	b.WriteString(itself + ",,\n")
	return []byte(b.String()), nil
}
