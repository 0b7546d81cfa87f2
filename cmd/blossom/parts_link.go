package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/data/format"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// linkInParts clusters the points of files by single linkage in parts: the same to the last bit as without a runner.
func (o *clustering) linkInParts(ctx context.Context, inputs []string, metric linkage.Metric) error {
	l, p := &o.l, &o.parts
	if err := o.checkLinking(); err != nil {
		return err
	}
	options, err := p.options(o.app, o.options(nil))
	if err != nil {
		return err
	}
	r, _, err := p.checked(options)
	if err != nil {
		return err
	}
	if inputs, err = scale.Files(ctx, inputs); err != nil {
		return err
	}
	out := l.Output
	files, err := labelFiles(out, inputs)
	if err != nil {
		return err
	}
	named := cmp.Or(strings.TrimRight(out, `/\`), l.LinkageOut, l.TreeOut)
	report, end := o.progress()
	defer end()
	t := &scale.Linking{Wish: scale.Wish{Flags: &o.s, Paths: inputs, Folder: named + ".parts", Mixed: p.mixed,
		Most: p.most, Program: signature()}, Metric: metric, Algorithm: l.Algorithm, Report: report}
	t.Make = func(ctx context.Context, plan *scale.Plan) error {
		options.Progress = report.Stage("linking pairs")
		return p.epoch(ctx, plan, r, "pairs of parts", options)
	}
	if err := t.Check(); err != nil {
		return err
	}
	if files != nil { // labels of all inputs lie beside the parts until each has its own
		if err := os.MkdirAll(t.Folder, 0o777); err != nil {
			return plain.Problem(err, t.Folder)
		}
		defer os.Remove(t.Folder) // where nothing is left in it
		l.Output = filepath.Join(t.Folder, "labels.npy")
	}
	l.Linked, o.ranges = t.Linked, true
	w, err := o.compute(ctx, cmp.Or(l.Output, l.LinkageOut, l.TreeOut), inputs,
		o.stateOf((*job.Job).ForPoints, metric), l)
	if errors.Is(err, scale.ErrLater) {
		return nil
	}
	if err != nil || w == nil {
		return err
	}
	if files != nil {
		if err := o.splitLabels(ctx, inputs, files, t.Shards); err != nil {
			return err
		}
		os.Remove(l.Output)
	}
	l.Output = out
	t.Remove()
	end()
	return o.say(w)
}

// labelFiles are the files of labels of a folder, one for each input; nil where out is no folder.
func labelFiles(out string, inputs []string) ([]string, error) {
	if !export.IsFolder(out) {
		return nil, nil
	}
	files := export.InFolder(out, inputs, ".npy")
	for _, path := range files {
		if err := format.SameFile(path, inputs...); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// checkLinking says what no two parts can grant.
func (o *clustering) checkLinking() error {
	wrong := func(remedy, what string) error { return run.Usage{Err: problem.New("", remedy, "%s", what)} }
	switch l := &o.l; {
	case o.from.session != "" || o.from.print:
		return wrong("leave --runner out, or them", "--session and --print-job do not go with parts")
	case l.OfLandmarks:
		return wrong("leave --runner out: they are few", "--landmarks are not clustered in parts")
	case o.minSamples > 1:
		return wrong("leave it out, or --runner",
			"--min-samples asks for the neighbours of each row among all rows, which no two parts have")
	case l.Verify || l.Append || l.Each != "" || l.WithData:
		return wrong("leave --runner out, or them", "--verify, --append and --with-data do not go with parts")
	case o.parts.skip:
		return wrong("leave it out, and name the files that are sound", "--skip-bad would link some files alone")
	case l.Output != "" && !export.IsFolder(l.Output) && !strings.EqualFold(filepath.Ext(l.Output), ".npy"):
		return wrong("name a folder, or a .npy file", "labels of parts are written as .npy alone")
	}
	return nil
}

// splitLabels writes the labels of the rows of each input, which have shards in this order, into a file of its own.
func (o *clustering) splitLabels(ctx context.Context, inputs, files []string, shards []scale.Shard) error {
	folder := filepath.Dir(files[0])
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return plain.Problem(err, folder)
	}
	for i, path := range files {
		first, n, rows := shards[0], 0, 0
		for n < len(shards) && shards[n].Path == first.Path {
			rows += shards[n].Rows
			n++
		}
		err := format.AtomicWrite(path, func(w io.Writer) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return linkage.WriteLabels(w, o.l.Made.Labels[first.First:int(first.First)+rows])
		})
		if err != nil {
			return err
		}
		if name := filepath.Base(path); plainName(inputs[i]) != plainName(name) {
			o.l.Made.Notes = append(o.l.Made.Notes, inputs[i]+": its labels are "+name)
		}
		shards = shards[n:]
	}
	return nil
}

// plainName is the name of a file without its folder and extension.
func plainName(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
