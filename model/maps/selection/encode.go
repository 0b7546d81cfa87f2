package selection

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/bits"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
)

// encoded is a set in a file. Runs are varints in turn: how many rows are not in, how many then are, and so
// on. Bits are bytes, row i being bit i%8 of byte i/8. A file has the shorter of the two, in base64.
type encoded struct {
	Rows  int     `json:"rows"`
	Count int     `json:"count"`
	Runs  *string `json:"runs,omitempty"`
	Bits  *string `json:"bits,omitempty"`
}

// MarshalJSON encodes the set: few bytes for few runs, and never more than a sixth of a byte per row.
func (s *Set) MarshalJSON() ([]byte, error) {
	e := encoded{Rows: s.Len(), Count: s.Count()}
	raw := s.runBytes((s.Len() + 7) / 8)
	if raw != nil {
		text := base64.StdEncoding.EncodeToString(raw)
		e.Runs = &text
		return json.Marshal(e)
	}
	for _, w := range s.bits {
		raw = binary.LittleEndian.AppendUint64(raw, w)
	}
	text := base64.StdEncoding.EncodeToString(raw[:(s.n+7)/8])
	e.Bits = &text
	return json.Marshal(e)
}

// runBytes returns the encoded runs, or nil if they take more than so many bytes; of sets that are kept
// without bits they always do.
func (s *Set) runBytes(most int) []byte {
	out := []byte{}
	if s != nil && s.bits != nil {
		runs, before := 0, uint64(0)
		for _, w := range s.bits {
			runs += bits.OnesCount64(w &^ (w<<1 | before))
			before = w >> 63
		}
		if 2*runs > most {
			return nil
		}
	}
	at := 0
	for from, to := range s.Runs() {
		out = binary.AppendUvarint(out, uint64(from-at))
		out = binary.AppendUvarint(out, uint64(to-from))
		at = to
	}
	if s != nil && s.bits != nil && len(out) > most {
		return nil
	}
	return out
}

// Decode reads what MarshalJSON wrote, for a data set of so many rows. A set of another data set, or one
// that is damaged, is a Problem that names the file.
func Decode(text []byte, rows int, file string) (*Set, error) {
	bad := func(format string, args ...any) (*Set, error) {
		return nil, problem.New(file, "open the file without the selection, and select anew", format, args...)
	}
	var e encoded
	if err := bounded.Unmarshal(text, &e); err != nil {
		return bad("the selection cannot be read (%s)", bounded.Flaw(err))
	}
	if e.Rows != rows && !(e.Rows == 0 && e.Count == 0) {
		return bad("the selection is of %d points, and the data has %d", e.Rows, rows)
	}
	var words []uint64
	switch {
	case e.Runs != nil:
		raw, err := base64.StdEncoding.DecodeString(*e.Runs)
		if err != nil {
			return bad("the selection cannot be read (%v)", err)
		}
		if words = fromRuns(raw, rows); words == nil {
			return bad("the selection is damaged: its runs do not fit %d points", rows)
		}
	case e.Bits != nil:
		raw, err := base64.StdEncoding.DecodeString(*e.Bits)
		if err != nil {
			return bad("the selection cannot be read (%v)", err)
		}
		if words = fromBytes(raw, rows); words == nil {
			return bad("the selection is damaged: its bits do not fit %d points", rows)
		}
	default:
		return bad("the selection has no points in it")
	}
	s := FromBits(rows, words)
	if s.Count() != e.Count {
		return bad("the selection is damaged: it has %d points, and should have %d", s.Count(), e.Count)
	}
	return s, nil
}

// fromRuns returns the bits of encoded runs, or nil if they do not fit.
func fromRuns(raw []byte, rows int) []uint64 {
	words := make([]uint64, wordsOf(rows))
	for at := 0; len(raw) > 0; {
		var from, to int
		from, raw = advance(raw, at, rows)
		to, raw = advance(raw, from, rows)
		if raw == nil || to == from {
			return nil
		}
		setRange(words, from, to)
		at = to
	}
	return words
}

// advance reads a varint and returns at plus it, and the rest; a nil rest if there is none, or it leads
// beyond limit.
func advance(raw []byte, at, limit int) (int, []byte) {
	v, used := binary.Uvarint(raw)
	if used <= 0 || v > math.MaxInt64 || int(v) > limit-at {
		return 0, nil
	}
	return at + int(v), raw[used:]
}

// fromBytes returns the bits that bytes hold, or nil if they do not fit.
func fromBytes(raw []byte, rows int) []uint64 {
	if len(raw) != (rows+7)/8 || rows%8 != 0 && raw[len(raw)-1]>>(rows%8) != 0 {
		return nil
	}
	words := make([]uint64, wordsOf(rows))
	for i, b := range raw {
		words[i/8] |= uint64(b) << (i % 8 * 8)
	}
	return words
}
