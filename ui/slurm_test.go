package ui

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/live"
	"blossom/model/scale"
	"blossom/ui/uitest"
)

// resumes says to this program that it is blossom resume, or blossom part, of what follows. It is the time after which
// Slurm is given up.
const resumes = "BLOSSOM_TEST_RESUMES"

// asResume is the program that the window starts, without what it reads flags with. It ends with its exit code.
func asResume(args []string) int {
	ctx, end := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer end()
	if err := resume(ctx, args); err != nil {
		if ctx.Err() != nil {
			fmt.Fprintln(os.Stderr, "blossom: interrupted")
			return 130
		}
		fmt.Fprintln(os.Stderr, "blossom: "+problem.As(err).Error())
		return 1
	}
	return 0
}

func resume(ctx context.Context, args []string) error {
	p, err := scale.Open(args[1])
	if err != nil {
		return err
	}
	if args[0] == "part" {
		i, err := scale.ShardOf(args[len(args)-1], len(p.Shards))
		if err == nil {
			_, err = p.Make(ctx, i, job.Options{Program: "blossom test"})
		}
		return err
	}
	stall, err := time.ParseDuration(os.Getenv(resumes))
	if err != nil {
		return err
	}
	o := &scale.Options{Stall: stall, Self: os.Getenv("BLOSSOM_TEST_SELF"), Progress: func(done, total int64) {
		fmt.Fprintf(os.Stderr, "progress %d parts %d/%d\n", 100*done/total, done, total)
	}}
	for i, word := range args {
		if word == "--runner-args" {
			o.Args = append(o.Args, args[i+1])
		}
	}
	r, kind, err := scale.RunnerOf(args[4])
	if err == nil && r.Lacks != nil {
		err = r.Lacks(kind, o)
	}
	if err != nil {
		return err
	}
	inner, release := p.Hold(ctx)
	defer release()
	todo, err := p.Missing(inner, true, nil)
	if err == nil {
		err = p.Note(scale.Placed{Runner: args[4], Args: o.Args})
	}
	if err == nil {
		err = r.Run(inner, p, kind, todo, o)
	}
	if err == nil {
		_, err = p.Finish(inner, false, nil)
	}
	return cmp.Or(inner.Err(), err)
}

