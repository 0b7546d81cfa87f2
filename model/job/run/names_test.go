package run

import (
	"bytes"
	"path/filepath"
	"testing"

	"blossom/model/data/format"
	"blossom/model/job/export"
	"blossom/model/landmarks/landmark"
)

// Outputs say which engine and variant made them, where they can.
func TestOutputsNameTheEngine(t *testing.T) {
	m := embed(t, quick(), "demo:tesseract:100")
	var b bytes.Buffer
	if err := m.File.Write(&b); err != nil {
		t.Fatal(err)
	}
	if f, err := landmark.Read(&b, "x"); err != nil || f.Engine != "reference" {
		t.Errorf("%+v, %v", f, err)
	}
	ds, err := m.Coordinates(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "map.fcs")
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
	back, err := format.Open(t.Context(), path, format.Options{})
	if err != nil || back.Metadata[export.EngineKey] != "reference" {
		t.Errorf("%v, %v", back.Metadata, err)
	}
	given := Defaults()
	given.Machine.Engine, given.Origin.Landmarks = "reference", filepath.Join(t.TempDir(), "landmarks.json")
	if err := format.AtomicWrite(given.Origin.Landmarks, m.File.Write); err != nil {
		t.Fatal(err)
	}
	if again := embed(t, given, "demo:tesseract:100"); again.File.Engine != "reference" {
		t.Errorf("the landmarks forgot %q", again.File.Engine)
	}
}
