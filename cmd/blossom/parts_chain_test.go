package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"blossom/model/scale"
)

// chained is a folder of programs that stand for those of Slurm: sbatch numbers jobs from 1 and keeps what they are.
type chained struct {
	dir, bin string
	next     int // number of the next job
}

func chain(t *testing.T, dir string) *chained {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("it pretends by a script of a shell")
	}
	c := &chained{dir: dir, bin: t.TempDir(), next: 1}
	for name, script := range map[string]string{"squeue": "", "scancel": "", "sbatch": fmt.Sprintf("cd %q\n"+
		"n=$(($(ls | grep -c '^job') + 1)); cat >job.$n; echo \"$@\" >args.$n; echo $n", c.bin)} {
		path := filepath.Join(c.bin, name)
		write(t, path, "#!/bin/sh\n"+script+"\n")
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// command runs blossom where those programs are.
func (c *chained) command(t *testing.T, args ...string) result {
	t.Helper()
	cmd := command(t, c.dir, args...)
	cmd.Env = append(cmd.Environ(), "PATH="+c.bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return finish(t, cmd)
}

// array is the tasks of the next job, from which what Slurm would run for each of them comes.
func (c *chained) array(t *testing.T, tasks ...int) {
	t.Helper()
	args := text(t, filepath.Join(c.bin, fmt.Sprintf("args.%d", c.next)))
	if !strings.Contains(args, "--array=") {
		t.Fatalf("job %d is no array: %s", c.next, args)
	}
	for _, i := range tasks {
		c.script(t, c.next, fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", i))
	}
	c.next++
}

// goesOn runs the next job, which is to go on after the one before.
func (c *chained) goesOn(t *testing.T) result {
	t.Helper()
	args := text(t, filepath.Join(c.bin, fmt.Sprintf("args.%d", c.next)))
	if !strings.Contains(args, fmt.Sprintf("--dependency=afterany:%d ", c.next-1)) {
		t.Fatalf("job %d does not wait for the one before: %s", c.next, args)
	}
	c.next++
	return c.script(t, c.next-1)
}

func (c *chained) script(t *testing.T, job int, env ...string) result {
	t.Helper()
	cmd := command(t, c.dir)
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", filepath.Join(c.bin, fmt.Sprintf("job.%d", job))}
	cmd.Env = append(append(cmd.Environ(), env...), "PATH="+c.bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return finish(t, cmd)
}

// A command that does not wait is gone on with by the jobs that it leaves: parts that are missing are submitted again,
// three rounds at most, and what comes of it has the bytes of one machine.
func TestAChainOfJobsGoesOnByItself(t *testing.T) {
	dir := partsInput(t, ".npy", 50, 30, 40)
	c := chain(t, dir)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "here/")
	embed := []string{"embed", "data", "--landmarks", "map.json", "-o", "there/", "--runner", "slurm", "--no-wait"}
	if r := c.command(t, embed...); r.code != 0 || !strings.Contains(r.stderr, "job 2 goes on when they have ended") {
		t.Fatalf("exit code %d: %s", r.code, r.stderr)
	}
	c.array(t, 0, 2) // and 1 is killed
	if r := c.goesOn(t); r.code != 0 || !strings.Contains(r.stderr, "1 task of Slurm, job 3") {
		t.Fatalf("exit code %d: %s", r.code, r.stderr)
	}
	c.array(t, 1)
	if r := c.goesOn(t); r.code != 0 {
		t.Fatal(r.stderr)
	}
	here, there := manifest(t, filepath.Join(dir, "here")), manifest(t, filepath.Join(dir, "there"))
	if !slices.Equal(here.Parts, there.Parts) {
		t.Errorf("the chain made %+v, one machine %+v", there.Parts, here.Parts)
	}

	os.Remove(filepath.Join(dir, "there", "parts", "000001.json"))
	if r := c.command(t, "resume", "there", "--runner", "slurm", "--no-wait"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for range scale.MostRounds - 1 {
		c.array(t)
		if r := c.goesOn(t); r.code != 0 {
			t.Fatal(r.stderr)
		}
	}
	c.array(t)
	if r := c.goesOn(t); r.code != 1 || !strings.Contains(r.stderr, "1 of 3 parts are missing") {
		t.Errorf("after all rounds it ends with %d: %s", r.code, r.stderr)
	}
}

// Each epoch of a training, and each stage of a layout, is a link of the chain.
func TestStagesAreLinksOfTheChain(t *testing.T) {
	dir := partsInput(t, ".npy", 50, 30)
	c := chain(t, dir)
	train := []string{"train", "data", "--som", "3x3", "--algorithm", "som-batch", "--epochs", "2", "-o"}
	ok(t, dir, append(train, "one.json")...)
	if r := c.command(t, append(train, "parts.json", "--runner", "slurm", "--no-wait")...); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for range 2 {
		c.array(t, 0, 1)
		if r := c.goesOn(t); r.code != 0 {
			t.Fatal(r.stderr)
		}
	}
	if text(t, filepath.Join(dir, "one.json")) != text(t, filepath.Join(dir, "parts.json")) {
		t.Error("the chain trained other landmarks")
	}
	lay := []string{"tsne", "data/*.npy", "--shown", "40", "--units", "20", "--engine", "cpu"}
	ok(t, dir, append(lay, "-o", "here/")...)
	if r := c.command(t, append(lay, "-o", "there/", "--runner", "slurm", "--no-wait")...); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for range 2 { // the sample, and the places
		c.array(t, 0, 1)
		if r := c.goesOn(t); r.code != 0 {
			t.Fatal(r.stderr)
		}
	}
	here, there := manifest(t, filepath.Join(dir, "here")), manifest(t, filepath.Join(dir, "there"))
	if len(there.Parts) != 2 || !slices.Equal(here.Parts, there.Parts) {
		t.Errorf("the chain made %+v, one machine %+v", there.Parts, here.Parts)
	}
	for _, args := range [][]string{append(lay, "-o", "x/", "--no-wait"),
		{"umap", "map.json", "-o", "x.npy", "--no-wait"},
		append(train, "x.json", "--no-wait"), {"resume", "here", "--runner", "print:sge", "--no-wait"}} {
		c.command(t, args...).refused(t, 2, "--no-wait")
	}
}
