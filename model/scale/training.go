package scale

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"blossom/model/base/matrix"
	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
)

// Training makes the epochs of a training in parts: each epoch is a plan in a folder of its own, whose parts are the
// sums of the points of the files by the codebook that the epoch before has come to. The same training made once more
// goes on where it has stopped.
type Training struct {
	Wish // its Folder holds those of the epochs; Want and Output are of no meaning
	// Make has what is missing of a plan made, and finishes it: that of an epoch, from 0, of so many at most; of none,
	// that of a stage before them. ErrLater: something else will do so.
	Make func(ctx context.Context, p *Plan, epoch, of int, stage string) error
	// Report may be nil.
	Report run.Report

	surveyed *Plan // by which columns were looked at; nil: here they were
}

// ErrLater is the error of a training whose next epoch is made later.
var ErrLater = errors.New("the next epoch is made later")

// Names in the folder of a training: the landmarks that it begins with, and the folders of its epochs, from 0; before
// these, the space that deviations are of, and their folder, and those of the census.
const (
	startFile        = "start.json"
	epochFolder      = "epoch-%03d"
	spaceFile        = "space.json"
	deviationsFolder = "deviations"
	censusSpaceFile  = "census.json"
	censusFolder     = "census"
)

// Check says what of a training cannot be made in parts.
func (t *Training) Check() error {
	w := t.Wish
	w.Want = &job.Sums{}
	flags := *t.Flags
	flags.Origin.Landmarks = startFile
	w.Flags = &flags
	if t.Flags.Origin.EqualSamples {
		return run.Usage{Err: problem.New("", "leave it out", "--equal-samples takes some points of all files")}
	}
	if !t.Flags.Origin.ByPasses() {
		return run.Usage{Err: problem.New("", "use --algorithm "+problem.OneOf(run.ByPasses()...),
			"this training takes points in a random order, which parts of them have not")}
	}
	return w.check()
}

// Epochs is the run.Epochs of the training.
func (t *Training) Epochs(ctx context.Context, s *run.Start) (none matrix.Matrix32, err error) {
	first, err := t.first(ctx, s)
	if err != nil {
		return none, err
	}
	pass, err := s.Passes()
	if err != nil {
		return none, err
	}
	for e := 0; !pass.Progress().Rest; e++ {
		if err := t.epoch(ctx, s, first, pass, e); err != nil {
			return none, err
		}
	}
	return pass.Codebook().Clone(), nil
}

// epoch makes one, and takes its parts away, which are large.
func (t *Training) epoch(ctx context.Context, s *run.Start, first *Plan, pass *train.Passes, e int) error {
	p, err := first.by(pass)
	if err != nil {
		return err
	}
	if err := t.write(p, t.folder(e)); err != nil {
		return err
	}
	of := int(pass.Progress().Total / int64(max(1, s.Census.Rows)))
	if err := t.have(ctx, p, e, of, ""); err != nil {
		return err
	}
	sums, err := readSums(p.mergedFile(), s.File)
	if err != nil {
		return t.gone(p, plain.Problem(err, p.mergedFile()))
	}
	if !s.Census.Same(sums) {
		return problem.New(t.folder(e), "see that all files have the columns under the same names, or train on one "+
			"machine, without --runner", "the points of the files one by one are not those of all together")
	}
	if err := pass.Epoch(ctx, sums); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(p.folder, partsFolder))
}

// have has what is missing of a plan made, as Make says. The same training in another process may be faster: it takes
// the parts away once they are merged, and the folder once there are landmarks.
func (t *Training) have(ctx context.Context, p *Plan, epoch, of int, stage string) error {
	if p.merged(ctx) {
		return nil
	}
	err := t.Make(ctx, p, epoch, of, stage)
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrLater) {
		return err
	}
	if p.merged(ctx) {
		return nil
	}
	return t.gone(p, err)
}

// gone is err, or that the folder of a plan has gone, which is why.
func (t *Training) gone(p *Plan, err error) error {
	if IsFolder(p.folder) {
		return err
	}
	return problem.Wrap(err, t.Folder, "look whether the landmarks are there, and give the same command again if not",
		"has gone while it was in use: the same training, started twice, has ended elsewhere")
}

func (t *Training) folder(epoch int) string {
	return filepath.Join(t.Folder, fmt.Sprintf(epochFolder, epoch))
}

// write puts a plan into its folder, where that has not one of another training.
func (t *Training) write(p *Plan, folder string) error {
	err := p.Write(folder)
	if err != nil && IsFolder(folder) {
		return problem.Wrap(err, t.Folder, "remove this folder, or name another file with -o",
			"has what was made of another training, in %s", filepath.Base(folder))
	}
	return err
}

// underWay is the folder of the epoch under way in that of a training, or of the plan in that of a linking; of another
// one it is the folder itself.
func underWay(folder string) string {
	at := folder
	links := filepath.Join(folder, linksFolder)
	if _, err := os.Stat(filepath.Join(links, PlanFile)); err == nil {
		return links
	}
	if IsFolder(filepath.Join(folder, censusFolder)) {
		at = filepath.Join(folder, censusFolder)
	} else if _, err := os.Stat(filepath.Join(folder, spaceFile)); err == nil {
		at = filepath.Join(folder, deviationsFolder)
	} else if IsFolder(filepath.Join(folder, columnsFolder)) {
		at = filepath.Join(folder, columnsFolder)
	} else if _, err := os.Stat(filepath.Join(folder, startFile)); err != nil {
		return folder
	}
	for e := 0; ; e++ {
		next := filepath.Join(folder, fmt.Sprintf(epochFolder, e))
		if _, err := os.Stat(filepath.Join(next, PlanFile)); err != nil {
			return at
		}
		at = next
	}
}

