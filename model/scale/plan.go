// Package scale computes a job over many files, a part of it for each: on one machine with the memory of one part, or
// by a scheduler on many. A Plan says what every part is; a part is whole when its Receipt is there; Finish makes a
// Manifest of all receipts. What places parts, retries and orders them is a Runner. Parts give the bytes of one run
// over all files, in any order, anywhere, also twice. See docs/scale.md.
package scale

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"blossom/model/base/bounded"
	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/job"
	"blossom/model/maps/pyramid"
)

// PlanFile is the name of a plan in its folder.
const PlanFile = "plan.json"

const (
	planFormat  = "blossom plan"
	planVersion = 1
	planRemedy  = "give the folder that blossom embed -o FOLDER/ has made, or its " + PlanFile
	mostPlan    = 1 << 30 // bytes: more is no plan
	mostShards  = 1_000_000
)

// Plan says what is computed of each of many files. It never changes once it is written.
type Plan struct {
	Format      string `json:"format"`
	Version     int    `json:"version"`
	Program     string `json:"program"`     // name and version of the program that made it
	Fingerprint string `json:"fingerprint"` // see Fingerprint
	Mixed       bool   `json:"mixed,omitempty"`
	Output      string `json:"output"` // the extension of the files of the parts: ".npy"; "": they have none
	Shown       int    `json:"shown"`  // rows of the sample that a window shows
	// Frame is the square of the map that points are counted in; nil: they are not, as the map is none of a plane.
	Frame *pyramid.Frame `json:"frame,omitempty"`
	// Layout makes the map of a sample that the rows of the parts are placed in; nil: that is there, or none is needed.
	Layout *job.Job `json:"layout,omitempty"`
	// Map is the SHA-256 of the plan of the map whose rows are called something; "": that is not what is made.
	Map    string `json:"of,omitempty"`
	Shards []Shard
	Jobs   []*job.Job

	folder string // where it is
	over   string // the folder of the plan which it is made for; "": nobody's but its own
	sum    string // SHA-256 of its file
	sums   sums
	laid   *laid // the map, where Layout has made it
}

// Shard is a file of the data, of which a part is made.
type Shard struct {
	Path    string `json:"path"` // absolute, or of the folder of the plan
	Size    int64  `json:"size"` // bytes
	Written string `json:"written"`
	Rows    int    `json:"rows"`           // so many are in the part
	From    int64  `json:"from,omitempty"` // the first of them in the file
	Whole   int64  `json:"of,omitempty"`   // rows of a file that has further parts; 0: the part is all of it
	// Span is where they lie in it; nil: they are found by their numbers.
	Span *format.Span `json:"span,omitempty"`
	Job  int          `json:"job,omitempty"` // which of the jobs
	// With is another shard, whose rows are taken together with these; nil: there is none.
	With  *Shard `json:"with,omitempty"`
	First int64  `json:"first,omitempty"` // the number of the first row among all, where a kind asks for that
}

// onDisk is a plan as it is stored.
type onDisk struct {
	Format      string            `json:"format"`
	Version     int               `json:"version"`
	Program     string            `json:"program"`
	Fingerprint string            `json:"fingerprint"`
	Mixed       bool              `json:"mixed,omitempty"`
	Output      string            `json:"output"`
	Shown       int               `json:"shown"`
	Frame       *pyramid.Frame    `json:"frame,omitempty"`
	Layout      json.RawMessage   `json:"layout,omitempty"`
	Of          string            `json:"of,omitempty"`
	Shards      []Shard           `json:"shards"`
	Jobs        []json.RawMessage `json:"jobs"`
}

// Fingerprint is what results depend on beside the job to the last bit: the kind of processor, the engine and its
// variant, and the program. system is GOOS/GOARCH.
func Fingerprint(e job.Engine, program string) string {
	name := e.Kind
	if e.Variant != "" {
		name += "/" + e.Variant
	}
	return strings.Join([]string{runtime.GOARCH, name, program}, " ")
}

// Folder is where the plan and its parts are.
func (p *Plan) Folder() string { return p.folder }

// told is the folder that people are told of: what is made for the plan in another goes on by commands on that.
func told(over, folder string) string { return cmp.Or(over, folder) }

// Sum is the SHA-256 of the plan as it is written, hexadecimal.
func (p *Plan) Sum() string { return p.sum }

// Rows are those of all shards.
func (p *Plan) Rows() (n int64) {
	for _, s := range p.Shards {
		n += int64(s.Rows)
	}
	return n
}

