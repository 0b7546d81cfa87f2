package session

import (
	"encoding/json"
	"strings"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
)

// A session whose views, colours or selection are damaged opens without them: they are not worth the map.
func TestDamagedPartsCostNoMap(t *testing.T) {
	good := string(write(t, document(t, "demo:x"), "s.blossom"))
	for name, part := range map[string][2]string{
		"no views":           {"views", `{"views":[],"active":"1"}`},
		"views of one ID":    {"views", `{"views":[{"id":"1"},{"id":"1"}]}`},
		"nine views":         {"views", `{"views":[{},{},{},{},{},{},{},{},{}]}`},
		"views as text":      {"views", `"hello"`},
		"colours as a list":  {"looks", `[1,2]`},
		"other points":       {"selection", `{"rows":5,"count":1,"runs":"AAE="}`},
		"selection as text":  {"selection", `"x"`},
		"selection of bytes": {"selection", `{"rows":4,"count":3,"bits":"AA=="}`},
	} {
		s, err := Read(strings.NewReader(good), "s.blossom")
		if err != nil {
			t.Fatal(err)
		}
		s.Parts[part[0]] = state.Encoded{Version: 1, Value: json.RawMessage(part[1])}
		d, notes, err := s.Document(data(t, "demo:x"), "s.blossom")
		if err != nil || !strings.Contains(strings.Join(notes, "|"), "left out") {
			t.Errorf("%s: %v, notes %q", name, err, notes)
			continue
		}
		if l := parts.Landmarks.Of(d.State()); l.Len() != 3 || len(parts.Views.Of(d.State()).Views) < 1 {
			t.Errorf("%s: %d landmarks", name, l.Len())
		}
		write(t, d, "s.blossom")
	}
}

// Numbers of a camera that no view can look with would overflow, and no file can hold what comes of them.
func TestSessionsWithNonsenseCameras(t *testing.T) {
	good := string(write(t, document(t, "demo:x"), "s.blossom"))
	for _, camera := range []string{`{"x":1e308,"y":0,"scale":1}`, `{"x":0,"y":0,"scale":1e308}`,
		`{"x":0,"y":0,"scale":1e-308}`, `{"x":0,"y":0,"span":1.7e308}`, `{"x":0,"y":0,"scale":-1}`,
		`{"x":0,"y":0,"span":1,"turn":[1e308,1e308,0,0]}`} {
		s, err := Read(strings.NewReader(good), "s.blossom")
		if err != nil {
			t.Fatal(err)
		}
		s.Parts["views"] = state.Encoded{Version: 1, Value: json.RawMessage(`{"views":[{"id":"1","embedding":` +
			`{"kind":"pca","dims":3},"camera":` + camera + `}],"active":"1"}`)}
		d, notes, err := s.Document(data(t, "demo:x"), "s.blossom")
		if err != nil || len(notes) > 0 {
			t.Fatal(err, notes)
		}
		if got := parts.Views.Of(d.State()).Views[0].Camera; got != (parts.Camera{}) {
			t.Errorf("%s is kept as %+v", camera, got)
		}
	}
}

// A training that this program does not have, and a damaged projection, cost no more than
// themselves: the map opens, with a word about it, and trains.
func TestDamagedTrainingAndProjection(t *testing.T) {
	good := string(write(t, document(t, "demo:x"), "s.blossom"))
	for name, part := range map[string][2]string{
		"unknown training":      {"training", `{"algorithm":"of another day","values":{"x":1},"speed":5}`},
		"training as text":      {"training", `"som"`},
		"projection of noughts": {"projection", `{"K":0,"Boost":0,"Adjust":0}`},
		"projection as text":    {"projection", `"x"`},
		"projection cut":        {"projection", `{"K":"many"}`},
	} {
		s, err := Read(strings.NewReader(good), "s.blossom")
		if err != nil {
			t.Fatal(err)
		}
		s.Parts[part[0]] = state.Encoded{Version: 1, Value: json.RawMessage(part[1])}
		d, notes, err := s.Document(data(t, "demo:x"), "s.blossom")
		if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "as in a new document") {
			t.Errorf("%s: %v, notes %q", name, err, notes)
			continue
		}
		if part[0] == "training" {
			if c := parts.Training.Of(d.State()); c.Algorithm != train.DefaultID(false) {
				t.Errorf("%s: training %+v", name, c)
			}
		} else if p := parts.Projection.Of(d.State()); p != embedsom.Defaults() {
			t.Errorf("%s: projection %+v", name, p)
		}
		if l := parts.Landmarks.Of(d.State()); l.Len() != 3 || l.Names[1] != "B cells" {
			t.Errorf("%s: other landmarks", name)
		}
		write(t, d, "s.blossom")
	}
}
