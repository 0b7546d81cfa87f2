package scale

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// pretendSlurm has scripts stand for the programs of Slurm: each is told in a variable D a folder in which scancel
// leaves the file "cancelled". Those that are not said do what they do where all goes well. No word of theirs is split,
// as the folder's name may have blanks.
func pretendSlurm(t *testing.T, scripts map[string]string) (p *Plan, o *Options, folder string) {
	t.Helper()
	p, o = pretended(t, "")
	folder = t.TempDir()
	t.Setenv("D", folder)
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for name, script := range map[string]string{"sbatch": "cat >$D/script; echo 7", "squeue": "echo RUNNING",
		"scancel": "echo $* >$D/cancelled"} {
		if said, ok := scripts[name]; ok {
			script = said
		}
		script = "#!/bin/sh\nIFS=\n" + script + "\n"
		if err := os.WriteFile(filepath.Join(folder, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return p, o, folder
}

// quick lets programs of Slurm answer within a moment.
func quick(t *testing.T) {
	was := answersWithin
	answersWithin = 300 * time.Millisecond
	t.Cleanup(func() { answersWithin = was })
}

// cancelled says whether the jobs have been taken back.
func cancelled(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "cancelled"))
	return err == nil
}

// Tasks that wait in a queue, or run for long, are waited for however long no part comes.
func TestTasksThatWaitAreNoStall(t *testing.T) {
	p, o, folder := pretendSlurm(t, map[string]string{
		"squeue": "echo x >>$D/asked; [ $(($(wc -l <$D/asked) % 3)) = 0 ] || echo PENDING"})
	o.Stall = time.Millisecond
	if err := runSlurm(t.Context(), p, "", []int{0, 1}, o); err != nil || cancelled(folder) {
		t.Errorf("%v, taken back %v", err, cancelled(folder))
	}
}

// Programs of Slurm that hang, fail or say nonsense are told in one line, and no task is taken back for it.
func TestWhatSlurmSays(t *testing.T) {
	quick(t)
	for name, c := range map[string]struct {
		scripts map[string]string
		want    string
	}{
		"a queue that hangs": {map[string]string{"squeue": "sleep 600"}, "no part has been made for 10ms"},
		"a queue that fails": {map[string]string{"squeue": "echo no >&2; exit 1"}, "no part has been made for 10ms"},
		"it hangs":           {map[string]string{"sbatch": "sleep 600"}, "sbatch: no answer within 300ms"},
		"nonsense":           {map[string]string{"sbatch": "echo Submitted batch job"}, "which is no number of a job"},
		"nothing":            {map[string]string{"sbatch": ""}, "which is no number of a job"},
		"in colour": {map[string]string{
			"sbatch": `printf '\033[1;31msbatch\033[0m: no \033]0;title\007such\n' >&2; exit 1`},
			"sbatch: sbatch: no such"},
	} {
		t.Run(name, func(t *testing.T) {
			p, o, folder := pretendSlurm(t, c.scripts)
			o.Stall = 10 * time.Millisecond
			err := runSlurm(t.Context(), p, "", []int{0, 1}, o)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\n\x1b\a") {
				t.Errorf("it says %q", err)
			}
			if cancelled(folder) {
				t.Error("tasks are taken back")
			}
		})
	}
}

