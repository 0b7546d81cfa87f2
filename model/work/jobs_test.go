package work

import (
	"context"
	"testing"
)

func TestJobsReportCancelAndSurvivePanics(t *testing.T) {
	posts := make(chan func(), 10)
	var failed []error
	js := &Jobs{Post: func(f func()) { posts <- f }, Failed: func(err error) { failed = append(failed, err) }}
	applied := 0
	js.Start("fine", func(_ context.Context, j *Job) (func(), error) {
		j.Report(1, 4)
		return func() { applied++ }, nil
	})
	(<-posts)()
	js.Start("panics", func(context.Context, *Job) (func(), error) { panic("oh") })
	(<-posts)()
	j := js.Start("cancelled", func(ctx context.Context, _ *Job) (func(), error) {
		<-ctx.Done()
		return func() { applied++ }, ctx.Err()
	})
	j.Cancel()
	(<-posts)()
	if applied != 1 || len(failed) != 1 || len(js.List()) != 0 {
		t.Fatalf("applied %d, failed %v, left %d", applied, failed, len(js.List()))
	}
}
