package scale

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// counted is sbatch that numbers jobs from 7 and keeps what it is told of each.
const counted = `n=$(cat $D/n 2>/dev/null || echo 6); n=$((n+1)); echo $n >$D/n
echo "$@" >$D/args.$n; cat >$D/script.$n; echo "$n;cluster"`

// Tasks that nobody waits for are followed by a job that goes on, with the command as it was given, when all of them
// have ended, one way or the other.
func TestAJobGoesOnAfterTasksThatNobodyWaitsFor(t *testing.T) {
	p, o, folder := pretendSlurm(t, map[string]string{"sbatch": counted})
	p.sum = "abc"
	p.Shards = make([]Shard, mostTasks+1)
	o.Args, o.Next = []string{"--partition=x y"}, &Next{Args: []string{"embed", "it's", "-o", "out/"}, Folder: "/a b"}
	if err := chainSlurm(t.Context(), p, []int{0, 1, mostTasks}, o); err != nil || cancelled(folder) {
		t.Fatalf("%v, taken back %v", err, cancelled(folder))
	}
	args, err1 := os.ReadFile(filepath.Join(folder, "args.9"))
	script, err2 := os.ReadFile(filepath.Join(folder, "script.9"))
	if err1 != nil || err2 != nil || !strings.Contains(string(args), "--dependency=afterany:7:8 ") ||
		!strings.Contains(string(args), "--partition=x y") {
		t.Errorf("the job that goes on: %s (%v, %v)", args, err1, err2)
	}
	want := "#!/bin/sh\ncd '/a b' || exit 1\nexport BLOSSOM_ROUND='abc:1'\nexec " + quoted(o.Self) +
		` 'embed' 'it'\''s' '-o' 'out/'` + "\n"
	if string(script) != want {
		t.Errorf("it runs %s", script)
	}
}

// Tasks are taken back where nothing could go on after them.
func TestTasksAreTakenBackWhereNothingGoesOnAfterThem(t *testing.T) {
	p, o, folder := pretendSlurm(t, map[string]string{
		"sbatch": `case "$*" in *afterany*) echo "no dependencies here" >&2; exit 1;; *) echo 7;; esac`})
	o.Next = &Next{Args: []string{"resume", "out"}, Folder: "/"}
	err := chainSlurm(t.Context(), p, []int{0, 1}, o)
	if err == nil || !strings.Contains(err.Error(), "no dependencies here") || !cancelled(folder) {
		t.Errorf("%v, taken back %v", err, cancelled(folder))
	}
}

// Commands that go on count for how often they have placed the parts of one plan, and begin anew with the next.
func TestRoundsOfOnePlanAreCounted(t *testing.T) {
	for text, want := range map[string]int{"": 1, "abc:1": 2, "abc:2": 3, "other:2": 1, "abc:x": 1, "abc:-3": 1} {
		t.Setenv(RoundVariable, text)
		if n := Round("abc"); n != want {
			t.Errorf("%q: round %d, not %d", text, n, want)
		}
	}
}

// A command that is given again while its tasks wait submits nothing; the job that goes on is not in its own way.
func TestNothingIsSubmittedTwice(t *testing.T) {
	p, o, folder := pretendSlurm(t, map[string]string{"sbatch": counted, "squeue": "echo PENDING"})
	o.Next = &Next{Args: []string{"resume", "out"}, Folder: "/"}
	for range 2 {
		if err := chainSlurm(t.Context(), p, []int{0, 1}, o); err != nil {
			t.Fatal(err)
		}
	}
	by := Placed{Runner: "slurm", Args: o.Args}
	if got := jobsOf(p.folder, by); !slices.Equal(got, []string{"7", "8"}) {
		t.Errorf("jobs %v are noted", got)
	}
	if _, err := os.Lstat(filepath.Join(folder, "args.9")); err == nil {
		t.Error("the second command has submitted tasks, too")
	}
	t.Setenv("SLURM_JOB_ID", "8")
	by.Jobs = []string{"8"}
	if err := note(p.folder, by); err != nil {
		t.Fatal(err)
	}
	if err := chainSlurm(t.Context(), p, []int{0, 1}, o); err != nil {
		t.Fatal(err)
	}
	if got := jobsOf(p.folder, by); !slices.Equal(got, []string{"9", "10"}) {
		t.Errorf("the job that goes on leaves %v noted", got)
	}
}

// Whatever the file of a folder says of jobs goes to squeue and scancel as numbers alone, and sbatch gets no command.
func TestNotedJobsAreNumbersAndNotedWordsNoCommands(t *testing.T) {
	folder := t.TempDir()
	text := `{"runner":"slurm","jobs":["--user=somebody","12","0","x"]}`
	if err := os.WriteFile(filepath.Join(folder, PlacedFile), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := placedIn(folder).Jobs; !slices.Equal(got, []string{"12"}) {
		t.Errorf("jobs %v", got)
	}
	for _, word := range []string{"--wrap=touch x", "--wra=x", "script"} {
		if err := note(folder, Placed{Runner: "slurm", Args: []string{word}}); err != nil {
			t.Fatal(err)
		}
		if by := placedIn(folder); !by.Here() {
			t.Errorf("%q is told sbatch", by.Args)
		}
	}
}