// slurm has scripts stand for the programs of Slurm, and returns their folder, whose files say what they were told, and
// the program that the window starts. Tasks run at once, after the file "go" is there.
func slurm(t *testing.T, stall string, scripts map[string]string) (folder, program string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("it pretends by scripts of a shell")
	}
	folder = t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(folder, "blossom")
	for name, script := range map[string]string{
		"blossom": "exec '" + self + "' \"$@\"",
		"sbatch": `echo "$*" >>"$D/sbatch.said"
cat >"$D/script"
: >"$D/runs"
(
	while [ ! -e "$D/go" ] && [ -e "$D/runs" ]; do sleep 0.02; done
	for i in 0 1; do [ -e "$D/runs" ] && SLURM_ARRAY_TASK_ID=$i sh "$D/script"; done
	rm -f "$D/runs"
) >/dev/null 2>&1 </dev/null &
echo 7`,
		"squeue":  `if [ -e "$D/runs" ]; then echo RUNNING; else echo COMPLETED; fi`,
		"scancel": `echo "$*" >>"$D/scancel.said"; rm -f "$D/runs"`,
	} {
		if said, ok := scripts[name]; ok {
			script = said
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("D", folder)
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv(resumes, stall)
	t.Setenv("BLOSSOM_TEST_SELF", program)
	return folder, program
}

// movedOnSlurm is a window on a folder that Slurm has made, whose landmarks have moved since, and the next folder.
func movedOnSlurm(t *testing.T, program string) (a *App, d *uitest.Driver, folder, next string) {
	t.Helper()
	folder = finishedFolder(t)
	p, err := scale.Open(folder)
	if err == nil {
		err = p.Note(scale.Placed{Runner: "slurm", Args: []string{"--partition=short"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	a, d = begin(t, 1280, 800, 1, Options{Paths: []string{scale.Shown(folder)}, Program: program})
	opened(t, a, d)
	moveLandmarks(t, a)
	rest(t, a, d)
	next = scale.Beside(folder)
	uitest.Do(func() { a.output.AllRows.Again(next) })
	return a, d, folder, next
}

// said is what a program of Slurm was told.
func said(folder, name string) string {
	text, _ := os.ReadFile(filepath.Join(folder, name+".said"))
	return string(text)
}

// The window has all rows embedded again by Slurm, as they were before: its density is shown when the tasks have ended.
func TestSlurmEmbedsAgainForTheWindow(t *testing.T) {
	slurms, program := slurm(t, "1m", nil)
	a, d, _, next := movedOnSlurm(t, program)
	d.Wait("tasks wait", 60*time.Second, going(a, "Embedding again: out-again", "0 of 2 parts"))
	if got := said(slurms, "sbatch"); !strings.Contains(got, "--array=0-1 ") ||
		!strings.Contains(got, " --partition=short") {
		t.Errorf("sbatch is told %q", got)
	}
	if err := os.WriteFile(filepath.Join(slurms, "go"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	d.Wait("it is shown", 60*time.Second, func() bool {
		return live.AllRowsOf(a.desk.Map).Folder == next && a.compute.jobs.Idle()
	})
	if said(slurms, "scancel") != "" {
		t.Error("tasks were taken back")
	}
}

// Tasks of Slurm go on when the window is closed; the next one finds them, and takes them back when it is cancelled.
func TestTheNextWindowFindsTasksOfSlurm(t *testing.T) {
	slurms, program := slurm(t, "1m", nil)
	a, d, folder, next := movedOnSlurm(t, program)
	d.Wait("tasks wait", 60*time.Second, func() bool {
		return said(slurms, "sbatch") != "" && going(a, "Embedding again: out-again", "0 of 2 parts")()
	})
	d.End()
	if !scale.Held(next) || said(slurms, "scancel") != "" {
		t.Fatal("it has ended with the window")
	}
	a, d = begin(t, 1280, 800, 1, Options{Paths: []string{scale.Shown(folder)}, Program: program})
	there(t, a, d)
	d.Wait("it is found", 60*time.Second, going(a, "Embedding again: out-again", "0 of 2 parts"))
	d.Frames(2)
	d.Shoot("slurm-found")
	uitest.Do(func() { a.compute.jobs.CancelAll() })
	d.Wait("that is told", 60*time.Second, told(a, "out-again has 0 of 2 parts"))
	if got := strings.TrimSpace(said(slurms, "scancel")); got != "7" || scale.Held(next) {
		t.Errorf("scancel is told %q", got)
	}
	if err := os.WriteFile(filepath.Join(slurms, "go"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	d.ClickOn("toast 2/Go on")
	d.Wait("it is made", 60*time.Second, told(a, "All 5,000 rows are embedded again, in out-again"))
}

// Slurm that refuses a job, says nonsense or nothing, or is not there ends in one message with what to do.
func TestWhatSlurmSaysIsToldInTheWindow(t *testing.T) {
	slurms, program := slurm(t, "50ms", map[string]string{
		"sbatch": "cat >/dev/null; echo 'sbatch: error: invalid partition: short' >&2; exit 1"})
	a, d, _, next := movedOnSlurm(t, program)
	for i, c := range []struct{ name, script, want string }{
		{"", "", "sbatch: sbatch: error: invalid partition: short"},
		{"sbatch", "cat >/dev/null; echo Welcome to the cluster",
			"sbatch has said \"Welcome to the cluster\", which is no number of a job"},
		{"sbatch", "cat >/dev/null; echo 7", "no part has been made for 50ms; 0 of 2 are there"},
		{"squeue", "", "squeue of Slurm is not found"},
	} {
		script := filepath.Join(slurms, c.name)
		switch {
		case i == 0: // it is asked already
		case c.script == "":
			t.Setenv("PATH", slurms) // the machine may have one
			if err := os.Remove(script); err != nil {
				t.Fatal(err)
			}
		default:
			if err := os.WriteFile(script, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if i == 1 { // a queue that does not answer what it is asked
			bad := "#!/bin/sh\necho 'Unable to contact slurm controller' >&2; exit 1\n"
			if err := os.WriteFile(filepath.Join(slurms, "squeue"), []byte(bad), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if i > 0 {
			next = scale.Beside(next)
			uitest.Do(func() { a.output.AllRows.Again(next) })
		}
		d.Wait("it is told", 60*time.Second, func() bool { return a.dialogs.Any() })
		d.Frames(3)
		d.Shoot(fmt.Sprintf("slurm-%d", i))
		text := ""
		uitest.Do(func() { text = a.log.text(); a.dialogs.Close("problem") })
		if !strings.Contains(text, "again: "+c.want) ||
			!strings.Contains(text, "blossom resume "+next+" --runner slurm") {
			t.Errorf("the window says %s, not %s", text, c.want)
		}
	}
}