// Write puts the plan into its folder, which is made. A folder that has this plan already stays as it is; one that has
// another, or other files, is refused.
func (p *Plan) Write(folder string) error {
	text, err := p.encode()
	if err != nil {
		return err
	}
	p.folder, p.sum = folder, sumOf(text)
	for {
		there, err := p.isThere(text)
		if there {
			_ = (&Layout{Of: p}).read(context.Background(), false)
		}
		if err != nil || there {
			return err
		}
		if err := os.MkdirAll(filepath.Join(folder, partsFolder), 0o777); err != nil {
			return plain.Problem(err, folder)
		}
		err = format.AtomicCreate(filepath.Join(folder, PlanFile), func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
		if !errors.Is(err, fs.ErrExist) { // else somebody has made it meanwhile, perhaps the same
			return err
		}
	}
}

// in says whether a folder has this plan, whose paths are the same from all folders within one.
func (p *Plan) in(folder string) bool {
	text, err := p.encode()
	if err != nil {
		return false
	}
	had, err := plain.ReadFile(filepath.Join(folder, PlanFile), mostPlan)
	return err == nil && bytes.Equal(had, text)
}

// ErrOther is why a plan is not put where another one is.
var ErrOther = errors.New("another plan is there")

// isThere says whether the folder has the plan of that text. That it has another one, or other files, is a Problem.
func (p *Plan) isThere(text []byte) (bool, error) {
	other := hasOther(p.folder) // before the plan is looked for, beside which anything may be
	path := filepath.Join(p.folder, PlanFile)
	switch had, err := plain.ReadFile(path, mostPlan); {
	case err == nil && bytes.Equal(had, text):
		return true, nil
	case err == nil:
		return false, problem.Wrap(ErrOther, p.folder,
			"choose another folder, or go on with its plan: blossom resume "+p.folder, "has the plan of other work")
	case !errors.Is(err, fs.ErrNotExist):
		return false, plain.Problem(err, path)
	}
	if other {
		return false, problem.New(p.folder, "choose a new or an empty folder", "has other files in it")
	}
	return false, nil
}

// hasOther says whether a folder has anything but what a program leaves there that is planning, or was killed then.
func hasOther(folder string) bool {
	names, _ := os.ReadDir(folder)
	return slices.ContainsFunc(names, func(n os.DirEntry) bool {
		if n.Name() != partsFolder {
			return !format.Unfinished(n.Name())
		}
		parts, err := os.ReadDir(filepath.Join(folder, partsFolder))
		return err != nil || len(parts) > 0
	})
}

func (p *Plan) encode() ([]byte, error) {
	d := onDisk{planFormat, planVersion, p.Program, p.Fingerprint, p.Mixed, p.Output, p.Shown, p.Frame, nil, p.Map,
		p.Shards, nil}
	if p.Layout != nil { // the frame is that of the map, which is made later
		var b bytes.Buffer
		if err := p.Layout.Write(&b); err != nil {
			return nil, err
		}
		d.Frame, d.Layout = nil, b.Bytes()
	}
	for _, j := range p.Jobs {
		var b bytes.Buffer
		if err := j.Write(&b); err != nil {
			return nil, err
		}
		d.Jobs = append(d.Jobs, b.Bytes())
	}
	var b bytes.Buffer
	text, err := marshal(d)
	if err == nil {
		err = json.Indent(&b, text, "", " ")
	}
	return b.Bytes(), err
}

// marshal is JSON with <, > and & as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Open reads the plan at path, which is its file or its folder; of that of a training it is the plan of the epoch under
// way. The error is a Problem.
func Open(path string) (*Plan, error) {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		path = filepath.Join(underWay(path), PlanFile)
	}
	text, err := plain.ReadFile(path, mostPlan)
	if err != nil {
		return nil, plain.Problem(err, path)
	}
	bad := func(remedy, format string, args ...any) error { return problem.New(path, remedy, format, args...) }
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil || head.Format != planFormat {
		return nil, bad(planRemedy, "is no plan")
	}
	if head.Version != planVersion {
		return nil, bad("use the blossom that made it", "is a plan of version %d, this program knows %d", head.Version,
			planVersion)
	}
	var d onDisk
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return nil, bad(planRemedy, "makes no sense: %s", bounded.Flaw(err))
	}
	p := &Plan{Format: d.Format, Version: d.Version, Program: d.Program, Fingerprint: d.Fingerprint, Mixed: d.Mixed,
		Output: d.Output, Shown: d.Shown, Frame: d.Frame, Map: d.Of, Shards: d.Shards, folder: filepath.Dir(path),
		sum: sumOf(text)}
	for _, raw := range d.Jobs {
		j, err := job.Read(bytes.NewReader(raw), path)
		if err != nil {
			return nil, err
		}
		p.Jobs = append(p.Jobs, j)
	}
	if len(d.Layout) > 0 {
		if p.Layout, err = job.Read(bytes.NewReader(d.Layout), path); err != nil {
			return nil, err
		}
	}
	if flaw := p.flaw(); flaw != "" {
		return nil, bad(planRemedy, "%s", flaw)
	}
	_ = (&Layout{Of: p}).read(context.Background(), false)
	return p, nil
}

