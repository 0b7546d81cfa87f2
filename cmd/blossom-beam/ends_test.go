//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"

	"blossom/model/scale"
)

// made waits until so many parts of a plan are there, or the test has ended.
func made(t *testing.T, p *scale.Plan, parts int) {
	for t.Context().Err() == nil {
		if done, _ := filepath.Glob(filepath.Join(p.Folder(), "parts", "*.json")); len(done) >= parts {
			return
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// workers are the processes of this program that Prism has started as workers.
func workers(t *testing.T) (ids []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, line := range lines {
		text, _ := os.ReadFile(line) // "": it has ended
		if words := strings.Split(string(text), "\x00"); words[0] == self &&
			strings.Contains(string(text), "--provision_endpoint") {
			ids = append(ids, filepath.Base(filepath.Dir(line)))
		}
	}
	return ids
}

// A job service that is killed is told in one line, and any runner makes the rest.
func TestAServerThatDies(t *testing.T) {
	s := newStand(t, 12, 4000)
	want := s.local()
	port := freePort(t)
	server := exec.Command(filepath.Join(s.dir, "blossom-beam"))
	server.Env = append(os.Environ(), fmt.Sprintf("%s=serve %d", asProgram, port))
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer server.Process.Kill()
	address := fmt.Sprintf("localhost:%d", port)
	for answers(t.Context(), "prism", address) != nil && t.Context().Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	p := s.plan("orphan")
	go func() {
		made(t, p, 2)
		server.Process.Kill()
		server.Wait()
	}()
	err := s.run(t.Context(), p, "prism:"+address, 10*time.Second)
	left, _ := p.Missing(t.Context(), true, nil)
	if len(left) > 0 && (err == nil || strings.Contains(err.Error(), "\n")) {
		t.Errorf("it says %v", err)
	}
	s.unfinished(p, want)
	for deadline := time.Now().Add(time.Minute); len(workers(t)) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("workers %v stay behind", workers(t))
		}
	}
	if err := s.run(t.Context(), p, "prism:"+address, time.Minute); err == nil {
		left, _ := p.Missing(t.Context(), true, nil)
		if len(left) > 0 {
			t.Error("a service that is not there has answered")
		}
	} else if !strings.Contains(err.Error(), "does not answer") {
		t.Error(err)
	}
	if err := s.run(t.Context(), p, "prism", time.Minute); err != nil {
		t.Fatal(err)
	}
	if got := s.finished(p); !slices.Equal(got, want) {
		t.Errorf("resumed, the sums are %q, want %q", got, want)
	}
}

// Who interrupts it does not wait, for a worker that hangs neither, and the job is taken back.
func TestInterrupted(t *testing.T) {
	s := newStand(t, 12, 4000)
	address, client := serve(t)
	for word, fate := range map[string]syscall.Signal{"prism": syscall.SIGCONT, "prism:" + address: syscall.SIGSTOP} {
		p := s.plan(fmt.Sprint("stopped", int(fate)))
		t.Setenv(asProgram, fmt.Sprint(int(fate), " 1 ", p.Folder()))
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			made(t, p, 1)
			cancel()
		}()
		err := s.run(ctx, p, word, time.Hour)
		left, _ := p.Missing(t.Context(), true, nil)
		if !errors.Is(err, context.Canceled) && len(left) > 0 {
			t.Errorf("%s: %v, and %d parts are missing", word, err, len(left))
		}
		t.Setenv(asProgram, "")
		if err := s.run(t.Context(), p, "prism", time.Minute); err != nil {
			t.Fatal(err)
		}
		s.finished(p)
	}
	if states := jobStates(t, client); slices.Contains(states, jobpb.JobState_RUNNING) {
		t.Errorf("the server has jobs %v", states)
	}
}

// A part that cannot be made does not keep the others from being made; why it cannot is told of it.
func TestPartsThatCannotBeMade(t *testing.T) {
	s := newStand(t, 5, 300)
	p := s.plan("out")
	if err := os.Truncate(s.paths[2], 500); err != nil {
		t.Fatal(err)
	}
	if err := s.run(t.Context(), p, "prism", time.Minute); err != nil {
		t.Fatal(err)
	}
	left, err := p.Missing(t.Context(), true, nil)
	if err != nil || !slices.Equal(left, []int{2}) || !strings.Contains(p.Why(2), "has changed since the plan") {
		t.Errorf("missing are %v (%v), because %q", left, err, p.Why(2))
	}
}

// Parts of a program of other sources are refused, as those of another engine are.
func TestPartsOfOtherSourcesAreRefused(t *testing.T) {
	s := newStand(t, 2, 300)
	p := s.plan("out")
	path := filepath.Join(p.Folder(), "plan.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.ReplaceAll(string(text), "blossom "+version, "blossom 0.0.1")
	if err := os.WriteFile(path, []byte(other), 0o666); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(filepath.Join(s.dir, "blossom-beam"), "--plan", path)
	said, _ := c.CombinedOutput()
	if c.ProcessState.ExitCode() != exitLacking || strings.Count(string(said), "\n") != 1 ||
		!strings.Contains(p.Why(0), "blossom 0.0.1") {
		t.Errorf("exit code %d: %s (%s)", c.ProcessState.ExitCode(), said, p.Why(0))
	}
}

// Wrong command lines are told in one line.
func TestWrongCommandLines(t *testing.T) {
	s := newStand(t, 1, 50)
	p := s.plan("out")
	for line, want := range map[string]string{
		"": "no plan is named", "x": "more than the command takes", "--nonsense": "nonsense",
		"--plan out --runner local": "no runner of Beam", "--plan out --runner flink": "flink:HOST:PORT",
		"--plan none": "none", "--plan out --runner flink:localhost:1": "does not answer",
		"--plan out --runner dataflow": "--project", "--stall x --plan out": "stall",
	} {
		c := exec.Command(filepath.Join(s.dir, "blossom-beam"), strings.Fields(line)...)
		c.Dir = s.dir
		c.Env = append(os.Environ(), "GOOGLE_APPLICATION_CREDENTIALS=", "HOME="+s.dir)
		said, err := c.CombinedOutput()
		if err == nil || strings.Count(string(said), "\n") != 1 || !strings.HasPrefix(string(said), "blossom-beam: ") ||
			!strings.Contains(string(said), want) {
			t.Errorf("%s: %v: %s", line, err, said)
		}
	}
	if left, _ := p.Missing(t.Context(), true, nil); len(left) != 1 {
		t.Error("a part was made")
	}
}
