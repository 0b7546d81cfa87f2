package job

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/carried"
	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/fingerprint"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/job/export"
	"blossom/model/job/run"
)

// recipe is the job by which a picture is made again, as the picture carries it: what was trained stands in its state,
// and its files have names and hashes in the place of paths.
// Outputs are named by what they are.
func recipe(names []string, j *Job) (*Job, error) {
	out := *j
	if out.State = maps.Clone(j.State); out.State == nil {
		out.State = map[string]state.Encoded{}
	}
	out.Data, out.Join, out.Wanted = slices.Clone(j.Data), slices.Clone(j.Join), nil
	taken := map[string]bool{}
	for i, f := range out.all() {
		f.Path = names[i]
	}
	for _, want := range j.Wanted {
		if l, trained := want.(*Landmarks); trained && l.Map != nil {
			var text bytes.Buffer
			if err := l.Map.File.Write(&text); err != nil {
				return nil, err
			}
			out.State["landmarks"] = state.Encoded{Version: 1, Value: json.RawMessage(bytes.TrimSpace(text.Bytes()))}
			continue
		}
		again, err := copied(want)
		if err != nil {
			return nil, err
		}
		written, read := again.Paths()
		for i, path := range written { // the same picture under another name has the same bytes
			if ext := filepath.Ext(*path); *path != "" {
				*path = free(taken, want.What()+strings.Repeat("-more", i), cmp.Or(ext, export.PictureEndings[0]))
			}
		}
		for _, path := range read {
			*path = session.Base(*path)
		}
		out.Wanted = append(out.Wanted, again)
	}
	return &out, nil
}

// free is a name that no other file of a job has, which is numbered from its second on.
func free(taken map[string]bool, name, ext string) string {
	out := name + ext
	for n := 2; taken[out]; n++ {
		out = fmt.Sprintf("%s-%d%s", name, n, ext)
	}
	taken[out] = true
	return out
}

// copied is what is wanted without what was made of it.
func copied(w Want) (Want, error) {
	text, err := encodeWant(w)
	if err != nil {
		return nil, err
	}
	return decodeWant(text)
}

// shortest are the names of files without their folders, as far as those do not tell them apart.
func shortest(paths []string) []string {
	out := make([]string, len(paths))
	for i, path := range paths {
		if source.Generated(path) || path == source.Standard {
			out[i] = path
			continue
		}
		pieces := strings.Split(filepath.ToSlash(path), "/")
		for n := 1; n <= len(pieces); n++ {
			out[i] = strings.Join(pieces[len(pieces)-n:], "/")
			if !slices.ContainsFunc(paths, func(p string) bool {
				return p != path && strings.HasSuffix("/"+filepath.ToSlash(p), "/"+out[i])
			}) {
				break
			}
		}
	}
	return out
}

// Hash takes the hashes of those files of the data that have none yet. left says in words which it leaves out, as they
// were written since they were read. The error is a Problem, or ctx's.
func (j *Job) Hash(ctx context.Context, report run.Report) (left []string, err error) {
	for _, f := range j.all() {
		if f.Size == 0 || f.SHA256 != "" {
			continue
		}
		var print fingerprint.Print
		if !f.rewritten() {
			if print, err = fingerprint.Whole(ctx, f.Path, report.Stage("hashing")); err != nil {
				return left, err
			}
		}
		if f.rewritten() { // perhaps while it was hashed
			left = append(left, session.Base(f.Path)+" was written since it was read: how to know it again is left out")
			continue
		}
		f.SHA256 = print.Whole
	}
	return left, nil
}

// carriedBy is a job as what it makes carries it; "" where it cannot be told, which is noted, as what has been drawn is
// worth more. The error is ctx's.
func carriedBy(ctx context.Context, w *Work) (text string, err error) {
	notes, err := w.Hash(ctx, w.Options.Report)
	if err == nil {
		text, err = w.Carried(w.Options.Program)
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		text, notes = "", append(notes, NotCarried(err))
	}
	for _, note := range notes {
		if !slices.Contains(w.Notes, note) {
			w.Notes = append(w.Notes, note)
		}
	}
	return text, nil
}

