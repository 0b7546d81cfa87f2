//go:build linux

package main

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slurm is a cluster of Slurm in a folder of its own, of nodes that all are this machine, on ports of the loopback.
type slurm struct {
	dir   string
	conf  string
	nodes []string
	procs []*exec.Cmd
}

const slurmConf = `ClusterName=blossom
SlurmctldHost=%[1]s(127.0.0.1)
SlurmUser=%[5]s
SlurmdUser=%[5]s
AuthType=auth/munge
AuthInfo=socket=%[2]s/munge.sock
SlurmctldPort=%[3]d
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool-%%n
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/slurmd-%%n.pid
SlurmctldLogFile=%[2]s/slurmctld.log
SlurmdLogFile=%[2]s/slurmd-%%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=10
KillWait=1
MailProg=/bin/true
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
%[4]sPartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`

// startSlurm starts a cluster of so many nodes, and ends it with the test. Where the machine lacks what it needs the
// test is skipped, or fails where Slurm is required.
func startSlurm(t *testing.T, nodes int) *slurm {
	t.Helper()
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("BLOSSOM_LONG") != "" {
				t.Fatalf("%s is not here (Debian: slurmctld, slurmd, slurm-client, munge)", name)
			}
			t.Skipf("%s is not here (Debian: slurmctld, slurmd, slurm-client, munge)", name)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("daemons of Slurm and munge are started by root")
	}
	dir, err := os.MkdirTemp("/tmp", "blossom-slurm-") // paths of sockets are short
	if err != nil {
		t.Fatal(err)
	}
	s := &slurm{dir: dir, conf: filepath.Join(dir, "slurm.conf")}
	t.Cleanup(func() { s.end(); os.RemoveAll(dir) })
	key := make([]byte, 128)
	rand.Read(key)
	if err := os.WriteFile(filepath.Join(dir, "munge.key"), key, 0o400); err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	ports, lines := freePorts(t, nodes+1), ""
	for i := range nodes {
		name := fmt.Sprintf("n%d", i+1)
		s.nodes = append(s.nodes, name)
		lines += fmt.Sprintf("NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=2 State=UNKNOWN\n", name,
			host, ports[i+1])
		os.Mkdir(filepath.Join(dir, "spool-"+name), 0o755)
	}
	os.Mkdir(filepath.Join(dir, "state"), 0o755)
	write(t, s.conf, fmt.Sprintf(slurmConf, host, dir, ports[0], lines, "root"))
	t.Setenv("SLURM_CONF", s.conf)
	at := func(name string) string { return filepath.Join(dir, name) }
	s.start(t, "munged", "--foreground", "--force", "--socket="+at("munge.sock"), "--key-file="+at("munge.key"),
		"--pid-file="+at("munged.pid"), "--log-file="+at("munged.log"), "--seed-file="+at("munge.seed"))
	s.until(t, "munge", func() bool { _, err := os.Stat(at("munge.sock")); return err == nil })
	s.start(t, "slurmctld", "-D", "-i", "-f", s.conf)
	for _, name := range s.nodes {
		s.startNode(t, name)
	}
	s.until(t, "the nodes", func() bool {
		out, _ := exec.Command("sinfo", "--noheader", "--Node", "--format=%t").Output()
		return strings.Count(string(out), "idle") == nodes
	})
	return s
}

func (s *slurm) startNode(t *testing.T, name string) *exec.Cmd {
	return s.start(t, "slurmd", "-D", "-N", name, "-f", s.conf)
}

func (s *slurm) start(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = s.dir
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	s.procs = append(s.procs, c)
	return c
}

// until waits for what a cluster comes to by itself.
func (s *slurm) until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); !done(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			log, _ := os.ReadFile(filepath.Join(s.dir, "slurmctld.log"))
			t.Fatalf("Slurm: %s did not come up; its log ends: %s", what, log[max(0, len(log)-2000):])
		}
	}
}

// end stops the cluster, and what runs in it.
func (s *slurm) end() {
	exec.Command("scancel", "--user=root").Run()
	for _, c := range slices.Backward(s.procs) {
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		c.Wait()
	}
}

func freePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// A real cluster of Slurm makes the bytes of one machine, also where a task is killed on its way: it is submitted
// again.
func TestSlurmMakesTheBytesOfOneMachine(t *testing.T) {
	dir := partsInput(t, ".npy", 300, 200, 250, 100, 400)
	startSlurm(t, 2)
	embed := []string{"embed", "data", "--landmarks", "map.json", "-o"}
	ok(t, dir, append(embed, "here/")...)
	// the program of the nodes, which kills itself where it makes the part 2 for the first time
	killer := filepath.Join(dir, "it's a killer")
	write(t, killer, fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *2/5*) mkdir %q && kill -9 $$ ;; esac\nexec %q \"$@\"\n",
		filepath.Join(dir, "killed"), binary(t)))
	os.Chmod(killer, 0o755)
	c := command(t, dir, append(embed, "there/", "--runner", "slurm")...)
	c.Env = append(os.Environ(), "BLOSSOM_SELF="+killer)
	if r := finish(t, c); r.code != 0 || !strings.Contains(r.stderr, "1 part missing, submitted again") {
		t.Fatalf("exit code %d: %s", r.code, r.stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "killed")); err != nil {
		t.Error("no task was killed")
	}
	here, there := manifest(t, filepath.Join(dir, "here")), manifest(t, filepath.Join(dir, "there"))
	if !slices.Equal(here.Parts, there.Parts) {
		t.Errorf("Slurm made %+v, one machine %+v", there.Parts, here.Parts)
	}
	trainsAlike(t, dir, killer)
	chainsAlike(t, dir, killer)
}

// chainsAlike embeds by jobs that go on for each other, where nobody waits, one task of which kills itself once.
func chainsAlike(t *testing.T, dir, killer string) {
	t.Helper()
	os.Remove(filepath.Join(dir, "killed"))
	c := command(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "chain/", "--runner", "slurm", "--no-wait")
	c.Env = append(os.Environ(), "BLOSSOM_SELF="+killer)
	if r := finish(t, c); r.code != 0 {
		t.Fatal(r.stderr)
	}
	chain := filepath.Join(dir, "chain")
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(chain, "manifest.json")); err == nil {
			break
		}
		if time.Now().After(end) {
			logs, _ := filepath.Glob(filepath.Join(chain, "logs", "next-*.log"))
			t.Fatalf("nothing went on: %v", logs)
		}
	}
	if logs, _ := filepath.Glob(filepath.Join(chain, "logs", "next-*.log")); len(logs) != 2 {
		t.Errorf("it went on %d times, where a task was killed: %v", len(logs), logs)
	}
	here, there := manifest(t, filepath.Join(dir, "here")), manifest(t, chain)
	if !slices.Equal(here.Parts, there.Parts) {
		t.Errorf("a chain of Slurm made %+v, one machine %+v", there.Parts, here.Parts)
	}
}

// trainsAlike trains landmarks on Slurm, an array of tasks in each epoch, one of which kills itself once, and here.
func trainsAlike(t *testing.T, dir, killer string) {
	t.Helper()
	os.Remove(filepath.Join(dir, "killed"))
	train := []string{"train", "data", "--som", "5x5", "--algorithm", "som-batch", "--epochs", "3", "-o"}
	ok(t, dir, append(train, "one.json")...)
	began := time.Now()
	c := command(t, dir, append(train, "parts.json", "--runner", "slurm")...)
	c.Env = append(os.Environ(), "BLOSSOM_SELF="+killer)
	if r := finish(t, c); r.code != 0 || !strings.Contains(r.stderr, "1 part missing, submitted again") {
		t.Fatalf("exit code %d: %s", r.code, r.stderr)
	}
	t.Logf("an epoch of Slurm takes %v, one of them with a killed task", time.Since(began)/3)
	if one, parts := text(t, filepath.Join(dir, "one.json")), text(t, filepath.Join(dir, "parts.json")); one != parts {
		t.Errorf("Slurm trained other landmarks:\n%.300s\n%.300s", parts, one)
	}
}

