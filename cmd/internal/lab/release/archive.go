package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A member is a file of an archive.
type member struct {
	name string // with slashes
	mode os.FileMode
	from string // the file that it is a copy of, or
	text []byte
}

func (m member) open() (io.ReadCloser, int64, error) {
	if m.from == "" {
		return io.NopCloser(bytes.NewReader(m.text)), int64(len(m.text)), nil
	}
	f, err := os.Open(m.from)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// archives writes a tar for each system; a zip for Windows.
func (r *Release) archives(st *Stage) error {
	for _, s := range systems {
		root := r.base(s)
		list := []member{{name: root + "/bin/" + s.program(), mode: 0o755, from: st.binary(s)}}
		for _, p := range pages {
			list = append(list, member{name: root + "/" + p.To, mode: 0o644, from: st.file(p.Name)})
		}
		write := writeTar
		if s.OS == "windows" {
			write = writeZip
		}
		if err := r.add(r.Archive(s.OS, s.Arch), func(w io.Writer) error { return write(w, r.Date, list) }); err != nil {
			return err
		}
	}
	return nil
}

// writeTar writes a packed tar whose files are root's and of one time, sorted by name. The best
// compression takes twice the time, and saves 0.07% of a program that is packed inside already.
func writeTar(w io.Writer, date time.Time, list []member) error {
	z := gzip.NewWriter(w)
	t := tar.NewWriter(z)
	for _, m := range sorted(list) {
		in, size, err := m.open()
		if err != nil {
			return err
		}
		err = t.WriteHeader(&tar.Header{Name: m.name, Mode: int64(m.mode), Size: size, ModTime: date, Uname: "root", Gname: "root", Format: tar.FormatUSTAR})
		if err == nil {
			_, err = io.Copy(t, in)
		}
		in.Close()
		if err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

// writeZip writes the same as a zip.
func writeZip(w io.Writer, date time.Time, list []member) error {
	z := zip.NewWriter(w)
	for _, m := range sorted(list) {
		in, _, err := m.open()
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: date}
		h.SetMode(m.mode)
		to, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.Copy(to, in)
		}
		in.Close()
		if err != nil {
			return err
		}
	}
	return z.Close()
}

func sorted(list []member) []member {
	return slices.SortedFunc(slices.Values(list), func(a, b member) int { return cmp.Compare(a.name, b.name) })
}

// add writes a file of the release.
func (r *Release) add(name string, write func(io.Writer) error) error {
	f, err := os.Create(filepath.Join(r.Dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	r.made = append(r.made, Artifact{Name: name})
	return f.Close()
}
