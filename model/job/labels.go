package job

import (
	"cmp"
	"context"

	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/run"
)

// Labels wants clusters of the points by single linkage, with the metric and the least number of samples of the state,
// and the hierarchy itself. Without a cut of its own labels are those that a window with the state shows.
type Labels struct {
	Output     string   `json:"output,omitempty"` // labels
	NClusters  *int     `json:"n_clusters,omitempty"`
	Distance   *float64 `json:"distance,omitempty"`
	MinSize    *int     `json:"min_size,omitempty"`
	LinkageOut string   `json:"linkage_out,omitempty"`
	TreeOut    string   `json:"mst_out,omitempty"`
	Algorithm  string   `json:"algorithm,omitempty"`
	K          int      `json:"k,omitempty"`
	Verify     bool     `json:"verify,omitempty"`

	Made *run.Clustered `json:"-"`
}

func init() { Register(Kind{"labels", func() Want { return &Labels{} }}) }

// WantLabels wants what o says. Its metric and samples become the state's, unless the state is that of a session.
func (j *Job) WantLabels(o *run.Clustering, session bool) (*Labels, error) {
	l := &Labels{Output: o.Labels, LinkageOut: o.ZFile, TreeOut: o.TreeFile, Algorithm: o.Algorithm, K: o.K,
		Verify: o.Verify}
	for _, cut := range o.Cuts {
		switch cut {
		case "n-clusters":
			l.NClusters = &o.Number
		case "distance":
			l.Distance = &o.Distance
		case "min-size":
			l.MinSize = &o.MinSize
		}
	}
	j.Want(l)
	if session {
		return l, nil
	}
	metric, err := linkage.ParseMetric(o.Metric)
	if err != nil {
		return nil, run.Usage{Err: err}
	}
	var now state.State
	parts.Clusters.Put(&now, parts.ClusterChoice{Metric: metric, MinSamples: o.MinSamples})
	return l, j.PutState(now, "clusters")
}

// What is the ID of the kind.
func (l *Labels) What() string { return "labels" }

// Paths are the files that it names.
func (l *Labels) Paths() (written, read []*string) {
	return []*string{&l.Output, &l.LinkageOut, &l.TreeOut}, nil
}

// clustering is the wish with what the state says.
func (l *Labels) clustering(v parts.ClusterChoice) *run.Clustering {
	o := &run.Clustering{Labels: l.Output, ZFile: l.LinkageOut, TreeFile: l.TreeOut, K: l.K, Verify: l.Verify,
		Algorithm: cmp.Or(l.Algorithm, linkage.Default), Metric: v.Metric.String(), MinSamples: max(1, v.MinSamples),
		AsState: true}
	if l.NClusters != nil {
		o.Cuts, o.Number = append(o.Cuts, "n-clusters"), *l.NClusters
	}
	if l.Distance != nil {
		o.Cuts, o.Distance = append(o.Cuts, "distance"), *l.Distance
	}
	if l.MinSize != nil {
		o.Cuts, o.MinSize = append(o.Cuts, "min-size"), *l.MinSize
	}
	return o
}

// Check says what is wrong with the wish.
func (l *Labels) Check() error {
	if l.Output == "" && l.LinkageOut == "" && l.TreeOut == "" {
		return problem.New("", "name an output, linkage_out or mst_out", "no output is named")
	}
	return l.clustering(parts.ClusterChoice{}).Check()
}

// Make clusters the points.
func (l *Labels) Make(ctx context.Context, w *Work) error {
	if err := w.Space(ctx); err != nil {
		return run.Wrong(ctx, err)
	}
	v := parts.Clusters.Of(w.Parts)
	o := l.clustering(v)
	made, err := run.Cluster(ctx, w.Points, &w.Engines, w.Job.Engine.Kind, o, v.OfPoints(), w.Options.Engine.Threads,
		w.Seed, w.Report)
	if err != nil {
		return err
	}
	made.Notes = append(w.notes[:len(w.notes):len(w.notes)], made.Notes...)
	w.Notes = append(w.Notes, made.Notes...)
	l.Made = made
	return made.Save(ctx, o, w.Report)
}