// epochOf is which epoch of a training the plan in a folder is of, from 1; 0: of none.
func epochOf(folder string) (n int) {
	full := absolute(folder)
	if _, err := os.Stat(filepath.Join(filepath.Dir(full), startFile)); err != nil {
		return 0
	}
	if _, err := fmt.Sscanf(filepath.Base(full), epochFolder, &n); err != nil {
		return 0
	}
	return n + 1
}

// first is the plan of the first epoch, not written yet.
func (t *Training) first(ctx context.Context, s *run.Start) (*Plan, error) {
	start := filepath.Join(t.Folder, startFile)
	if err := os.MkdirAll(t.Folder, 0o777); err != nil {
		return nil, plain.Problem(err, t.Folder)
	}
	if err := format.AtomicWrite(start, s.File.Write); err != nil {
		return nil, err
	}
	return t.planned(ctx, start, t.folder(0), &job.Sums{Largest: s.Census.Largest}, sumsExt)
}

// planned is the plan of what is wanted of all files, in the space of the landmarks in a file. It is not written yet.
func (t *Training) planned(ctx context.Context, landmarks, folder string, want job.Want, ext string) (*Plan, error) {
	if err := t.unsurveyed(); err != nil {
		return nil, err
	}
	return t.inSpace(ctx, landmarks, folder, want, ext, t.Report)
}

// Deviations is the job.Landmarks.Deviations of the training: those of the columns of points that are not scaled, of
// all rows, which parts add up.
func (t *Training) Deviations(ctx context.Context, p *run.Points) ([]float64, error) {
	folder := filepath.Join(t.Folder, deviationsFolder)
	space, err := t.writeSpace(p, spaceFile)
	if err != nil {
		return nil, err
	}
	plan, err := t.planned(ctx, space, folder, &job.Deviations{}, momentsExt)
	if err == nil {
		err = t.write(plan, folder)
	}
	if err == nil {
		err = t.have(ctx, plan, 0, 0, "deviations")
	}
	if err != nil {
		return nil, err
	}
	all, err := readMoments(plan.mergedFile())
	if err != nil || len(all.Columns) != p.Table.X.Cols || all.Rows != int64(p.Data.Points) {
		return nil, problem.New(plan.mergedFile(), "remove this folder, and go on", "is not of all rows")
	}
	out := make([]float64, len(all.Columns))
	for j := range out {
		out[j] = all.Columns[j].Deviation()
	}
	return out, nil
}

// Counted is the job.Landmarks.Counted of the training: the points of all rows, which parts count.
func (t *Training) Counted(ctx context.Context, p *run.Points, drawn []uint32) (*run.Counted, error) {
	folder := filepath.Join(t.Folder, censusFolder)
	space, err := t.writeSpace(p, censusSpaceFile)
	if err != nil {
		return nil, err
	}
	want := &job.Census{}
	for _, row := range drawn {
		want.Drawn = binary.LittleEndian.AppendUint32(want.Drawn, row)
	}
	plan, err := t.planned(ctx, space, folder, want, censusExt)
	if err == nil {
		err = t.write(plan, folder)
	}
	if err == nil {
		err = t.have(ctx, plan, 0, 0, "first rows")
	}
	if err != nil {
		return nil, err
	}
	c, err := readCensus(plan.mergedFile())
	if err == nil {
		err = os.RemoveAll(filepath.Join(folder, partsFolder)) // as large as what is merged
	}
	return c, err
}

// by is the plan of the epoch under way of a training, not written yet.
func (p *Plan) by(t *train.Passes) (*Plan, error) {
	out := &Plan{Format: p.Format, Version: p.Version, Program: p.Program, Fingerprint: p.Fingerprint, Mixed: p.Mixed,
		Output: p.Output, Shards: p.Shards}
	for _, j := range p.Jobs {
		f, err := landmark.Read(bytes.NewReader(j.State["landmarks"].Value), p.folder)
		if err != nil {
			return nil, err
		}
		if f.Set, err = f.Set.WithCodebook(t.Codebook().Clone()); err != nil {
			return nil, err
		}
		var landmarks, text bytes.Buffer
		if err := f.Write(&landmarks); err != nil {
			return nil, err
		}
		if err := j.Write(&text); err != nil {
			return nil, err
		}
		next, err := job.Read(&text, p.folder)
		if err != nil {
			return nil, err
		}
		next.State["landmarks"] = state.Encoded{Version: j.State["landmarks"].Version,
			Value: json.RawMessage(bytes.TrimSpace(landmarks.Bytes()))}
		if salt, asked := t.Salt(); asked {
			next.Wanted[0].(*job.Sums).Salt = &salt
		}
		out.Jobs = append(out.Jobs, next)
	}
	return out, nil
}

// Remove takes the folder away, when the landmarks are there. Of what others have put into it nothing is.
func (t *Training) Remove() {
	epochs, _ := filepath.Glob(filepath.Join(t.Folder, "epoch-[0-9][0-9][0-9]*"))
	for _, folder := range epochs {
		_ = os.RemoveAll(folder)
	}
	for _, folder := range []string{columnsFolder, deviationsFolder, censusFolder} {
		_ = os.RemoveAll(filepath.Join(t.Folder, folder))
	}
	for _, name := range []string{spaceFile, censusSpaceFile} {
		_ = os.Remove(filepath.Join(t.Folder, name))
	}
	_ = os.Remove(filepath.Join(t.Folder, startFile))
	_ = os.Remove(t.Folder)
}