// An interrupt takes the tasks back, and is told as one, not as a stall.
func TestAnInterruptTakesTasksBack(t *testing.T) {
	p, o, folder := pretendSlurm(t, map[string]string{"squeue": "touch $D/asked; sleep 600"})
	ctx, cancel := context.WithCancel(t.Context())
	o.Stall = time.Nanosecond
	go func() {
		for t.Context().Err() == nil {
			if _, err := os.Stat(filepath.Join(folder, "asked")); err == nil {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if err := runSlurm(ctx, p, "", []int{0, 1}, o); !errors.Is(err, context.Canceled) || !cancelled(folder) {
		t.Errorf("%v, taken back %v", err, cancelled(folder))
	}
	cancel()
}

// All runners that name a command give it the threads and the card that are asked for.
func TestPartsHaveTheThreadsAndTheCardOfTheCommand(t *testing.T) {
	p, o, folder := pretendSlurm(t, nil)
	o.Engine.Threads, o.Engine.Device = 3, 2
	texts := map[string]string{}
	for _, kind := range []string{"k8s", "sge", "lsf", "pbs", "awsbatch", "mpi"} {
		texts[kind] = jobText(kind, p, []int{0, 1}, o)
	}
	if _, err := submit(t.Context(), p, []int{0, 1}, o); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(folder, "script"))
	if err != nil {
		t.Fatal(err)
	}
	texts["slurm"] = string(script)
	for kind, text := range texts {
		if !strings.Contains(text, "--threads=3") || !strings.Contains(text, "--device=2") ||
			!strings.Contains(text, "--shard") {
			t.Errorf("%s: %s", kind, text)
		}
	}
}

// A part whose tasks were killed is told with the node and how Slurm says that the last of them has ended; what the
// program itself has said of a part stays.
func TestTasksThatWereKilledAreTold(t *testing.T) {
	p, o, folder := pretendSlurm(t, map[string]string{
		"squeue": "echo FAILED"})
	if err := os.WriteFile(filepath.Join(folder, "scontrol"), []byte("#!/bin/sh\necho $* >>$D/asked; "+
		"echo 'JobId=9 ArrayTaskId=1 JobState=OUT_OF_MEMORY Reason=OutOfMemory ExitCode=0:9 NodeList=n3'\n"),
		0o755); err != nil {
		t.Fatal(err)
	}
	logs, err := logsIn(p.folder)
	if err == nil {
		err = os.MkdirAll(filepath.Join(p.folder, partsFolder), 0o777)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(logs, "7_1.log"), []byte("begins\nslurmstepd: error: oom_kill event\n"), 0o666)
	}
	failedOn("n1", p.failed(0), "has changed")
	if err == nil {
		err = runSlurm(t.Context(), p, "", []int{0, 1}, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Finish(t.Context(), false, nil)
	const want = "n3: task 7_1 of Slurm ended as OUT_OF_MEMORY, by signal 9: slurmstepd: error: oom_kill event"
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "n1: has changed") {
		t.Errorf("it says %v", err)
	}
	if asked, _ := os.ReadFile(filepath.Join(folder, "asked")); string(asked) != "--oneliner show job 7_1\n" {
		t.Errorf("Slurm was asked %q", asked)
	}
}

// Logs of tasks that Slurm has forgotten are told; where there is neither, nothing is.
func TestTasksThatSlurmHasForgotten(t *testing.T) {
	p, _, folder := pretendSlurm(t, nil)
	if err := os.WriteFile(filepath.Join(folder, "scontrol"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	logs, err := logsIn(p.folder)
	if err == nil {
		err = os.MkdirAll(filepath.Join(p.folder, partsFolder), 0o777)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(logs, "7_1.log"), []byte("\x1b[31mno such program\n\n"), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	noteEnds(t.Context(), p, []string{"7"}, []int{0, 1}, []int{0, 1})
	if got := p.Why(1); got != "Slurm: task 7_1 of Slurm ended with: no such program" {
		t.Errorf("it says %q", got)
	}
	if got := p.Why(0); got != "" {
		t.Errorf("of nothing it says %q", got)
	}
}

// A controller that is away is waited for once, not for each of the tasks, whose logs are told all the same.
func TestAControllerThatIsAwayIsWaitedForOnce(t *testing.T) {
	p, _, folder := pretendSlurm(t, nil)
	if err := os.WriteFile(filepath.Join(folder, "scontrol"), []byte("#!/bin/sh\necho $* >>$D/asked; exec sleep 60\n"),
		0o755); err != nil {
		t.Fatal(err)
	}
	quick(t)
	logs, err := logsIn(p.folder)
	if err == nil {
		err = os.MkdirAll(filepath.Join(p.folder, partsFolder), 0o777)
	}
	for part := range 2 {
		if err == nil {
			err = os.WriteFile(filepath.Join(logs, fmt.Sprintf("7_%d.log", part)), []byte("no such program\n"), 0o666)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	noteEnds(t.Context(), p, []string{"7"}, []int{0, 1}, []int{0, 1})
	for part := range 2 {
		if got := p.Why(part); !strings.Contains(got, "no such program") {
			t.Errorf("of part %d it says %q", part, got)
		}
	}
	if asked, _ := os.ReadFile(filepath.Join(folder, "asked")); strings.Count(string(asked), "\n") > 1 {
		t.Errorf("Slurm was asked %q", asked)
	}
}
