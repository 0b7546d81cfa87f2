package scale

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"blossom/model/base/plain"
)

// mostEnds is of how many parts Slurm is asked how their tasks have ended: messages name a few.
const mostEnds = 20

// mostEnding is how much of the last line of a log is told.
const mostEnding = 300

// noteEnds notes how tasks have ended whose parts are missing: a program that was killed, or never started, says
// nothing itself. ids are the jobs of the arrays in which parts were sent last.
func noteEnds(ctx context.Context, p *Plan, ids []string, sent, missing []int) {
	jobs := map[int]string{} // by the parts that they were to make
	for _, id := range ids {
		for base := sent[0] / mostTasks; len(sent) > 0 && sent[0]/mostTasks == base; sent = sent[1:] {
			jobs[sent[0]] = id
		}
	}
	inner, cancel := context.WithTimeout(ctx, answersWithin) // logs tell the rest where the controller is away
	defer cancel()
	asked := 0
	for _, part := range missing {
		if jobs[part] == "" || p.Why(part) != "" {
			continue
		}
		if asked++; asked > mostEnds || ctx.Err() != nil {
			return
		}
		task := fmt.Sprintf("%s_%d", jobs[part], part%mostTasks)
		if node, how := endOf(inner, filepath.Join(p.folder, "logs"), task); how != "" {
			failedOn(node, p.failed(part), how)
		}
	}
}

// endOf is on which node a task has ended, and how, as Slurm and the last line of its log in a folder say; "": neither
// says it.
func endOf(ctx context.Context, logs, task string) (node, how string) {
	node = "Slurm"
	out, _, err := answer(ctx, "", "scontrol", "--oneliner", "show", "job", task)
	if err == nil {
		said := map[string]string{}
		for _, word := range strings.Fields(oneLine(out)) {
			if key, value, ok := strings.Cut(word, "="); ok && value != "(null)" {
				said[key] = value
			}
		}
		if said["NodeList"] != "" {
			node = said["NodeList"]
		}
		if said["JobState"] != "" {
			how = "task " + task + " of Slurm ended as " + said["JobState"]
		}
		switch code, signal, _ := strings.Cut(said["ExitCode"], ":"); {
		case how != "" && signal != "" && signal != "0":
			how += ", by signal " + signal
		case how != "" && code != "" && code != "0":
			how += ", with exit code " + code
		}
	}
	text, err := plain.ReadFile(filepath.Join(logs, task+".log"), mostReceipt)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	last := oneLine(lines[len(lines)-1])
	if err != nil || last == "" {
		return node, how
	}
	if len(last) > mostEnding {
		last = strings.ToValidUTF8(last[:mostEnding], "") + "..."
	}
	if how == "" {
		return node, "task " + task + " of Slurm ended with: " + last
	}
	return node, how + ": " + last
}
