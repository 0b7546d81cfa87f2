package scale

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// Other schedulers are given the text of a job that makes the parts, for somebody who knows the cluster. It is printed,
// nothing is submitted; blossom finish, or resume anywhere, comes after it.
func init() {
	Register(Runner{ID: "print", Title: "the file of a job for another scheduler, which is printed",
		Kinds: []string{"k8s", "sge", "lsf", "pbs", "awsbatch", "mpi"}, Later: true,
		Run: func(_ context.Context, p *Plan, kind string, todo []int, o *Options) error {
			o.Say("%s", jobText(kind, p, todo, o))
			return nil
		}})
}

// jobText is the file of a job of a kind. Parts that are there are found so, and cost no time.
func jobText(kind string, p *Plan, todo []int, o *Options) string {
	n, auto := len(p.Shards), partCommand(p, o, "auto")
	finish := quoted(o.Self) + " finish " + quoted(absolute(filepath.Join(p.folder, PlanFile)))
	head := fmt.Sprintf("# %d of %d parts are to be made. When all tasks have ended: %s\n", len(todo), n,
		oneLine(finish))
	switch kind {
	case "sge":
		return "#!/bin/sh\n#$ -N blossom\n#$ -cwd\n" + fmt.Sprintf("#$ -t 1-%d\n", n) + head + "exec " + auto
	case "lsf":
		return "#!/bin/sh\n" + fmt.Sprintf("#BSUB -J blossom[1-%d]\n", n) + head + "exec " + auto
	case "pbs":
		return "#!/bin/sh\n#PBS -N blossom\n" + fmt.Sprintf("#PBS -J 0-%d\n", max(1, n-1)) + head + "exec " + auto
	case "mpi":
		return "#!/bin/sh\n" + head + fmt.Sprintf("exec mpirun -np %d ", n) + auto
	case "awsbatch":
		return head + fmt.Sprintf(`aws batch submit-job --job-name blossom --job-queue QUEUE \
  --job-definition DEFINITION --array-properties size=%d --container-overrides %s`, max(2, n),
			quoted(jsonOf(map[string]any{"command": autoWords(p, o)})))
	}
	return head + kubernetes(p, o)
}

// autoWords are the command of the part whose number the scheduler says.
func autoWords(p *Plan, o *Options) []string { return append(words(p, o), "--shard", "auto") }

// kubernetes is an indexed job.
func kubernetes(p *Plan, o *Options) string {
	return fmt.Sprintf(`apiVersion: batch/v1
kind: Job
metadata:
  name: blossom
spec:
  completionMode: Indexed
  completions: %d
  parallelism: %d
  backoffLimitPerIndex: 3
  maxFailedIndexes: %d
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: part
        image: IMAGE
        command: %s
`, len(p.Shards), min(len(p.Shards), 100), len(p.Shards), jsonOf(autoWords(p, o)))
}

func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// jsonOf is a value as JSON on one line, which YAML takes, too.
func jsonOf(v any) string {
	text, err := marshal(v)
	if err != nil {
		panic(err) // words and maps of them
	}
	return strings.TrimSpace(string(text))
}
