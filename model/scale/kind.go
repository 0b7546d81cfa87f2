package scale

import (
	"cmp"
	"context"
	"path/filepath"

	"blossom/model/base/registry"
	"blossom/model/data/format"
	"blossom/model/job"
)

// Kind is what parts make: the ID of what their jobs want. A member is a file of its own that registers it.
type Kind struct {
	ID        string
	Extension string // its files have this; "": that of a table
	// Check says what of a wish cannot be made in parts.
	Check func(w *Wish) error
	// Copy is a want of the kind that is another one for a part.
	Copy func(job.Want) job.Want
	// Around is the job of a part of a file, where that is not read as its data: want, of the kind, names the file,
	// whose own job j is. The error is a Problem. nil: it is the data of the job.
	Around func(w *Wish, j *job.Job, want job.Want) (*job.Job, error)
	// File is the file of such a job that a part is of, and Beside are the paths of others that the want names.
	File   func(want job.Want) *job.File
	Beside func(want job.Want) []*string
	// Second is the file of a want that the other shard of one is, which it is told of; nil: parts are of one shard.
	Second func(want job.Want, s Shard) *job.File
	// Step is what its plans make for a command that goes on by itself, as people know it; "": they are all.
	Step string
	Bare bool // parts need no file of their own: all that is made stands in their receipts
	// Agrees says that all engines and variants make the same bytes of a part, so that each machine may use its own.
	Agrees bool
	// Told tells a want the number, among all, of the first row of its part; nil: it does not ask.
	Told func(want job.Want, first int64)
	// Unchanged has files that are read again be those of the plan that they are of: rows are called something beside
	// where they lie.
	Unchanged bool
	// Prepare completes a plan, whose jobs are known; nil: there is nothing to be completed.
	Prepare func(p *Plan, w *Wish)
	// Flaw says what is wrong with a plan of the kind that was read, "" if nothing is; nil: nothing can be.
	Flaw func(p *Plan) string
	// Making begins a part, before its job is executed. want is what the job wants, of the kind.
	Making func(p *Plan, want job.Want) Making
	// Whole says whether what lies beside the file of a part is there; bytes: and has the bytes that the receipt says.
	// nil: nothing lies there.
	Whole func(ctx context.Context, p *Plan, r Receipt, bytes bool) bool
	// Written are the files that lie there, as the receipt has them, of no known size; nil: there are none.
	Written func(r Receipt, p *Plan) []Kept
	// Merge makes of the parts that are there what there is of all, in any order of the parts, before the manifest is
	// written, which may be told of it.
	Merge func(ctx context.Context, p *Plan, there []Receipt, m *Manifest) error
	// Merged says whether what there is of all is there and whole, and no part is needed any more. nil: it never is.
	Merged func(ctx context.Context, p *Plan) bool
}

// Making is a part that is made.
type Making interface {
	// Rows are those of the part, once its job has been executed, and how many of them are invalid.
	Rows(w *job.Work) (all, invalid int)
	// Keep writes what lies beside the file of the part, and notes it in the receipt.
	Keep(ctx context.Context, w *job.Work, r *Receipt) error
}

var making = registry.New("kind of parts", func(k Kind) string { return k.ID },
	func(a, b Kind) int { return cmp.Compare(a.ID, b.ID) })

// RegisterKind adds a kind. It panics if the ID is taken.
func RegisterKind(k Kind) { making.Add(k) }

// kindOf is the kind of the part that a job makes; false: it makes none.
func kindOf(j *job.Job) (Kind, bool) {
	if len(j.Wanted) != 1 {
		return Kind{}, false
	}
	return making.Find(j.Wanted[0].What())
}

// kind is that of all parts of the plan, the zero Kind of one that has none.
func (p *Plan) kind() Kind {
	if len(p.Jobs) == 0 {
		return Kind{}
	}
	k, _ := kindOf(p.Jobs[0])
	return k
}

// fingerprint is the Fingerprint of parts, of any engine where all agree.
func (k Kind) fingerprint(e job.Engine, program string) string {
	if k.Agrees {
		e = job.Engine{Kind: "any"}
	}
	return Fingerprint(e, program)
}

// file is that of a job which its part is of.
func (k Kind) file(j *job.Job) *job.File {
	if k.File == nil {
		return &j.Data[0]
	}
	return k.File(j.Wanted[0])
}

// merged says whether no part of the plan is needed any more.
func (p *Plan) merged(ctx context.Context) bool {
	k := p.kind()
	return k.Merged != nil && k.Merged(ctx, p)
}

// whole says whether what lies beside the file of a part is there.
func (p *Plan) whole(ctx context.Context, r Receipt, bytes bool) bool {
	k := p.kind()
	return k.Whole == nil || k.Whole(ctx, p, r, bytes)
}

// writes says whether there can be files of parts with an extension.
func (k Kind) writes(extension string) bool {
	if extension == "" {
		return k.Bare
	}
	return filepath.Base(extension) == extension && (k.Extension == extension ||
		k.Extension == "" && format.Writable("x"+extension) == nil)
}
