package main

import (
	"cmp"
	"context"
	"flag"
	"os"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"blossom/model/base/problem"
)

// A runner of Beam starts a worker with these, beside what Beam defines itself: see
// https://s.apache.org/beam-fn-api-container-contract
var (
	provision = flag.String("provision_endpoint", "", "of Beam, for workers")
	_         = flag.String("artifact_endpoint", "", "of Beam, for workers")
)

func valueOf(name string) string { return flag.Lookup(name).Value.String() }

// isWorker says whether Beam has started this program: from a container, or by itself as a process.
func isWorker() bool { return valueOf("worker") == "true" || *provision != "" }

// work is the life of a worker. Started as a process it asks the runner what a container would have asked, and ends
// with whoever has started it.
func work() error {
	if *provision != "" && valueOf("worker") != "true" {
		if err := introduce(); err != nil {
			return err
		}
		go func(parent int) {
			for os.Getppid() == parent {
				time.Sleep(time.Second)
			}
			os.Exit(exitFailed)
		}(os.Getppid())
	}
	beam.Init() // does not return
	return nil
}

// introduce asks the runner for the endpoints and the options of its worker.
func introduce() error {
	id := strings.Trim(valueOf("id"), "'") // Prism quotes it as for a shell
	ctx, cancel := context.WithTimeout(grpcx.WriteWorkerID(context.Background(), id), 2*time.Minute)
	defer cancel()
	info, err := tools.ProvisionInfo(ctx, *provision)
	if err != nil {
		return problem.Wrap(err, "", "see what the runner says", "a worker gets no answer of its runner (%v)", err)
	}
	options, err := tools.ProtoToJSON(info.GetPipelineOptions())
	if err != nil {
		return err
	}
	if url := info.GetStatusEndpoint().GetUrl(); url != "" {
		os.Setenv("STATUS_ENDPOINT", url)
	}
	if can := info.GetRunnerCapabilities(); len(can) > 0 {
		os.Setenv("RUNNER_CAPABILITIES", strings.Join(can, " "))
	}
	for name, value := range map[string]string{
		"worker": "true", "id": id, "options": options,
		"logging_endpoint": cmp.Or(info.GetLoggingEndpoint().GetUrl(), valueOf("logging_endpoint"), *provision),
		"control_endpoint": cmp.Or(info.GetControlEndpoint().GetUrl(), valueOf("control_endpoint"), *provision),
	} {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}
