package scale

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"blossom/model/base/problem"
	"blossom/model/job/run"
)

// Apache Beam places parts by another program, blossom-beam, so that this one has nothing of it. It is told the plan,
// and finds what is missing itself.
func init() {
	address := []string{"HOST:PORT"}
	for _, r := range []Runner{
		{ID: "prism", Title: "Prism of Apache Beam, on this machine", Kinds: append([]string{""}, address...)},
		{ID: "flink", Title: "Apache Flink, through the job service of Apache Beam", Kinds: address},
		{ID: "spark", Title: "Apache Spark, through the job service of Apache Beam", Kinds: address},
		{ID: "dataflow", Title: "Dataflow of Google Cloud, through Apache Beam"},
	} {
		r.Takes = func(kind string) error { return beamTakes(r, kind) }
		r.Lacks = func(_ string, o *Options) error { _, err := beamProgram(o.Self); return err }
		r.Run = func(ctx context.Context, p *Plan, kind string, _ []int, o *Options) error {
			return runBeam(ctx, p, strings.TrimSuffix(r.ID+":"+kind, ":"), o)
		}
		Register(r)
	}
}

// beamTakes says what is wrong with an address.
func beamTakes(r Runner, kind string) error {
	if kind == "" && (len(r.Kinds) == 0 || r.Kinds[0] == "") {
		return nil
	}
	if len(r.Kinds) == 0 {
		return problem.New("", "use "+r.ID, "%s takes no address", r.ID)
	}
	host, port, err := net.SplitHostPort(kind)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || host == "" || bad != nil || n == 0 {
		return problem.New("", "use "+r.ID+":HOST:PORT, where its job service listens",
			"runner %s: %.60q is no address", r.ID, kind)
	}
	return nil
}

// beamProgram finds blossom-beam beside the program, as it is called or as it runs, or in PATH.
func beamProgram(self string) (string, error) {
	name := "blossom-beam"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	running, _ := os.Executable()
	for _, beside := range []string{self, running} {
		path := filepath.Join(filepath.Dir(beside), name)
		if st, err := os.Stat(path); beside != "" && err == nil && st.Mode().IsRegular() {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", run.Usage{Err: problem.New("", "build it beside blossom (docs/scale.md), or use another --runner",
			"%s is not found: neither beside %s nor in PATH", name, filepath.Base(self))}
	}
	return path, nil
}

// beamLacking is the exit code of blossom-beam where some parts could not be made, which Finish tells.
const beamLacking = 3

// beamEnds is how long blossom-beam has to end by itself: when it is told to, and when all parts are there.
const beamEnds, beamIsDone = 700 * time.Millisecond, 10 * time.Second

// runBeam runs blossom-beam until its pipeline has ended, or nothing has gone on for too long.
func runBeam(ctx context.Context, p *Plan, word string, o *Options) error {
	path, err := beamProgram(o.Self)
	if err != nil {
		return err
	}
	args := []string{"--plan", absolute(filepath.Join(p.folder, PlanFile)), "--runner", word,
		"--stall", o.Stall.String(), "--threads", fmt.Sprint(o.Engine.Threads), "--device", fmt.Sprint(o.Engine.Device)}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(inner, path, append(args, o.Args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = beamEnds
	var said tail
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return problem.Wrap(err, path, "build it again (docs/scale.md)", "cannot be started (%v)", err)
	}
	ended := make(chan struct{})
	var result error
	go func() {
		defer close(ended)
		result = cmd.Wait()
	}()
	err = p.Watch(ctx, o, "look at "+word+", then blossom resume "+told(p.over, p.folder)+" with any runner", ended,
		nil)
	if err == nil { // all parts are there, or it has ended
		select {
		case <-ended:
		case <-time.After(beamIsDone):
			cancel()
			<-ended
			return nil
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	cancel()
	<-ended
	if err != nil {
		return err
	}
	return beamFailed(path, result, said.String())
}

// beamFailed is why blossom-beam has failed, by how it ended and by its last line.
func beamFailed(path string, result error, said string) error {
	var exit *exec.ExitError
	switch {
	case result == nil || errors.As(result, &exit) && exit.ExitCode() == beamLacking:
		return nil
	case !errors.As(result, &exit):
		return problem.Wrap(result, path, "run it again", "cannot be waited for (%v)", result)
	}
	lines, last := strings.Split(strings.TrimSpace(said), "\n"), ""
	for _, line := range lines {
		if text, own := strings.CutPrefix(line, "blossom-beam: "); own {
			last = text
		}
	}
	if last == "" {
		last = fmt.Sprintf("ended with %v: %.300s", result, lines[len(lines)-1])
	}
	err := error(problem.New("", "", "blossom-beam: %s", oneLine(last)))
	if exit.ExitCode() == 2 {
		err = run.Usage{Err: err}
	}
	return err
}

// tail keeps the end of what is written to it.
type tail struct{ bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	n, err := t.Buffer.Write(p)
	if over := t.Len() - 1<<16; over > 1<<16 {
		t.Next(over)
	}
	return n, err
}
