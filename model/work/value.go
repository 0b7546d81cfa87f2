package work

import (
	"context"
	"math"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
)

// Ops is an estimate of work in elementary operations: values read and compared, products added. A core does about
// one in a nanosecond.
type Ops float64

const (
	// AtOnce is the most that a value may cost to be made within the frame that wants it.
	AtOnce Ops = 1 << 24
	// Aside is the cost of what is made beside the window however little it is.
	Aside Ops = math.MaxFloat64
)

// Policy says how a value is made, and who hears of it.
type Policy struct {
	Title      string // the title of its job
	Quiet      bool   // its job is not listed: the user did not ask for it
	Background bool   // nobody waits for it: Values.Busy leaves it aside
	Finish     bool   // a making that is out of date is finished before the next one begins; else it is cancelled
	Silent     bool   // an error is not told to Jobs.Failed: whoever shows the value shows its Err
	// A making is followed by a rest of Share times what it took, and of Least at least: see Rested.
	Share  int
	Least  time.Duration
	Remedy string // the advice to whoever cancelled the job, and wants the value after all
	Done   func() // is called when a making has ended, well or not, unless something newer took its place; may be nil
	Serve  func() // is called in each frame; may be nil
	// Due says whether Serve would have the value made: who waits for it goes on waiting. May be nil.
	Due func() bool
}

// Value is something kept by the key of what it was made from, which are revisions for the most part: a key that is
// equal stands for the same value. It keeps one value, that of the key that was made last, until there is a newer one.
// A key that could not be made is remembered and not tried again. All methods belong to the main thread.
type Value[K comparable, V any] struct {
	Policy
	all *Values

	now  V
	of   K // the key that now was made from
	rev  revision.Revision
	want K // the key wanted last

	job   *Job
	under K // the key whose value job makes

	err    error
	failed K         // the key whose making ended in err
	next   time.Time // the end of the rest
}

// Keep returns a value that belongs to all, which closes it and serves it.
func Keep[K comparable, V any](all *Values, how Policy) *Value[K, V] {
	v := &Value[K, V]{Policy: how, all: all}
	all.list = append(all.list, v)
	return v
}

// Want says from what the value should be made now, and returns whether it is to be made: it is not there, has not
// failed and is not under way. A making that is out of date is finished or cancelled, as the policy says. Asking in
// each frame costs nothing.
func (v *Value[K, V]) Want(key K) (due bool) {
	v.want = key
	if v.job != nil {
		if v.under == key || v.Finish {
			return false
		}
		v.Stop()
	}
	return v.Lacks(key)
}

// Lacks says whether the value of a key is neither there nor has failed.
func (v *Value[K, V]) Lacks(key K) bool {
	return (v.rev == 0 || v.of != key) && (v.err == nil || v.failed != key)
}

// Make makes the value of the key that was wanted last: at once if the cost is within a frame's, else as a job.
func (v *Value[K, V]) Make(cost Ops, compute func(ctx context.Context, report func(done, total int64)) (V, error)) {
	key, began := v.want, v.all.clock()
	v.Stop()
	if v.all.AtOnce(cost) {
		out, err := safely(v.Title, compute)
		v.took(key, began, out, err)
		return
	}
	start := v.all.Jobs.Start
	if v.Quiet {
		start = v.all.Jobs.Aside
	}
	job := start(v.Title, func(ctx context.Context, j *Job) (func(), error) {
		out, err := compute(ctx, j.Report)
		return func() {
			if v.job == j {
				v.job = nil
				v.took(key, began, out, err)
			}
		}, nil
	})
	job.Dropped = func() { // the user has cancelled it, or it has panicked, which has been said
		if v.job == job {
			v.job = nil
			v.wait(began)
			v.end(key, v.now, problem.New("", v.Remedy, "%s was not computed", v.Title))
		}
	}
	v.job, v.under = job, key
}

// Put makes out the value of a key: it has come from elsewhere. What is being made goes on.
func (v *Value[K, V]) Put(key K, out V) { v.now, v.of, v.rev = out, key, revision.Next() }

// safely computes within the frame; a panic becomes an error, as that of a job does.
func safely[V any](title string, compute func(context.Context, func(done, total int64)) (V, error)) (out V, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = broken(title, r)
		}
	}()
	return compute(context.Background(), func(int64, int64) {})
}

// wait begins the rest after a making.
func (v *Value[K, V]) wait(began time.Time) {
	now := v.all.clock()
	v.next = now.Add(max(v.Least, time.Duration(v.Share)*now.Sub(began)))
}

// took takes what a making has come to.
func (v *Value[K, V]) took(key K, began time.Time, out V, err error) {
	v.wait(began)
	if err != nil && !v.Silent {
		v.all.Jobs.Failed(err)
	}
	v.end(key, out, err)
}

// end makes out the value of a key or, with an error, remembers that there is none.
func (v *Value[K, V]) end(key K, out V, err error) {
	if err != nil {
		v.err, v.failed = err, key
	} else {
		v.Put(key, out)
	}
	if v.Done != nil {
		v.Done()
	}
}

// Now returns the value that was made last, the zero one before there is any, and whether it is what was wanted last.
func (v *Value[K, V]) Now() (now V, fresh bool) { return v.now, v.Fresh() }

// Fresh says whether the value is there and what was wanted last.
func (v *Value[K, V]) Fresh() bool { return v.rev != 0 && v.of == v.want }

// Of returns the key that Now was made from, the zero one before there is any.
func (v *Value[K, V]) Of() K { return v.of }

// Rev returns a revision that is another whenever the value is; 0: there is none.
func (v *Value[K, V]) Rev() revision.Revision { return v.rev }

// Err says why there is no value of the key that was wanted last: nil where it is there or may still come.
func (v *Value[K, V]) Err() error {
	if v.err != nil && v.failed == v.want {
		return v.err
	}
	return nil
}

// Under returns the key that is being made beside the window; ok is false where none is.
func (v *Value[K, V]) Under() (key K, ok bool) { return v.under, v.job != nil }

// Busy says whether the value is being made.
func (v *Value[K, V]) Busy() bool { return v.job != nil }

// Rested says whether the rest after the last making is over: what changes in every frame would else be made all the
// time.
func (v *Value[K, V]) Rested() bool { return !v.all.clock().Before(v.next) }

// Stop cancels what is being made. What there is stays.
func (v *Value[K, V]) Stop() {
	if job := v.job; job != nil {
		v.job = nil
		job.Cancel()
	}
}

// Forget lets go of the value and of what is being made, as if it had never been wanted.
func (v *Value[K, V]) Forget() {
	v.Stop()
	var none Value[K, V]
	none.Policy, none.all, none.next = v.Policy, v.all, v.next
	*v = none
}

// Drop is Forget for good: the value belongs to nothing any more.
func (v *Value[K, V]) Drop() {
	v.Forget()
	v.all.remove(v)
}

func (v *Value[K, V]) awaited() bool {
	return !v.Background && (v.job != nil || v.Due != nil && v.Due())
}

func (v *Value[K, V]) serve() {
	if v.Serve != nil {
		v.Serve()
	}
}
