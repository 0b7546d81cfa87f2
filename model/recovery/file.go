package recovery

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"blossom/model/session"
	"blossom/model/state"
)

// About is what a save says of its session, to list it without opening its data.
type About struct {
	Name      string    `json:"name"`                // for people
	Session   string    `json:"session,omitempty"`   // the user's own file of it, or ""
	SessionAt time.Time `json:"session_at,omitzero"` // when that was written
	Changed   bool      `json:"changed,omitempty"`   // there is work that no file of the user's has
	Closed    bool      `json:"closed,omitempty"`    // its window was closed, or went on to another document
	Landmarks int       `json:"landmarks"`           // how many
	Things    string    `json:"things,omitempty"`    // what the points are: "cells"
	Picture   Picture   `json:"picture,omitempty"`   // of what was in sight
}

// file is a save: a session, which can be opened as any other, with what is needed to list it and to know damage.
type file struct {
	*session.Session
	About About             `json:"about"`
	Sums  map[string]uint32 `json:"sums"` // CRC-32C of the encoded parts by their IDs, and of "data"
}

func fileOf(d *state.Document, about About, path, program string, now time.Time) (*file, error) {
	s, err := session.Of(d, path, program, now)
	if err != nil {
		return nil, err
	}
	if about.Session != "" {
		if info, err := os.Stat(about.Session); err == nil {
			about.SessionAt = info.ModTime()
		}
	}
	f := &file{Session: s, About: about}
	f.Sums, err = f.sums()
	return f, err
}

func (f *file) write(w io.Writer) error { return json.NewEncoder(w).Encode(f) }

// sums returns what Sums should be.
func (f *file) sums() (map[string]uint32, error) {
	out := map[string]uint32{}
	table := crc32.MakeTable(crc32.Castagnoli)
	add := func(name string, v any) error {
		text, err := json.Marshal(v) // of one form, however it was written
		// What is no UTF-8, as a name may be, is replaced in writing; the replacement is then written otherwise.
		text = bytes.ReplaceAll(text, []byte(`\ufffd`), []byte("\ufffd"))
		out[name] = crc32.Checksum(text, table)
		return err
	}
	if err := add("data", f.Data); err != nil {
		return nil, err
	}
	for id, e := range f.Parts {
		if err := add("part "+id, e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// read reads a save. damaged are the titles of parts that are not as they were written; a save that cannot be opened
// is an error.
func read(path string) (f *file, damaged []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	f = &file{}
	if f.Session, err = session.Read(bytes.NewReader(text), path); err != nil {
		return nil, nil, err
	}
	extra := struct {
		About About
		Sums  map[string]uint32
	}{}
	if err := json.Unmarshal(text, &extra); err != nil {
		return nil, nil, err
	}
	f.About, f.Sums = extra.About, extra.Sums
	if len(f.Sums) == 0 {
		return f, nil, nil // of a version that had none
	}
	now, err := f.sums()
	if err != nil {
		return nil, nil, err
	}
	for name, sum := range f.Sums {
		if now[name] == sum {
			continue
		}
		id, part := strings.CutPrefix(name, "part ")
		title, required := state.Title(id)
		if !part || required {
			return nil, nil, errDamaged
		}
		damaged = append(damaged, strings.ToLower(title))
	}
	slices.Sort(damaged)
	return f, damaged, nil
}
