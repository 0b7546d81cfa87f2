package scale

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/format"
)

// ManifestFile is the name of a manifest in its folder.
const ManifestFile = "manifest.json"

const (
	manifestFormat  = "blossom parts"
	manifestVersion = 1
	mostManifest    = 1 << 30
)

// Manifest says what is in a finished folder: the parts, in the order of the rows.
type Manifest struct {
	Format      string   `json:"format"`
	Version     int      `json:"version"`
	Plan        string   `json:"plan"` // SHA-256 of the plan
	Program     string   `json:"program"`
	Fingerprint string   `json:"fingerprint"`
	Others      []string `json:"other_fingerprints,omitempty"` // a plan may allow them
	Rows        int64    `json:"rows"`
	Invalid     int64    `json:"invalid"`            // rows without a place
	Shown       int      `json:"shown,omitempty"`    // rows of the sample that a window shows
	Merged      string   `json:"merged,omitempty"`   // SHA-256 of the file that the parts were merged into
	Clusters    []int64  `json:"clusters,omitempty"` // how many rows each cluster has
	// Called is how many rows each population has; nil: nobody has asked.
	Called *Called `json:"populations,omitempty"`
	// Said is what reading the parts told, the first of it, and SaidMore how much more that was.
	Said     []Said `json:"said,omitempty"`
	SaidMore int    `json:"said_more,omitempty"`
	Kept     []Kept `json:"kept,omitempty"`
	Parts    []Made `json:"parts"`
	Skipped  []Left `json:"skipped,omitempty"` // parts that could not be made, where that was allowed
}

// Made is a part that is there.
type Made struct {
	File    string `json:"file,omitempty"` // its path, from the folder; "": it has none
	Of      string `json:"of"`             // the path of the data, as the plan has it
	First   int64  `json:"first"`
	Rows    int    `json:"rows"`
	Invalid int    `json:"invalid,omitempty"` // rows without a place
	SHA256  string `json:"sha256,omitempty"`
}

// Left is a part that is not.
type Left struct {
	Part int    `json:"part"`
	Of   string `json:"of"`
	Rows int    `json:"rows"`
	Why  string `json:"why"`
}

// Finish looks at all parts, whole, and writes the manifest. Parts that are missing are a Problem that lists them, or
// are listed in the manifest where skip allows it.
func (p *Plan) Finish(ctx context.Context, skip bool, report func(done, total int64)) (*Manifest, error) {
	m := &Manifest{Format: manifestFormat, Version: manifestVersion, Plan: p.sum, Program: p.Program,
		Fingerprint: p.Fingerprint}
	if p.merged(ctx) {
		return ReadManifest(p.folder)
	}
	first, there := int64(0), []Receipt{}
	for i, s := range p.Shards {
		if report != nil {
			report(int64(i), int64(len(p.Shards)))
		}
		r, ok := p.Done(ctx, i, true)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch {
		case !ok:
			m.Skipped = append(m.Skipped, Left{i, s.Path, s.Rows, p.Why(i)})
		case !p.Mixed && r.Fingerprint != p.Fingerprint:
			return nil, problem.New(p.receipt(i), "make it again: remove this file, and blossom resume "+
				told(p.over, p.folder), "was made by %q, and the plan is of %q", r.Fingerprint, p.Fingerprint)
		default:
			there = append(there, r)
			file := ""
			if p.Output != "" {
				file = filepath.ToSlash(filepath.Join(partsFolder, filepath.Base(p.File(i))))
			}
			m.add(r, file, s.Path, first)
		}
		first += int64(s.Rows)
	}
	if len(m.Skipped) > 0 && (!skip || len(m.Parts) == 0) {
		return nil, p.lacking(m.Skipped)
	}
	if err := p.kind().Merge(ctx, p, there, m); err != nil {
		return nil, err
	}
	if err := m.keep(ctx, p); err != nil {
		return nil, err
	}
	return m, m.write(filepath.Join(p.folder, ManifestFile))
}

// write writes the manifest, unless it is there as it would be written: a whole folder may be of a disk that is read
// only.
func (m *Manifest) write(path string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(m); err != nil {
		return err
	}
	if was, err := plain.ReadFile(path, mostManifest); err == nil && bytes.Equal(was, text.Bytes()) {
		return nil
	}
	return format.AtomicWrite(path, func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	})
}

func (m *Manifest) add(r Receipt, file, of string, first int64) {
	m.Parts = append(m.Parts, Made{file, of, first, r.Rows, r.Invalid, r.SHA256})
	m.hear(r, of)
	m.Rows, m.Invalid = m.Rows+int64(r.Rows), m.Invalid+int64(r.Invalid)
	if r.Fingerprint == m.Fingerprint {
		return
	}
	for _, known := range m.Others {
		if known == r.Fingerprint {
			return
		}
	}
	m.Others = append(m.Others, r.Fingerprint)
}

// lacking says which parts are missing, some of them by name.
func (p *Plan) lacking(left []Left) error {
	var said []string
	for _, l := range left[:min(len(left), 3)] {
		text := fmt.Sprintf("%d (%s)", l.Part, filepath.Base(l.Of))
		if l.Why != "" {
			text += ": " + l.Why
		}
		said = append(said, text)
	}
	if n := len(left) - len(said); n > 0 {
		said = append(said, fmt.Sprintf("and %d more, which blossom status %s lists", n, told(p.over, p.folder)))
	}
	return problem.New(p.folder, "mend what is said and go on: blossom resume "+told(p.over, p.folder),
		"%d of %d parts are missing: %s", len(left), len(p.Shards), strings.Join(said, "; "))
}

// Why is the last line about a part that could not be made; "" where nobody has tried.
func (p *Plan) Why(part int) string {
	text, err := plain.ReadFile(p.failed(part), mostReceipt)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// ReadManifest reads that of a finished folder. The error is a Problem.
func ReadManifest(folder string) (*Manifest, error) {
	path := filepath.Join(folder, ManifestFile)
	text, err := plain.ReadFile(path, mostManifest)
	if err != nil {
		return nil, plain.Problem(err, path)
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil || m.Format != manifestFormat {
		return nil, problem.New(path, "finish the folder again: blossom resume "+folder, "is no manifest of parts")
	}
	if m.Version != manifestVersion {
		return nil, problem.New(path, "use the blossom that made it", "is of version %d, this program knows %d",
			m.Version, manifestVersion)
	}
	return m, nil
}
