package recovery

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"time"

	"blossom/model/base/bounded"
	"blossom/model/document/session"
	"blossom/model/document/state"
)

// About is what a save says of its session, to list it without opening its data.
type About struct {
	Name      string    `json:"name"`                // for people
	Session   string    `json:"session,omitempty"`   // the user's own file of it, or ""
	SessionAt time.Time `json:"session_at,omitzero"` // when that was written
	Changed   bool      `json:"changed,omitempty"`   // there is work that no file of the user's has
	Closed    bool      `json:"closed,omitempty"`    // its window was closed, or went on to another document
	Landmarks int       `json:"landmarks"`           // how many
	// Populations are how many there are, Changes how many changes led to it, Last is the name of the last of them.
	Populations int     `json:"populations,omitempty"`
	Changes     int     `json:"changes,omitempty"`
	Last        string  `json:"last,omitempty"`
	Things      string  `json:"things,omitempty"`  // the word for the points: "cells"
	Picture     Picture `json:"picture,omitempty"` // a picture of the map in sight
}

// aboutName is the file in a save that has it.
const aboutName = "about.json"

// into puts it beside the session in a save.
func (a About) into(s *session.Session) error {
	if a.Session != "" {
		if info, err := os.Stat(a.Session); err == nil {
			a.SessionAt = info.ModTime()
		}
	}
	text, err := json.Marshal(a)
	s.Put(aboutName, text)
	return err
}

// file is a save that was read: a session, which can be opened as any other, with what is needed to list it.
type file struct {
	*session.Session
	About About
}

// read reads a save. damaged are the titles of parts that are not as they were written; a save that cannot be opened
// is an error.
func read(path string) (f *file, damaged []string, err error) {
	s, err := session.Look(path)
	if err != nil {
		return nil, nil, err
	}
	f = &file{Session: s}
	if s.Version < 3 {
		err = f.readText(path)
	} else if text, ok := s.Beside[aboutName]; ok {
		err = bounded.Unmarshal(text, &f.About)
	}
	if err != nil {
		return nil, nil, err
	}
	for _, id := range s.Damaged {
		title, required := state.Title(id)
		if required || id == "data" {
			return nil, nil, errDamaged
		}
		damaged = append(damaged, strings.ToLower(title))
	}
	slices.Sort(damaged)
	return f, slices.Compact(damaged), nil
}

// readText reads what a save of version 2 has in its JSON: About, and sums to know damage by.
func (f *file) readText(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	extra := struct {
		About About
		Sums  map[string]uint32 // CRC-32C of the encoded parts by their IDs, and of "data"
	}{}
	if err := bounded.Unmarshal(text, &extra); err != nil {
		return err
	}
	f.About = extra.About
	if len(extra.Sums) == 0 {
		return nil // written by a version that had none
	}
	now, err := f.sums()
	for name, sum := range extra.Sums {
		if now[name] != sum {
			f.Damaged = append(f.Damaged, strings.TrimPrefix(name, "part "))
		}
	}
	return err
}

// sums returns what the sums should be.
func (f *file) sums() (map[string]uint32, error) {
	out := map[string]uint32{}
	table := crc32.MakeTable(crc32.Castagnoli)
	add := func(name string, v any) error {
		text, err := json.Marshal(v) // a text of one form, however it was written
		// Bytes that are no UTF-8, as a name may have them, are replaced in writing; the replacement is then written
		// otherwise.
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
