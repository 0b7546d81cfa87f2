package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec/optimized"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/spark"

	"blossom/model/base/problem"
	"blossom/model/scale"
)

// ours are the runners of blossom that this program serves; Beam knows them by the same names.
var ours = []string{"prism", "flink", "spark", "dataflow"}

// words are what chooses one of them.
func words() (out []string) {
	for _, word := range scale.Runners() {
		if id, _, _ := strings.Cut(word, ":"); slices.Contains(ours, id) {
			out = append(out, word)
		}
	}
	return out
}

// lacking is an end of the pipeline without all of the parts.
type lacking struct{ error }

// launch makes the missing parts of a plan and waits for them. The error is a Problem, a Usage, lacking, or ctx's.
func launch(ctx context.Context, o Options) error {
	if o.plan == "" {
		return usage("give --plan out/plan.json", "no plan is named")
	}
	r, address, err := scale.RunnerOf(o.runner)
	if err == nil && !slices.Contains(ours, r.ID) {
		err = usage("use "+problem.OneOf(words()...), "%q is no runner of Beam", o.runner)
	}
	if err != nil {
		return err
	}
	path, err := filepath.Abs(o.plan)
	if err != nil {
		return err
	}
	plan, err := scale.Open(path)
	if err != nil {
		return err
	}
	parts, err := plan.Missing(ctx, true, nil)
	if err != nil || len(parts) == 0 {
		return err
	}
	if err := place(ctx, r.ID, address); err != nil {
		return err
	}
	remove := tidy()
	defer remove()
	beam.Init()
	if !o.verbose {
		hush(remove)
	}
	m := &making{Plan: path, Sum: plan.Sum(), Threads: o.threads, Device: o.device}
	if err := follow(ctx, plan, r.ID, pipeline(m, parts), o); err != nil {
		return err
	}
	left, err := plan.Missing(ctx, false, nil)
	if err == nil && len(left) > 0 {
		err = lacking{problem.New(plan.Folder(), "blossom status says why", "%d of %d parts are missing", len(left),
			len(plan.Shards))}
	}
	return err
}

// place says where the job service is, and what workers run: this program, by itself where all of them see it, as they
// have to see the plan; else as the image of --environment_type and --environment_config has it.
func place(ctx context.Context, runner, address string) error {
	self, err := os.Executable()
	if err != nil {
		return problem.Wrap(err, "", "start it by its full path", "this program does not know where it lies (%v)", err)
	}
	*jobopts.WorkerBinary = cmp.Or(*jobopts.WorkerBinary, self) // Beam would compile one, without the kernels in C
	*jobopts.JobName = cmp.Or(*jobopts.JobName, "blossom-"+strings.ToLower(rand.Text()))
	if address == "" {
		return nil // Prism in this process, or a cloud
	}
	*jobopts.Endpoint = address
	if *jobopts.EnvironmentType == "" {
		config, err := json.Marshal(map[string]string{"command": *jobopts.WorkerBinary})
		if err != nil {
			return err
		}
		*jobopts.EnvironmentType, *jobopts.EnvironmentConfig = "PROCESS", string(config)
	}
	return answers(ctx, runner, address)
}

// tidy gives Beam a folder for temporary files, of which it leaves some, and returns what removes it.
func tidy() (remove func()) {
	dir, err := os.MkdirTemp("", "blossom-beam-")
	if err != nil {
		return func() {}
	}
	os.Setenv("TMPDIR", dir)
	return func() { os.RemoveAll(dir) }
}

// isDone is how long a pipeline has to end when all parts are there.
const isDone = 10 * time.Second

// follow runs a pipeline until it ends, nothing has gone on for too long, or ctx ends; then its job is taken back.
func follow(ctx context.Context, plan *scale.Plan, runner string, p *beam.Pipeline, o Options) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var failed error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		failed = runPipeline(inner, runner, p)
	}()
	err := plan.Watch(ctx, &scale.Options{Stall: o.stall}, "go on with any runner: blossom resume "+plan.Folder(),
		ended, nil)
	if err == nil {
		select {
		case <-ended:
			return failed
		case <-ctx.Done():
			err = ctx.Err()
		case <-time.After(isDone): // all parts are there, and it does not end
		}
	}
	takeBack()
	return err
}

// runPipeline is Beam's own, whose error is a page, or which panics.
func runPipeline(ctx context.Context, runner string, p *beam.Pipeline) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = problem.New("", "run blossom-beam with --verbose", "Beam has failed on %s: %.300s (%s)", runner,
				fmt.Sprint(r), at(debug.Stack()))
		}
	}()
	if _, err := beam.Run(ctx, runner, p); err != nil {
		return problem.Wrap(err, "", "go on with any runner: blossom resume", "%s: %s", runner, lineOf(err.Error()))
	}
	return nil
}

// at is the first place of a stack that is none of Go's own.
func at(stack []byte) string {
	for line := range strings.Lines(string(stack)) {
		if place := strings.TrimSpace(line); strings.Contains(place, "/beam/") && strings.Contains(place, ".go:") {
			file, _, _ := strings.Cut(filepath.Base(place), " ")
			return file
		}
	}
	return "somewhere"
}

// lineOf is the line of a page of Beam that says what is wrong: what a worker has said, else the last one, which is the
// innermost cause.
func lineOf(page string) string {
	if _, said, ok := strings.Cut(page, mark); ok {
		line, _, _ := strings.Cut(said, "\n")
		return strings.TrimSpace(line)
	}
	last := ""
	for line := range strings.Lines(page) {
		if text := strings.TrimSpace(line); text != "" {
			last = text
		}
	}
	return fmt.Sprintf("%.300s", last)
}