// flaw says what is wrong with a plan that was read, "" if nothing is.
func (p *Plan) flaw() string {
	switch {
	case len(p.Shards) == 0 || len(p.Shards) > mostShards || len(p.Jobs) == 0:
		return "it has no parts"
	case !p.kind().writes(p.Output):
		return "its parts cannot be written"
	case flawOfShards(p.Shards, len(p.Jobs), p.kind().Second != nil) != "":
		return flawOfShards(p.Shards, len(p.Jobs), p.kind().Second != nil)
	case slices.ContainsFunc(p.Jobs, func(j *job.Job) bool {
		k, made := kindOf(j)
		return !made || len(j.Data) != 1 || k.ID != p.kind().ID
	}):
		return "a job of it is none of a part"
	case p.Layout != nil && (&Layout{Of: p}).flaw() != "":
		return (&Layout{Of: p}).flaw()
	case p.kind().Flaw != nil:
		return p.kind().Flaw(p)
	}
	return ""
}

// flawOfShards says what is wrong with those of a plan of so many jobs, which may be pairs, "" if nothing is.
func flawOfShards(of []Shard, jobs int, paired bool) string {
	for _, s := range of {
		flaw := s.flaw(jobs)
		if flaw == "" && s.With != nil {
			if flaw = s.With.flaw(jobs); s.With.With != nil || !paired {
				flaw = "a part of it has more files than it is made of"
			}
		}
		if flaw != "" {
			return flaw
		}
	}
	return ""
}

// flaw says what is wrong with a shard of a plan of so many jobs, "" if nothing is.
func (s *Shard) flaw(jobs int) string {
	switch {
	case s.Job < 0 || s.Job >= jobs || s.Path == "":
		return "a part of it has no job"
	case s.Rows < 0 || s.Size < 0 || s.First < 0:
		return "a part of it has fewer rows or bytes than none"
	case s.From < 0 || s.Whole < 0 || s.Whole > 0 && s.From > s.Whole-int64(s.Rows) || s.Whole == 0 && s.From > 0:
		return "a part of it has rows beyond those of its file"
	}
	return ""
}

// at is the path of a shard from here.
func (p *Plan) at(s Shard) string { return found(p.folder, s.Path) }

// found is a path from here that is absolute, or of the folder of a plan.
func found(of, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	folder, err := real(of)
	if err != nil {
		folder = of
	}
	return filepath.Join(folder, path)
}

// shardOf is the shard of a file, as it is now, in a plan that will be in folder. The error is a Problem.
func shardOf(path, folder string) (Shard, error) {
	st, err := os.Stat(path)
	if err != nil {
		return Shard{}, plain.Problem(err, path)
	}
	s := Shard{Path: filepath.Clean(path), Size: st.Size(), Written: written(st)}
	if !filepath.IsAbs(path) {
		if s.Path, err = from(folder, path); err != nil {
			return s, plain.Problem(err, path)
		}
	}
	if !utf8.ValidString(s.Path) {
		return s, problem.New(strings.ToValidUTF8(path, "\uFFFD"), "rename it",
			"has a name, or a folder, that is not UTF-8, which a plan cannot hold")
	}
	return s, nil
}

// from is the path to a file from a folder, which need not be there yet, behind all links: what is above a folder is
// above where a link to it leads. It is absolute where no path leads from one to the other.
func from(folder, path string) (string, error) {
	at, err := real(folder)
	if err != nil {
		return "", err
	}
	dir, err := real(filepath.Dir(path)) // the file may be a link, whose name says more
	if err != nil {
		return "", err
	}
	full := filepath.Join(dir, filepath.Base(path))
	if to, err := filepath.Rel(at, full); err == nil {
		return to, nil
	}
	return full, nil // on another drive
}

// real is an absolute path without links, as far as it is there.
func real(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if found, err := filepath.EvalSymlinks(full); err == nil || filepath.Dir(full) == full {
		return found, err
	}
	up, err := real(filepath.Dir(full))
	return filepath.Join(up, filepath.Base(full)), err
}

func written(st os.FileInfo) string { return st.ModTime().UTC().Format(time.RFC3339Nano) }

// unchanged says why a shard is not the file that the plan is of.
func (p *Plan) unchanged(s Shard) error {
	path := p.at(s)
	st, err := os.Stat(path)
	if err != nil {
		return plain.Problem(err, path)
	}
	if st.Size() != s.Size || written(st) != s.Written {
		return problem.New(path, "plan anew, into another folder",
			"has changed since the plan was made (%d bytes of %s, now %d of %s)", s.Size, s.Written, st.Size(),
			written(st))
	}
	if s.With != nil {
		return p.unchanged(*s.With)
	}
	return nil
}
