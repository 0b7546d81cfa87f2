package scale

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"blossom/model/base/pattern"
	"blossom/model/base/problem"
	"blossom/model/job/run"
)

// slurmRounds is how often parts are submitted at most: as tasks of an array. Tasks whose node is lost are put back by
// Slurm itself; parts that have no receipt when an array has ended are submitted again.
const slurmRounds = MostRounds

// mostTasks is how many tasks an array may have as Slurm is delivered (MaxArraySize 1001); more parts are several
// arrays.
const mostTasks = 1000

func init() {
	Register(Runner{ID: "slurm", Title: "arrays of tasks on a Slurm cluster", Run: runSlurm, Chain: chainSlurm,
		Lacks: func(string, *Options) error {
			for _, name := range []string{"sbatch", "squeue", "scancel"} {
				if _, err := exec.LookPath(name); err != nil {
					return run.Usage{Err: problem.New("",
						"start it on a node of the cluster, or use --runner local",
						"%s of Slurm is not found", name)}
				}
			}
			return nil
		}})
}

// answersWithin is how long a program of Slurm has to answer: one whose controller is away waits for it.
var answersWithin = 30 * time.Second

// runSlurm submits what is to be made, waits for it, and submits what is missing then. Tasks submitted before,
// by one that has gone, are waited for first. Ctrl-C takes the tasks back that wait or run; what is made stays. When
// it gives up they stay, too: they may go on where it cannot see them.
func runSlurm(ctx context.Context, p *Plan, _ string, todo []int, o *Options) error {
	if _, err := logsIn(p.folder); err != nil {
		return err
	}
	by := Placed{Runner: "slurm", Args: o.Args}
	for ids := before(ctx, p.folder, by); len(ids) > 0; ids = before(ctx, p.folder, by) { // they may submit others
		o.say("job %s of Slurm, submitted before, waits or runs, and is waited for: scancel %s ends it",
			strings.Join(ids, ", "), strings.Join(ids, " "))
		err := await(ctx, p, ids, o)
		if err == nil {
			todo, err = p.Missing(ctx, false, nil)
		}
		if err != nil {
			return err
		}
	}
	for round := 1; len(todo) > 0 && round <= slurmRounds; round++ {
		ids, err := submit(ctx, p, todo, o)
		by.Jobs = ids
		if err = cmp.Or(err, note(p.folder, by)); err != nil {
			if ctx.Err() != nil {
				takeBack(ids)
			}
			return err
		}
		o.say("%s of Slurm, job %s; blossom status %s says how far they are", problem.Count(len(todo), "task"),
			strings.Join(ids, ", "), told(p.over, p.folder))
		if err := await(ctx, p, ids, o); err != nil {
			return err
		}
		sent := todo
		if todo, err = p.Missing(ctx, false, nil); err != nil {
			return err
		}
		if round == slurmRounds {
			noteEnds(ctx, p, ids, sent, todo)
		} else if len(todo) > 0 {
			o.say("%s missing, submitted again", problem.Count(len(todo), "part"))
		}
	}
	return nil
}

// await waits until jobs have ended. When ctx ends they are taken back.
func await(ctx context.Context, p *Plan, ids []string, o *Options) error {
	err := p.Watch(ctx, o, "look at squeue, then blossom resume "+told(p.over, p.folder)+" --runner slurm, or local",
		nil, func(ctx context.Context) (bool, error) { return queued(ctx, ids) })
	if err != nil && ctx.Err() == nil {
		return err // they may go on
	}
	if err != nil {
		takeBack(ids)
	}
	by := Placed{Runner: "slurm", Args: o.Args}
	by.Jobs = slices.DeleteFunc(jobsOf(p.folder, by), func(id string) bool { return slices.Contains(ids, id) })
	return cmp.Or(err, note(p.folder, by))
}

// logsIn is the folder in that of a plan of what tasks say, which is made.
func logsIn(folder string) (string, error) {
	logs := filepath.Join(folder, "logs")
	if err := os.MkdirAll(logs, 0o777); err != nil {
		return "", problem.Wrap(err, logs, "choose another folder", "cannot be made (%v)", err)
	}
	return logs, nil
}

func (o *Options) say(format string, args ...any) {
	if o.Say != nil {
		o.Say(format, args...)
	}
}

// submit makes arrays of tasks and returns their jobs, also those before an error.
func submit(ctx context.Context, p *Plan, todo []int, o *Options) (ids []string, err error) {
	for len(todo) > 0 {
		// numbers of tasks are those of parts, but for a base, as Slurm limits them
		base, n := todo[0]/mostTasks*mostTasks, 0
		for n < len(todo) && todo[n] < base+mostTasks {
			n++
		}
		args := append([]string{"--parsable", "--requeue", "--job-name=blossom", "--array=" + ranges(todo[:n], base),
			"--output=" + logNamed(filepath.Join(p.folder, "logs"), "%A_%a.log")}, o.Args...)
		part := fmt.Sprintf("$((SLURM_ARRAY_TASK_ID + %d))", base)
		out, said, err := answer(ctx, "#!/bin/sh\nexec "+partCommand(p, o, part)+"\n", "sbatch", args...)
		if err != nil {
			if ctx.Err() != nil {
				return ids, ctx.Err()
			}
			return ids, problem.Wrap(err, p.folder, "ask who runs the cluster, or use --runner local", "sbatch: %s",
				cmp.Or(said, err.Error()))
		}
		id, err := jobNumber(p.folder, out)
		if err != nil {
			return ids, err
		}
		ids, todo = append(ids, id), todo[n:]
	}
	return ids, nil
}

