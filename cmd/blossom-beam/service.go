package main

import (
	"context"
	"io"
	stdlog "log"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"blossom/model/base/problem"
)

// answers says why nobody answers at the address of a job service, which Beam would try for two minutes.
func answers(ctx context.Context, runner, address string) error {
	d := net.Dialer{Timeout: 5 * time.Second}
	c, err := d.DialContext(ctx, "tcp", address)
	switch {
	case err == nil:
		return c.Close()
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return problem.Wrap(err, "", "start it, or go on with another runner", "the job service of %s does not answer (%v)",
		runner, err)
}

// takeBack cancels the job of this program where it was submitted to a job service. What it has made stays.
func takeBack() {
	if *jobopts.Endpoint == "" {
		return // Dataflow, whose jobs its console cancels
	}
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	c, err := grpc.NewClient(*jobopts.Endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return
	}
	defer c.Close()
	service := jobpb.NewJobServiceClient(c)
	jobs, err := service.GetJobs(ctx, &jobpb.GetJobsRequest{})
	if err != nil {
		return
	}
	for _, j := range jobs.GetJobInfo() {
		if j.GetJobName() == *jobopts.JobName {
			_, _ = service.Cancel(ctx, &jobpb.CancelJobRequest{JobId: j.GetJobId()})
		}
	}
}

// heard is the log of Beam where nobody wants to see it: what ends the program is told in one line.
type heard struct {
	tidy func() // before the program is left
	exit func(code int)
}

// Log takes a message. Beam leaves the program after a fatal one, so this does, but takes the job back before.
func (h heard) Log(_ context.Context, s log.Severity, _ int, message string) {
	if s == log.SevFatal {
		takeBack()
		h.tidy()
		h.exit(report(os.Stderr, problem.New("", "run it again, or with --verbose", "Beam: %s", lineOf(message))))
	}
}

// hush keeps what Beam says off standard error. Beam sets its log up when it begins, so this comes after it. tidy is
// done where Beam wants to leave the program.
func hush(tidy func()) {
	stdlog.SetOutput(io.Discard)
	log.SetLogger(heard{tidy, os.Exit})
	slog.SetDefault(slog.New(slog.DiscardHandler))
}