// NotCarried says why a file does not carry its job.
func NotCarried(err error) string {
	p := problem.As(err)
	return strings.TrimSpace("how it was made is not in the file: " + session.Base(p.File) + " " + p.What)
}

// Carried is the recipe of a job as a text that a picture carries. program is its name and version. The error is a
// Problem: it may be too large.
func (j *Job) Carried(program string) (string, error) {
	var paths []string
	for _, f := range j.all() {
		paths = append(paths, f.Path)
	}
	r, err := recipe(shortest(paths), j)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n", strings.ReplaceAll(program, "\n", " "))
	if err := r.Write(&b); err != nil {
		return "", err
	}
	text, err := carried.Text(b.Bytes())
	if err != nil {
		err = problem.Wrap(err, "", "leave it out with --no-recipe", "the job has more than %d MiB", carried.Most>>20)
	}
	return text, err
}

// Carrier is the job that a file carries, a picture or another, and the program that has put it there.
func Carrier(ctx context.Context, path string) (j *Job, program string, err error) {
	f, err := plain.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	return carriedIn(ctx, f, path)
}

func carriedIn(ctx context.Context, r io.Reader, name string) (*Job, string, error) {
	message, err := carried.In(ctx, r)
	const remedy = "take the file as blossom has written it"
	switch {
	case errors.Is(err, carried.ErrNone):
		return nil, "", problem.New(name, remedy, "it does not say how it was made: blossom has not written it, or "+
			"a program that changed it has left that out")
	case errors.Is(err, carried.ErrDamaged), errors.Is(err, carried.ErrLarge):
		return nil, "", problem.New(name, remedy, "what it says of how it was made is damaged")
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case err != nil:
		return nil, "", plain.Problem(err, name)
	}
	program, text, _ := bytes.Cut(message, []byte("\n"))
	j, err := Read(bytes.NewReader(text), name)
	if err != nil { // nobody can change it there
		return nil, "", problem.New(name, remedy, "what it says of how it was made cannot be used: %s",
			problem.As(err).What)
	}
	confine(j.all(), j.Wanted)
	return j, string(program), nil
}

// confine cuts paths of a job that came with a file from anywhere to names: what it reads lies in its folder or below,
// and what it writes in it.
func confine(files []*File, wanted []Want) {
	name := func(path *string) {
		if *path != "" && *path != source.Standard && !source.Generated(*path) {
			*path = session.Base(*path)
		}
	}
	for _, f := range files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
			name(&f.Path)
		}
	}
	for _, w := range wanted {
		written, read := w.Paths()
		for _, path := range slices.Concat(written, read) {
			name(path)
		}
	}
}

// Instead takes other files in the place of those of the data, in their order.
func (j *Job) Instead(paths []string) error {
	if len(paths) != len(j.Data) {
		return run.Usage{Err: problem.New(cmp.Or(j.name, "the job"), "give as many",
			"it is of %s, and --data names %d", problem.Count(len(j.Data), "file"), len(paths))}
	}
	for i, path := range paths {
		j.Data[i].Path = path
	}
	return nil
}

// lent is the session that a job in a folder has in it: the data, the state, and the look of a picture that is wanted.
func lent(folder string, j *Job) *session.Session {
	j.In(folder)
	var all []session.Place
	for _, f := range j.all() {
		p := session.Place{Path: f.Path}
		if f.SHA256 != "" {
			p.Print = &fingerprint.Print{Size: f.Size, Whole: f.SHA256}
		}
		all = append(all, p)
	}
	first := j.Data[0]
	d := session.Data{Path: all[0].Path, Print: all[0].Print, More: all[1:len(j.Data)], Subset: j.Subset,
		Max: first.Reading.MaxPoints, Sample: first.Reading.Sample, Seed: first.Reading.Seed, Match: &j.Match}
	if r := first.Reading.Reading; !r.IsZero() {
		d.Reading = &r
	}
	for i, p := range all[len(j.Data):] {
		more := session.Joined{Place: p}
		if r := j.Join[i].Reading.Reading; !r.IsZero() {
			more.Reading = &r
		}
		d.Joined = append(d.Joined, more)
	}
	return session.Lend(d, j.Seed, looked(j.State, j.Wanted))
}

