package scale

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"blossom/model/base/par"
	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/job"
)

const partsFolder = "parts"

// Receipt says that a part is whole: it is written after the part's file.
type Receipt struct {
	Plan    string `json:"plan"` // SHA-256 of the plan
	Part    int    `json:"part"` // from 0
	Rows    int    `json:"rows"`
	Invalid int    `json:"invalid"`           // rows without a place
	Size    int64  `json:"size"`              // bytes of the file
	SHA256  string `json:"sha256"`            // hexadecimal, of the file
	Sampled int    `json:"sampled"`           // rows of it that may be of the sample
	Sample  string `json:"sample,omitempty"`  // SHA-256 of the file of those rows; "": there are none
	Counts  string `json:"counts,omitempty"`  // SHA-256 of the counts of its points
	Outside int    `json:"outside,omitempty"` // rows beyond the frame that points are counted in
	Layout  string `json:"layout,omitempty"`  // SHA-256 of what says in which map its rows are placed
	// Clusters are how many of its rows each cluster has; nil: it has none, or too many.
	Clusters []int64 `json:"clusters,omitempty"`
	// Called is how many of its rows each population has; nil: nobody has asked.
	Called *Called `json:"populations,omitempty"`
	// Said is what reading its rows told, the first of it, and SaidMore how much more that was.
	Said        []string `json:"said,omitempty"`
	SaidMore    int      `json:"said_more,omitempty"`
	Fingerprint string   `json:"fingerprint"`
	Host        string   `json:"host"`
}

const mostReceipt = 1 << 22 // there may be thousands of populations

// File is where the part of a number is written.
func (p *Plan) File(part int) string {
	return filepath.Join(p.folder, partsFolder, fmt.Sprintf("%06d%s", part, p.Output))
}

func (p *Plan) receipt(part int) string {
	return filepath.Join(p.folder, partsFolder, fmt.Sprintf("%06d.json", part))
}

// failed is where the error of a part's last try stands.
func (p *Plan) failed(part int) string {
	return filepath.Join(p.folder, partsFolder, fmt.Sprintf("%06d.error", part))
}

// Done returns the receipt of a part that is there and is of this plan; false: it has still to be made. The file is
// looked at by its size; it and what is beside it byte by byte, if whole says so.
func (p *Plan) Done(ctx context.Context, part int, whole bool) (r Receipt, ok bool) {
	if r, ok = received(p.receipt(part)); !ok || !r.of(p, part) || r.Layout != p.laid.in() {
		return r, false
	}
	return r, p.hasFile(ctx, r, whole) && p.whole(ctx, r, whole)
}

// received is the receipt in a file.
func received(path string) (r Receipt, ok bool) {
	text, err := plain.ReadFile(path, mostReceipt)
	ok = err == nil && json.Unmarshal(text, &r) == nil
	return r, ok
}

// of says whether it is the receipt of a part of this plan.
func (r Receipt) of(p *Plan, part int) bool {
	return r.Plan == p.sum && r.Part == part && r.Rows == p.Shards[part].Rows
}

// hasFile says whether the file of a part is there, if it has one. whole looks at its bytes.
func (p *Plan) hasFile(ctx context.Context, r Receipt, whole bool) bool {
	if p.Output == "" {
		return true
	}
	st, err := os.Stat(p.File(r.Part))
	if err != nil || st.Size() != r.Size || !whole {
		return err == nil && st.Size() == r.Size
	}
	sum, _, err := p.sums.hash(ctx, p.File(r.Part))
	return err == nil && sum == r.SHA256
}

// Missing are the parts that have still to be made. whole looks at all bytes of those that are there; report, which may
// be nil, is told how many have been looked at.
func (p *Plan) Missing(ctx context.Context, whole bool, report func(done, total int64)) (parts []int, err error) {
	if p.merged(ctx) {
		return nil, ctx.Err()
	}
	done, looked, lock := make([]bool, len(p.Shards)), int64(0), sync.Mutex{}
	err = par.Blocks(ctx, len(done), 1, func(i, _, _ int) { // sums take as long as the disk or a core lets them
		_, done[i] = p.Done(ctx, i, whole)
		lock.Lock()
		defer lock.Unlock()
		if looked++; report != nil {
			report(looked, int64(len(done)))
		}
	})
	if err == nil {
		err = ctx.Err() // it may be for this alone that a part is not done
	}
	if err != nil {
		return nil, err
	}
	for i, ok := range done {
		if !ok {
			parts = append(parts, i)
		}
	}
	return parts, nil
}