// Without Slurm its runner says so, before a plan is made.
func TestARunnerThatIsNotHereSaysSo(t *testing.T) {
	dir := partsInput(t, ".npy", 50)
	c := command(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/", "--runner", "slurm")
	c.Env = append(os.Environ(), "PATH="+dir)
	finish(t, c).refused(t, 2, "sbatch", "--runner local")
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("a plan was made for nothing")
	}
}

// slowly starts a run of parts on Slurm whose tasks wait, and note their processes, where they make a part for the
// first time. It returns when the task of the part 1 waits: the node that it is on, and the processes to be killed
// where that is lost.
func slowly(t *testing.T, dir string) (done <-chan result, node string, pids []string) {
	t.Helper()
	slow, noted := filepath.Join(dir, "slow"), filepath.Join(dir, "noted")
	write(t, slow, fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *1/4*) if mkdir %q; then "+
		"sleep 60 & echo $SLURMD_NODENAME $$ $PPID $! > %[2]q.new && mv %[2]q.new %[2]q; wait; fi ;; esac\n"+
		"exec %[3]q \"$@\"\n",
		filepath.Join(dir, "first"), noted, binary(t)))
	os.Chmod(slow, 0o755)
	c := command(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "there/", "--runner", "slurm",
		"--stall", "4m")
	c.Env = append(os.Environ(), "BLOSSOM_SELF="+slow)
	ends := make(chan result, 1)
	go func() { ends <- finish(t, c) }()
	for range 600 {
		if text, err := os.ReadFile(noted); err == nil {
			words := strings.Fields(string(text))
			return ends, words[0], words[1:]
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("no task was started")
	return nil, "", nil
}

// A node that is lost with its task costs time alone: Slurm puts the task back, or its part is submitted again.
func TestALostNodeOfSlurmChangesNothing(t *testing.T) {
	if os.Getenv("BLOSSOM_LONG") == "" {
		t.Skip("Slurm takes its time to miss a node: make test-long")
	}
	dir := partsInput(t, ".npy", 300, 200, 250, 100)
	s := startSlurm(t, 3)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "here/")
	done, node, pids := slowly(t, dir)
	t.Logf("%s is lost with %v", node, pids)
	for _, c := range s.procs {
		if slices.Contains(c.Args, node) {
			syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		}
	}
	exec.Command("kill", append([]string{"-9"}, pids...)...).Run()
	if r := <-done; r.code != 0 {
		t.Fatal(r.stderr)
	}
	here, there := manifest(t, filepath.Join(dir, "here")), manifest(t, filepath.Join(dir, "there"))
	if !slices.Equal(here.Parts, there.Parts) {
		t.Errorf("Slurm made %+v, one machine %+v", there.Parts, here.Parts)
	}
}

// A controller that is killed and comes back, and a submitter that is killed: parts stay whole, and any runner goes on.
func TestAKilledControllerOfSlurmChangesNothing(t *testing.T) {
	if os.Getenv("BLOSSOM_LONG") == "" {
		t.Skip("it waits for Slurm: make test-long")
	}
	dir := partsInput(t, ".npy", 300, 200, 250, 100)
	s := startSlurm(t, 2)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "here/")
	done, _, pids := slowly(t, dir)
	for _, c := range s.procs {
		if filepath.Base(c.Path) == "slurmctld" {
			syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		}
	}
	exec.Command("kill", append([]string{"-9"}, pids...)...).Run()
	time.Sleep(3 * time.Second)
	s.start(t, "slurmctld", "-D", "-f", s.conf)
	ok(t, dir, "resume", "there") // here, beside it
	if r := <-done; r.code != 0 {
		t.Fatal(r.stderr)
	}
	here, there := manifest(t, filepath.Join(dir, "here")), manifest(t, filepath.Join(dir, "there"))
	if !slices.Equal(here.Parts, there.Parts) {
		t.Errorf("Slurm made %+v, one machine %+v", there.Parts, here.Parts)
	}
}
