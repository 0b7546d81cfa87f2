package scale

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/maps/pyramid"
)

// Kept is a file of a finished folder that is not of one part: the sample, its map, the job that a window opens, how
// many points lie where.
type Kept struct {
	File   string `json:"file"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// soonRead is the size up to which the bytes of a file are looked at where nobody has asked for it: 50 ms.
const soonRead = 64 << 20

// keep notes the files of the folder that are not of one part, as they are now.
func (m *Manifest) keep(ctx context.Context, p *Plan) error {
	for _, name := range []string{LayoutFile, LaidMap, SampleFile, ShownFile} {
		if !isFile(filepath.Join(p.folder, name)) {
			continue
		}
		sum, size, err := p.sums.hash(ctx, filepath.Join(p.folder, name))
		if err != nil {
			return err
		}
		m.Kept = append(m.Kept, Kept{name, size, sum})
	}
	if p.Frame == nil {
		return nil
	}
	for try := 0; ; try++ { // somebody else may just put the same in its place, as a whole
		density, err := keptDensity(ctx, &p.sums, p.folder)
		if err == nil {
			m.Kept = append(m.Kept, density...)
			return nil
		}
		if ctx.Err() != nil || try == mostTries || !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

const mostTries = 100

// keptDensity are the files of the pyramid in a folder.
func keptDensity(ctx context.Context, all *sums, folder string) (kept []Kept, err error) {
	d, err := pyramid.Open(filepath.Join(folder, PyramidFolder))
	if err != nil {
		return nil, err
	}
	for _, name := range d.Files() {
		sum, size, err := all.hash(ctx, filepath.Join(folder, PyramidFolder, name))
		if err != nil {
			return nil, err
		}
		kept = append(kept, Kept{path.Join(PyramidFolder, name), size, sum})
	}
	return kept, nil
}

// counts says whether the file is the head of a pyramid.
func (k Kept) counts() bool { return k.File == path.Join(PyramidFolder, pyramid.HeadFile) }

// joined says whether what is made of all parts is there to the last byte, as an earlier manifest of the same parts
// says: the same parts make the same. m is told what that says of it.
func (m *Manifest) joined(ctx context.Context, p *Plan) bool {
	before, err := ReadManifest(p.folder)
	if err != nil || before.Plan != p.sum || len(before.Skipped)+len(m.Skipped) > 0 ||
		!slices.Equal(before.Parts, m.Parts) {
		return false
	}
	whole := map[string]bool{}
	for _, k := range before.Kept {
		if k.Size < 0 || k.flaw(ctx, p, true) != "" {
			return false
		}
		whole[k.File] = true
	}
	m.Shown = before.Shown
	return ctx.Err() == nil && (p.Frame == nil || whole[path.Join(PyramidFolder, pyramid.HeadFile)]) &&
		(p.Shown == 0 || whole[SampleFile] && whole[ShownFile])
}

// Flaw is a file that is not as it was written.
type Flaw struct {
	File string `json:"file"`
	What string `json:"what"`
}

// isGone is what a Flaw says of a file that is not there.
const isGone = "is missing"

// Gone says whether the file is not there.
func (f Flaw) Gone() bool { return f.What == isGone }

// Damaged are the files of a finished folder that are not as the manifest says. The size is looked at, and the bytes of
// small files; all says of all, of those of parts, too. The error is ctx's, or a Problem.
func Damaged(ctx context.Context, p *Plan, all bool, report func(done, total int64)) (flaws []Flaw, err error) {
	m, err := ReadManifest(p.folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && m.Plan != p.sum {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	files, kept := m.Kept, len(m.Kept)
	needed := all && !p.merged(ctx) // parts are
	if needed {
		files = append(slices.Clip(files), m.files(p)...)
	}
	for i, k := range files {
		if report != nil {
			report(int64(i), int64(len(files)))
		}
		what := k.flaw(ctx, p, all)
		if i < kept && k.Size < 0 {
			what = "has a size below 0 in the manifest"
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if what != "" {
			flaws = append(flaws, Flaw{k.File, what})
		}
	}
	return flaws, nil
}

// besides are the files that a part has beside its own, by its receipt: a sample of its rows, and their counts.
func (r Receipt) besides(p *Plan) (files []Kept) {
	if p.Shown > 0 && r.Sampled > 0 {
		files = append(files, Kept{filepath.Join(partsFolder, filepath.Base(p.sample(r.Part))), -1, r.Sample})
	}
	if p.Frame != nil {
		files = append(files, Kept{filepath.Join(partsFolder, filepath.Base(p.countsOf(r.Part))), -1, r.Counts})
	}
	return files
}

// files are those of the parts that a manifest lists: each, and what its receipt says of those beside it. Their
// sizes are not known.
func (m *Manifest) files(p *Plan) (files []Kept) {
	numbers, first := map[int64]int{}, int64(0) // by the first row; of several, the last has some
	for i, s := range p.Shards {
		numbers[first] = i
		first += int64(s.Rows)
	}
	for _, made := range m.Parts {
		if made.File != "" && made.SHA256 != "" {
			files = append(files, Kept{File: filepath.FromSlash(made.File), Size: -1, SHA256: made.SHA256})
		}
		part, known := numbers[made.First]
		if r, ok := received(p.receipt(part)); known && ok && r.of(p, part) && p.kind().Written != nil {
			files = append(files, p.kind().Written(r, p)...)
		}
	}
	return files
}

// flaw says what is wrong with a file, "" for nothing; once ctx has ended, anything. A size below 0 is not known: of a
// part, which may be a link to where there is room.
func (k Kept) flaw(ctx context.Context, p *Plan, all bool) string {
	if !filepath.IsLocal(k.File) {
		return "is no file of the folder"
	}
	look, path := os.Lstat, filepath.Join(p.folder, k.File)
	if k.Size < 0 {
		look = os.Stat
	}
	st, err := look(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return isGone
	case err != nil:
		return unreadable(err, path)
	case !st.Mode().IsRegular():
		return "is no plain file"
	case k.Size >= 0 && st.Size() != k.Size:
		return "has " + problem.Grouped(st.Size()) + " of " + problem.Grouped(k.Size) + " bytes"
	case st.Size() > soonRead && !all:
		return ""
	}
	sum, _, err := p.sums.hash(ctx, path)
	if err != nil {
		return unreadable(err, path)
	}
	if sum != k.SHA256 {
		return "has other bytes than were written"
	}
	return ""
}

// unreadable is the flaw of a file that an error keeps from being read.
func unreadable(err error, path string) string {
	return "cannot be read: " + problem.As(plain.Problem(err, path)).What
}
