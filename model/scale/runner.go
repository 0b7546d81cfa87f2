package scale

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/registry"
	"blossom/model/job"
	"blossom/model/job/run"
)

// Runner places parts: on this machine, or with a scheduler. A member is a file of its own that registers it.
type Runner struct {
	ID    string
	Title string // says in words where parts are made
	// Kinds are what may follow the ID and a colon, as a user is told: "k8s", "HOST:PORT"; "" is the ID alone. Where
	// there are none it is the ID alone.
	Kinds []string
	// Takes says what is wrong with a kind, nil: nothing is. Where it is nil a kind is one of Kinds to the letter.
	Takes func(kind string) error
	// Lacks says why it cannot be used here, before a plan is made; nil: it always can.
	Lacks func(kind string, o *Options) error
	// Run makes the parts of todo, or sees to it that they are made. It returns when that has come to an end, one way
	// or the other; what is missing then is found by who has called it.
	Run func(ctx context.Context, p *Plan, kind string, todo []int, o *Options) error
	// Chain makes what Run makes without waiting for it, and has the command of o.Next run when that has come to an
	// end. nil: it cannot.
	Chain func(ctx context.Context, p *Plan, todo []int, o *Options) error
	// Later: it only says how parts are made; nothing has been made when it returns.
	Later bool
}

// Options are of the machine and of the moment.
type Options struct {
	job.Options
	Skip  bool          // parts that cannot be made are left out
	Stall time.Duration // so long without a part is an end
	Args  []string      // for the scheduler
	Self  string        // the program that makes parts
	Next  *Next         // the command after them; nil: who has called waits
	// Beside: something else makes the parts, too.
	Beside bool
	Say    func(format string, args ...any)
	// Progress is told how many parts are there.
	Progress func(done, total int64)
}

var runners = registry.New("runner", func(r Runner) string { return r.ID },
	func(a, b Runner) int { return cmp.Compare(a.ID, b.ID) })

// Register adds a runner. It panics if the ID is taken.
func Register(r Runner) { runners.Add(r) }

// Runners are the words that choose one: "local", "print:k8s".
func Runners() (words []string) {
	for _, r := range runners.All() {
		for _, k := range r.kinds() {
			if k != "" {
				k = ":" + k
			}
			words = append(words, r.ID+k)
		}
	}
	return words
}

// kinds are Kinds, the ID alone among them where it is one.
func (r *Runner) kinds() []string {
	if len(r.Kinds) == 0 {
		return []string{""}
	}
	return r.Kinds
}

// Local is the runner of this machine.
const Local = "local"

// RunnerOf is the runner of a word, "ID" or "ID:KIND". The error is a Usage.
func RunnerOf(word string) (r Runner, kind string, err error) {
	id, kind, named := strings.Cut(word, ":")
	r, ok := runners.Find(id)
	switch {
	case !ok || named && kind == "" || r.Takes == nil && !slices.Contains(r.kinds(), kind):
		err = problem.New("", "use "+problem.OneOf(Runners()...), "there is no runner %.40q", word)
	case r.Takes != nil:
		err = r.Takes(kind)
	}
	if err != nil {
		err = run.Usage{Err: err}
	}
	return r, kind, err
}

// shardVariables are what schedulers say the number of a task in, from what it counts, and what says that it is one.
var shardVariables = []struct {
	name, means string
	from        int
}{
	{"SLURM_ARRAY_TASK_ID", "Slurm", 0}, {"SGE_TASK_ID", "Grid Engine", 1}, {"LSB_JOBINDEX", "LSF", 1},
	{"PBS_ARRAY_INDEX", "PBS", 0}, {"JOB_COMPLETION_INDEX", "Kubernetes", 0},
	{"AWS_BATCH_JOB_ARRAY_INDEX", "AWS Batch", 0}, {"OMPI_COMM_WORLD_RANK", "MPI", 0},
}

// ShardOf is the part, from 0, that a word names for a plan of n parts: "3/16", which counts from 0, or "auto", which a
// scheduler says. The error is a Usage.
func ShardOf(word string, n int) (part int, err error) {
	bad := func(remedy, format string, args ...any) error {
		return run.Usage{Err: problem.New("", remedy, format, args...)}
	}
	if word == "auto" {
		var names []string
		for _, v := range shardVariables {
			names = append(names, v.name)
			text := os.Getenv(v.name)
			if text == "" || text == "undefined" { // as Grid Engine says that there is no array
				continue
			}
			i, err := strconv.Atoi(text)
			if i -= v.from; err != nil || i < 0 || i >= n {
				return 0, bad(fmt.Sprintf("give an array of %d tasks, from %d", n, v.from),
					"%s=%.40s names no part of %d", v.name, text, n)
			}
			return i, nil
		}
		return 0, bad("run it by a scheduler, or give I/N", "--shard auto: none of %s is set",
			strings.Join(names, ", "))
	}
	i, of, ok := strings.Cut(word, "/")
	at, err1 := strconv.Atoi(i)
	total, err2 := strconv.Atoi(of)
	switch {
	case !ok || err1 != nil || err2 != nil:
		return 0, bad("give I/N, from 0, or auto", "--shard %.40q is none", word)
	case total != n:
		return 0, bad(fmt.Sprintf("give I/%d", n), "the plan has %d parts, --shard says %d", n, total)
	case at < 0 || at >= n:
		return 0, bad(fmt.Sprintf("parts are 0/%d to %d/%d", n, n-1, n), "there is no part %.40s", word)
	}
	return at, nil
}
