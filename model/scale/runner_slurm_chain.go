package scale

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"blossom/model/base/problem"
)

// chainSlurm submits what is to be made, and a job that Slurm starts when that has ended, one way or the other: it goes
// on with the command of o.Next. What is submitted then is counted by o.Next, too, as the rounds are that wait.
func chainSlurm(ctx context.Context, p *Plan, todo []int, o *Options) error {
	logs, err := logsIn(p.folder)
	if err != nil {
		return err
	}
	by := Placed{Runner: "slurm", Args: o.Args}
	if ids := before(ctx, p.folder, by); len(ids) > 0 {
		o.say("job %s of Slurm, submitted before, waits or runs: nothing is submitted twice; scancel %s ends it",
			strings.Join(ids, ", "), strings.Join(ids, " "))
		return nil
	}
	ids, err := submit(ctx, p, todo, o)
	by.Jobs = ids
	if err = cmp.Or(err, note(p.folder, by)); err == nil {
		var next string
		if next, err = follow(ctx, p, ids, o, logNamed(logs, "next-%j.log")); err == nil {
			o.say("%s of Slurm, job %s; job %s goes on when they have ended, and writes to %s; "+
				"blossom status %s says how far they are", problem.Count(len(todo), "task"),
				strings.Join(ids, ", "), next, logs, told(p.over, p.folder))
			by.Jobs = append(ids, next)
			return note(p.folder, by)
		}
	}
	takeBack(ids)
	return err
}

// follow submits the job that goes on after others, whose words are a file in which it says what it does.
func follow(ctx context.Context, p *Plan, after []string, o *Options, log string) (id string, err error) {
	line := ""
	for _, word := range append([]string{o.Self}, o.Next.Args...) {
		line += " " + quoted(word)
	}
	script := fmt.Sprintf("#!/bin/sh\ncd %s || exit 1\nexport %s=%s\nexec%s\n", quoted(o.Next.Folder), RoundVariable,
		quoted(o.Next.round(p.sum)), line)
	args := append([]string{"--parsable", "--requeue", "--job-name=blossom-next",
		"--dependency=afterany:" + strings.Join(after, ":"), "--output=" + log}, o.Args...)
	out, said, err := answer(ctx, script, "sbatch", args...)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", problem.Wrap(err, p.folder, "ask who runs the cluster, or leave --no-wait out", "sbatch: %s",
			cmp.Or(said, err.Error()))
	}
	return jobNumber(p.folder, out)
}
