//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// asProgram makes the test's program blossom-beam itself, and so the one of workers: its value is "", or what befalls a
// worker, "SIGNAL PARTS FOLDER": it sends itself that signal as soon as so many parts are in the folder.
const asProgram = "BLOSSOM_BEAM_AS_PROGRAM"

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	fate, is := os.LookupEnv(asProgram)
	if !is {
		os.Exit(m.Run())
	}
	if port, serves := strings.CutPrefix(fate, "serve "); serves {
		flag.Parse()
		var n int
		fmt.Sscan(port, &n)
		os.Setenv(asProgram, "") // nothing befalls its workers
		if _, err := prism.CreateJobServer(context.Background(), prism.Options{Port: n}); err != nil {
			panic(err)
		}
		select {}
	}
	if slices.ContainsFunc(os.Args, func(a string) bool { return strings.HasPrefix(a, "--provision_endpoint") }) {
		go befall(fate)
	}
	main()
}

// befall waits for the moment of a fate.
func befall(fate string) {
	var signal, parts int
	var folder string
	if n, _ := fmt.Sscan(fate, &signal, &parts, &folder); n != 3 {
		return
	}
	for {
		if done, _ := filepath.Glob(filepath.Join(folder, "parts", "*.json")); len(done) >= parts {
			syscall.Kill(os.Getpid(), syscall.Signal(signal))
			return
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// stand is a folder with files and landmarks, of which plans are made, and with blossom-beam.
type stand struct {
	t     *testing.T
	dir   string
	paths []string
	flags run.Flags
}

func newStand(t *testing.T, files, points int) *stand {
	t.Helper()
	s := &stand{t: t, dir: t.TempDir(), flags: run.Defaults()}
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(s.dir, "blossom-beam"))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asProgram, "")
	for i := range files {
		path := filepath.Join(s.dir, fmt.Sprintf("s %02d.npy", i))
		s.save(path, fmt.Sprintf("demo:cytometry:%d", points+i))
		s.paths = append(s.paths, path)
	}
	s.flags.Machine.Engine = "cpu"
	s.flags.Origin.LandmarksHD = filepath.Join(s.dir, "hd.npy")
	s.save(s.flags.Origin.LandmarksHD, "demo:cytometry:60")
	s.flags.Origin.LandmarksLD = filepath.Join(s.dir, "ld.csv")
	places := "x,y\n"
	for i := range 60 {
		places += fmt.Sprintf("%d,%d\n", i%8, i/8)
	}
	if err := os.WriteFile(s.flags.Origin.LandmarksLD, []byte(places), 0o666); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stand) save(path, name string) {
	s.t.Helper()
	ds, err := source.Read(s.t.Context(), name, format.Options{})
	if err == nil {
		err = format.Save(s.t.Context(), path, ds, nil)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// plan is one of all files, in a new folder.
func (s *stand) plan(name string) *scale.Plan {
	s.t.Helper()
	flags := s.flags
	p, err := scale.Prepare(s.t.Context(), scale.Wish{Flags: &flags, Want: &job.Embedding{}, Paths: s.paths,
		Folder: filepath.Join(s.dir, name), Output: ".npy", Shown: 100, Program: "blossom " + version}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// run makes the missing parts of a plan by a runner.
func (s *stand) run(ctx context.Context, p *scale.Plan, word string, stall time.Duration) error {
	s.t.Helper()
	r, kind, err := scale.RunnerOf(word)
	if err != nil {
		s.t.Fatal(err)
	}
	todo, err := p.Missing(s.t.Context(), true, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return r.Run(ctx, p, kind, todo, &scale.Options{Stall: stall, Self: filepath.Join(s.dir, "blossom"),
		Options: job.Options{Program: "blossom " + version}})
}

// finished are the sums of all parts of a plan, and that of its sample.
func (s *stand) finished(p *scale.Plan) (sums []string) {
	s.t.Helper()
	m, err := p.Finish(s.t.Context(), false, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, part := range m.Parts {
		sums = append(sums, part.SHA256)
	}
	return sums
}

// local are the sums that the local runner makes.
func (s *stand) local() []string {
	s.t.Helper()
	p := s.plan("local")
	if err := s.run(s.t.Context(), p, scale.Local, time.Minute); err != nil {
		s.t.Fatal(err)
	}
	return s.finished(p)
}

// serve starts a Prism in this process and returns its address.
func serve(t *testing.T) (address string, client jobpb.JobServiceClient) {
	t.Helper()
	port := freePort(t)
	client, err := prism.CreateJobServer(t.Context(), prism.Options{Port: port})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("localhost:%d", port), client
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// unfinished fails the test if anything of a part is there that is not whole.
func (s *stand) unfinished(p *scale.Plan, want []string) {
	s.t.Helper()
	for i := range want {
		r, told := p.Done(s.t.Context(), i, false)
		if _, whole := p.Done(s.t.Context(), i, true); told && (!whole || r.SHA256 != want[i]) {
			s.t.Errorf("part %d has a receipt and is not whole", i)
		}
	}
}

// Prism makes the bytes of the local runner, in this process and as a server with workers of their own.
func TestPrismMakesTheSameParts(t *testing.T) {
	s := newStand(t, 9, 700)
	want := s.local()
	address, client := serve(t)
	for name, word := range map[string]string{"embedded": "prism", "served": "prism:" + address} {
		p := s.plan(name)
		if err := s.run(t.Context(), p, word, time.Minute); err != nil {
			t.Fatalf("%s: %v", word, err)
		}
		if got := s.finished(p); !slices.Equal(got, want) {
			t.Errorf("%s: sums %q, want %q", word, got, want)
		}
	}
	if states := jobStates(t, client); !slices.Equal(states, []jobpb.JobState_Enum{jobpb.JobState_DONE}) {
		t.Errorf("the server has jobs %v", states)
	}
}

func jobStates(t *testing.T, client jobpb.JobServiceClient) (states []jobpb.JobState_Enum) {
	t.Helper()
	jobs, err := client.GetJobs(t.Context(), &jobpb.GetJobsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs.JobInfo {
		states = append(states, j.State)
	}
	return states
}

// A worker that is killed leaves parts that are whole or not there. It ends with an error or is retried, never later
// than nothing goes on, and any runner makes the rest.
func TestAKilledWorkerLeavesWholeParts(t *testing.T) {
	s := newStand(t, 16, 4000)
	want := s.local()
	address, _ := serve(t)
	const stall = 4 * time.Second
	failed, hung := 0, 0
	for i := range 10 {
		p := s.plan(fmt.Sprint("killed", i))
		t.Setenv(asProgram, fmt.Sprint(int(syscall.SIGKILL), " 5 ", p.Folder()))
		began := time.Now()
		err := s.run(t.Context(), p, "prism:"+address, stall)
		t.Setenv(asProgram, "")
		took := time.Since(began)
		if err != nil {
			failed++
			if strings.Contains(err.Error(), "no part has been made") {
				hung++
			}
			if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "resume") {
				t.Errorf("it says %q", err)
			}
		}
		if took > 3*stall {
			t.Errorf("it took %v", took)
		}
		s.unfinished(p, want)
		if err := s.run(t.Context(), p, []string{"prism", "local", "prism:" + address}[i%3], time.Minute); err != nil {
			t.Fatal(err)
		}
		if got := s.finished(p); !slices.Equal(got, want) {
			t.Errorf("resumed, the sums are %q, want %q", got, want)
		}
	}
	t.Logf("of 10 workers killed, %d were said as an error, %d of them because nothing went on", failed, hung)
	if failed == 0 {
		t.Error("no worker was killed before its end")
	}
}

// A worker that hangs is given up, its job is taken back, and any runner makes the rest.
func TestAWorkerThatHangs(t *testing.T) {
	s := newStand(t, 8, 4000)
	want := s.local()
	address, client := serve(t)
	p := s.plan("hung")
	t.Setenv(asProgram, fmt.Sprint(int(syscall.SIGSTOP), " 2 ", p.Folder()))
	err := s.run(t.Context(), p, "prism:"+address, 2*time.Second)
	t.Setenv(asProgram, "")
	if err == nil || !strings.Contains(err.Error(), "no part has been made for 2s") {
		t.Errorf("it says %v", err)
	}
	s.unfinished(p, want)
	if states := jobStates(t, client); slices.Contains(states, jobpb.JobState_RUNNING) {
		t.Errorf("the server has jobs %v", states)
	}
	if err := s.run(t.Context(), p, "prism", time.Minute); err != nil {
		t.Fatal(err)
	}
	if got := s.finished(p); !slices.Equal(got, want) {
		t.Errorf("resumed, the sums are %q, want %q", got, want)
	}
}