// Make makes a part, unless it is there and whole, and returns its receipt. It may be made twice, also at once: the
// bytes are the same. The error is a Problem, or ctx's, and is noted for Status.
func (p *Plan) Make(ctx context.Context, part int, o job.Options) (Receipt, error) {
	if part < 0 || part >= len(p.Shards) {
		return Receipt{}, problem.New(p.folder, fmt.Sprintf("parts are numbered from 0 to %d", len(p.Shards)-1),
			"there is no part %d", part)
	}
	if r, ok := p.Done(ctx, part, true); ok {
		return r, nil
	}
	if err := os.MkdirAll(filepath.Join(p.folder, partsFolder), 0o777); err != nil { // somebody may have removed it
		return Receipt{}, plain.Problem(err, p.folder)
	}
	r, err := p.make(ctx, part, o)
	if err == nil {
		os.Remove(p.failed(part))
		return r, nil
	}
	if ctx.Err() == nil { // Status shows one line of it
		failedOn(cmp.Or(host(), "this machine"), p.failed(part), problem.As(err).Error())
	}
	return r, err
}

// failedOn notes, in the file for that, on which machine a part could not be made, and why.
func failedOn(machine, file, why string) {
	_ = format.AtomicWrite(file, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s: %s\n", machine, why)
		return err
	})
}

func (p *Plan) make(ctx context.Context, part int, o job.Options) (r Receipt, err error) {
	s := p.Shards[part]
	if err := p.unchanged(s); err != nil {
		return r, err
	}
	if p.Layout != nil && p.laid == nil {
		return r, problem.New(p.folder, "make that first: blossom resume "+p.folder,
			"the map of the sample, in which its rows are placed, is not there")
	}
	j, err := p.job(part)
	if err != nil {
		return r, err
	}
	made := p.kind().Making(p, j.Wanted[0])
	o.Part = true
	w, err := job.Execute(ctx, j, o)
	if err != nil {
		return r, err
	}
	print := p.kind().fingerprint(w.Ran.Engine, o.Program)
	if !p.Mixed && print != p.Fingerprint {
		p.drop(ctx, part)
		return r, problem.New(p.folder,
			"use the same program and engine on all machines (--variant), or plan with --mixed",
			"the plan is of %q, and here is %q", p.Fingerprint, print)
	}
	if err := p.unchanged(s); err != nil { // while it was read
		p.drop(ctx, part)
		return r, err
	}
	r = Receipt{Plan: p.sum, Part: part, Layout: p.laid.in(), Fingerprint: print, Host: host()}
	r.Rows, r.Invalid = made.Rows(w)
	if r.Rows != s.Rows {
		p.drop(ctx, part)
		return r, problem.New(p.at(s), "plan anew, into another folder", "has %d rows, the plan says %d", r.Rows,
			s.Rows)
	}
	if p.Output != "" {
		if r.SHA256, r.Size, err = p.sums.hash(ctx, p.File(part)); err != nil {
			return r, err
		}
	}
	if err := made.Keep(ctx, w, &r); err != nil {
		return r, err
	}
	return r, p.keep(r)
}

// drop takes away what was written of a part that cannot be made here, unless somebody else has made it meanwhile.
func (p *Plan) drop(ctx context.Context, part int) {
	if _, ok := p.Done(ctx, part, true); !ok && p.Output != "" {
		os.Remove(p.File(part))
	}
}

func (p *Plan) keep(r Receipt) error {
	return format.AtomicWrite(p.receipt(r.Part), func(w io.Writer) error {
		text, err := json.Marshal(r)
		if err == nil {
			_, err = w.Write(append(text, '\n'))
		}
		return err
	})
}

// job is that of a part: the job of its shard, which writes the part's file.
func (p *Plan) job(part int) (*job.Job, error) {
	s := p.Shards[part]
	var text bytes.Buffer
	if err := p.Jobs[s.Job].Write(&text); err != nil {
		return nil, err
	}
	j, err := job.Read(&text, p.folder)
	if err != nil {
		return nil, err
	}
	if s.Whole > 0 {
		r := &p.kind().file(j).Reading
		r.From, r.Count, r.Span = s.From, int64(s.Rows), s.Span
	}
	p.kind().file(j).Path = p.at(s) // make looks at its size and its rows, and has other advice
	if second := p.kind().Second; second != nil {
		if f := second(j.Wanted[0], s); s.With != nil {
			*f = p.Jobs[s.With.Job].Data[0]
			f.Path = p.at(*s.With)
			if s.With.Whole > 0 {
				f.Reading.From, f.Reading.Count, f.Reading.Span = s.With.From, int64(s.With.Rows), s.With.Span
			}
		}
	}
	if told := p.kind().Told; told != nil {
		told(j.Wanted[0], p.first(part))
	}
	if k := p.kind(); k.File != nil {
		j.Data[0].Path = found(p.folder, j.Data[0].Path)
		for _, path := range k.Beside(j.Wanted[0]) {
			*path = found(p.folder, *path)
		}
	}
	if p.laid != nil {
		p.laid.of(j)
	}
	if p.Output != "" {
		written, _ := j.Wanted[0].Paths()
		*written[0] = p.File(part)
	}
	return j, nil
}

func host() string {
	name, _ := os.Hostname()
	return name
}
