package session

import (
	"io"

	"blossom/model/document/state"
)

// Form is a file of another kind that has in it what a session has: data, and parts of a state. Saving does not write
// it, so a document that was opened from one has no session yet.
type Form struct {
	Extensions []string // by which files of it are offered
	// Sniff says whether the first bytes of a file are those of one.
	Sniff func(head []byte) bool
	// Read makes a session of it, with Lend. name is used in errors, which are Problems.
	Read func(r io.Reader, name string) (*Session, error)
}

var forms []Form

// Register adds a form.
func Register(f Form) { forms = append(forms, f) }

// Extensions are those by which files of all forms are offered.
func Extensions() (out []string) {
	for _, f := range forms {
		out = append(out, f.Extensions...)
	}
	return out
}

func formOf(head []byte) *Form {
	for i := range forms {
		if forms[i].Sniff(head) {
			return &forms[i]
		}
	}
	return nil
}

func (f *Form) read(r io.Reader, name string) (*Session, error) {
	s, err := f.Read(r, name)
	if err == nil {
		err = s.check(name)
	}
	return s, err
}

// Lend makes the session that a file of another form has in it. Parts may be missing, landmarks too, and have no
// arrays; numbers of points and columns that are 0 are not known.
func Lend(data Data, seed uint64, parts map[string]state.Encoded) *Session {
	return &Session{Format: fileFormat, Version: fileVersion, Data: data, Seed: seed, Parts: parts, lent: true,
		arrays: newArrays()}
}

// Lent says whether it is in a file that saving does not write.
func (s *Session) Lent() bool { return s.lent }
