package parts

import (
	"bytes"
	"encoding/json"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
)

// encodedLandmarks are landmarks in a file: all but the arrays as landmark files have it, and the names of those.
// Version 1 was a landmark file.
type encodedLandmarks struct {
	Landmarks json.RawMessage `json:"landmarks"`
	Codebook  string          `json:"codebook"`
	Positions string          `json:"positions"`
	Edges     string          `json:"edges,omitempty"`
	// Revisions of the codebook, positions, pins, names, edges and populations, if there were any, and Space, that of
	// the transform in whose space the codebook lives, where the file has a history.
	Revisions []uint64 `json:"revisions,omitempty"`
	Space     uint64   `json:"space,omitempty"`
}

func encodeLandmarks(l *landmark.Set, c state.Context) (json.RawMessage, error) {
	if l.Len() == 0 {
		return nil, nil
	}
	f := &landmark.File{Set: l}
	if !c.Held {
		if !Settled(c.State) {
			return nil, problem.New(c.File, "try again in a moment", "a change of the transform is still being applied")
		}
		f = LandmarkFile(c)
	}
	p, err := f.Parcel()
	if err != nil {
		return nil, err
	}
	out := encodedLandmarks{Landmarks: p.Head, Codebook: c.Array(p.Codebook), Positions: c.Array(p.Positions)}
	if p.Edges.Rows > 0 {
		out.Edges = c.Array(p.Edges)
	}
	if c.Full {
		for _, r := range revisionsOf(l) {
			out.Revisions = append(out.Revisions, uint64(*r))
		}
		out.Space = uint64(l.Space)
	}
	return encode(out, c)
}

// revisionsOf are those of the aspects of a set, in the order of files.
func revisionsOf(l *landmark.Set) []*revision.Revision {
	list := []*revision.Revision{&l.CodeRev, &l.PosRev, &l.PinRev, &l.NameRev, &l.EdgeRev}
	if l.GroupRev != 0 {
		list = append(list, &l.GroupRev)
	}
	return list
}

func decodeLandmarks(raw json.RawMessage, version int, c state.Context) (*landmark.Set, error) {
	var in encodedLandmarks
	f, err := readLandmarks(raw, version, c, &in)
	if err != nil {
		return nil, err
	}
	set := f.Set
	if !c.Held {
		if set, err = inTheMap(f, c); err != nil {
			return nil, err
		}
	}
	set.Space = Transform.Rev(c.State)
	if c.Revisions != nil && len(in.Revisions) == len(revisionsOf(set)) {
		for i, r := range revisionsOf(set) {
			if i > 0 || set == f.Set { // else the codebook is another one than it was
				*r = c.Revisions.Of(in.Revisions[i])
			}
		}
		if c.Held {
			set.Space = c.Revisions.Of(in.Space)
		}
	}
	return set, nil
}

func readLandmarks(raw json.RawMessage, version int, c state.Context, in *encodedLandmarks) (*landmark.File, error) {
	if version < 2 {
		return landmark.Read(bytes.NewReader(raw), c.File)
	}
	if err := decode(raw, "the landmarks", in); err != nil {
		return nil, err
	}
	p := &landmark.Parcel{Head: in.Landmarks}
	for _, a := range []struct {
		what, name string
		to         *matrix.Matrix32
	}{{"codebook", in.Codebook, &p.Codebook}, {"positions", in.Positions, &p.Positions},
		{"edges", in.Edges, &p.Edges}} {
		if a.name == "" && a.to == &p.Edges {
			continue
		}
		var err error
		if *a.to, err = c.Stored(a.name); err != nil {
			e := problem.As(err)
			return nil, problem.Wrap(err, c.File, e.Remedy, "the %s of its landmarks: %s", a.what, e.What)
		}
	}
	return p.File(c.File)
}