// looked are the parts of a state, with the look of the last picture that is wanted where they have none.
func looked(now map[string]state.Encoded, wanted []Want) map[string]state.Encoded {
	out := maps.Clone(now)
	if out == nil {
		out = map[string]state.Encoded{}
	}
	if _, has := out["looks"]; has {
		return out
	}
	for _, want := range slices.Backward(wanted) {
		p, is := want.(*Picture)
		if f, film := want.(*Film); film {
			p, is = &f.Picture, true
		}
		if !is {
			continue
		}
		if p.Colour == "" && p.Draw == "" {
			break // the window chooses, too
		}
		table, err := json.Marshal(parts.LookTable{parts.FirstView: p.look()})
		if err == nil {
			out["looks"] = state.Encoded{Version: 1, Value: table}
		}
		break
	}
	return out
}

// look is how the points of a picture are coloured, as a view of a window has it.
func (p *Picture) look() parts.Look {
	l := parts.DefaultLook()
	l.Column, l.And, l.Palette, l.Reverse, l.Inks = p.Colour, p.And, p.Palette, p.Reverse, p.Inks
	l.Low, l.High, l.Spread, l.Size, l.Opacity = p.Percentiles[0], p.Percentiles[1], p.Scale, p.PointSize, p.Opacity
	l.Drawing = p.Drawing
	if p.Colour == "none" {
		l.Column = ""
	}
	if p.Ends[0] < p.Ends[1] {
		l.From, l.To, l.Of = p.Ends[0], p.Ends[1], l.Column
	}
	if p.Centre != nil {
		l.Centred, l.Centre = true, *p.Centre
	}
	return l
}

func init() {
	session.Register(session.Form{Sniff: isJob, Read: func(r io.Reader, name string) (*session.Session, error) {
		j, err := Read(r, name)
		if err != nil {
			return nil, err
		}
		return lent(filepath.Dir(name), j), nil
	}})
	session.Register(session.Form{
		Extensions: export.Carriers(), Sniff: isPicture,
		Read: func(r io.Reader, name string) (*session.Session, error) {
			j, _, err := carriedIn(context.Background(), r, name)
			if err != nil {
				return nil, err
			}
			return lent(filepath.Dir(name), j), nil
		}})
}

func isJob(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) &&
		bytes.Contains(head, []byte(`"`+fileFormat+`"`))
}

// isPicture knows the kinds of files that carry jobs, which hold no points. A page is one only where it carries a job.
func isPicture(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\x89PNG\r\n")) || bytes.HasPrefix(head, []byte("%PDF-")) || isSVG(head) ||
		bytes.HasPrefix(head, []byte("<!DOCTYPE html>")) && bytes.Contains(head, []byte(`<meta name="recipe"`)) ||
		isFilm(head)
}

// isSVG says whether the first element of a document is svg: what may stand before it is no element.
func isSVG(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for {
		head = bytes.TrimLeft(head, " \t\r\n")
		end := ""
		switch {
		case bytes.HasPrefix(head, []byte("<svg")):
			return len(head) == len("<svg") || strings.IndexByte(" \t\r\n/>", head[len("<svg")]) >= 0
		case bytes.HasPrefix(head, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(head, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(head, []byte("<!DOCTYPE svg")):
			end = ">"
		default:
			return false
		}
		_, rest, closed := bytes.Cut(head, []byte(end))
		if !closed {
			return false
		}
		head = rest
	}
}

// isFilm knows AVI, MP4 and WebM.
func isFilm(head []byte) bool {
	return len(head) >= 12 && (bytes.HasPrefix(head, []byte("RIFF")) && string(head[8:12]) == "AVI " ||
		string(head[4:8]) == "ftyp" || bytes.HasPrefix(head, []byte("\x1a\x45\xdf\xa3")))
}