// jobNumber is the number of a job as sbatch says it.
func jobNumber(folder, said string) (string, error) {
	id, _, _ := strings.Cut(strings.TrimSpace(said), ";") // and the cluster
	if !isJob(id) {
		return "", problem.New(folder, "see what sbatch is here, or use --runner local",
			"sbatch has said %.60q, which is no number of a job", oneLine(said))
	}
	return id, nil
}

// isJob says whether it is the number of a job.
func isJob(id string) bool {
	n, err := strconv.ParseUint(id, 10, 63)
	return err == nil && n > 0
}

// before are the jobs of those that were submitted before which may wait or run, but for the one that this is.
func before(ctx context.Context, folder string, by Placed) []string {
	own := os.Getenv("SLURM_JOB_ID")
	ids := slices.DeleteFunc(slices.Clone(jobsOf(folder, by)), func(id string) bool { return id == own })
	if len(ids) > 0 {
		if on, err := queued(ctx, ids); err == nil && on {
			return ids
		}
	}
	return nil
}

// logNamed is a file in a folder as sbatch takes it, which fills numbers in for what follows a percent sign.
func logNamed(folder, name string) string {
	return filepath.Join(strings.ReplaceAll(folder, "%", "%%"), name)
}

// queued says whether some of the jobs wait or run. Slurm forgets jobs some minutes after their end, which is an error
// of squeue with several of them as well as with one.
func queued(ctx context.Context, ids []string) (bool, error) {
	out, said, err := answer(ctx, "", "squeue", "--noheader", "--states=all", "--format=%T",
		"--jobs="+strings.Join(ids, ","))
	if err != nil {
		if strings.Contains(said, "Invalid job id") {
			return false, nil
		}
		return true, err
	}
	for _, state := range strings.Fields(out) {
		switch state {
		case "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE":
		default:
			return true, nil
		}
	}
	return false, nil
}

// answer runs a program and returns what it says, and what of that is about an error, as one line. It has answersWithin
// for that, and less where ctx ends.
func answer(ctx context.Context, stdin, name string, args ...string) (out, said string, err error) {
	inner, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	cmd := exec.CommandContext(inner, name, args...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.WaitDelay = time.Second // a program that it has started may hold its output
	var stderr tail
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil && ctx.Err() == nil && inner.Err() != nil {
		return "", fmt.Sprintf("no answer within %v", answersWithin), err
	}
	return string(text), oneLine(stderr.String()), err
}

// takeBack cancels jobs.
func takeBack(ids []string) {
	if len(ids) == 0 {
		return
	}
	_, _, _ = answer(context.Background(), "", "scancel", ids...)
}

// ranges writes ascending numbers as Slurm takes them: "0-3,7", less base.
func ranges(parts []int, base int) string {
	var out []string
	for i := 0; i < len(parts); {
		j := i
		for j+1 < len(parts) && parts[j+1] == parts[j]+1 {
			j++
		}
		if j == i {
			out = append(out, fmt.Sprint(parts[i]-base))
		} else {
			out = append(out, fmt.Sprintf("%d-%d", parts[i]-base, parts[j]-base))
		}
		i = j + 1
	}
	return strings.Join(out, ",")
}

// partCommand is the line of a shell that makes a part. shard is its number as the shell has it, or "auto".
func partCommand(p *Plan, o *Options, shard string) string {
	if shard != "auto" {
		shard = fmt.Sprintf(`"%s/%d"`, shard, len(p.Shards))
	}
	line := ""
	for _, word := range words(p, o) {
		line += quoted(word) + " "
	}
	return line + "--shard " + shard
}

// words are the command of a part without a shell, but for its number.
func words(p *Plan, o *Options) []string {
	out := []string{o.Self, "part", absolute(filepath.Join(p.folder, PlanFile)), "--quiet"}
	if n := o.Engine.Threads; n > 0 {
		out = append(out, fmt.Sprint("--threads=", n))
	}
	if n := o.Engine.Device; n > 0 {
		out = append(out, fmt.Sprint("--device=", n))
	}
	return out
}

// quoted is a word as a shell takes it, whatever is in it.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// escapes are what programs say to terminals: colours, titles.
var escapes = pattern.Of("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|\x1b.?")

// oneLine is what a program has said as a line of plain text.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, escapes().ReplaceAllString(text, ""))
	return strings.Join(strings.Fields(text), " ")
}
