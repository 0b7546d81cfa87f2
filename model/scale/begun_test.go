package scale

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// awaited waits until something holds.
func awaited(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not come: " + what)
		}
	}
}

// hurried has who looks at folders do so often.
func hurried(t *testing.T) {
	was := looksEvery
	looksEvery = 20 * time.Millisecond
	t.Cleanup(func() { looksEvery = was })
}

// Others see that something makes parts, and may ask it to end; who made the same beside it holds the folder then.
func TestAFolderIsHeldByWhatMakesItsParts(t *testing.T) {
	hurried(t)
	p := prepared(t, wished(t, 1))
	if Held(p.Folder()) {
		t.Fatal("it is held by nobody")
	}
	first, release := p.Hold(t.Context())
	if !Held(p.Folder()) {
		t.Fatal("it is not held")
	}
	second, releaseSecond := p.Hold(t.Context())
	release()
	if first.Err() == nil || second.Err() != nil || Stopped(first, first.Err()) != context.Canceled {
		t.Errorf("%v, %v, asked: %v", first.Err(), second.Err(), Stopped(first, first.Err()))
	}
	awaited(t, "the second one holds it", func() bool { return Held(p.Folder()) })
	if err := Stop(p.Folder()); err != nil {
		t.Fatal(err)
	}
	awaited(t, "it is told", func() bool { return second.Err() != nil })
	if err := Stopped(second, second.Err()); err != ErrStopped {
		t.Errorf("why it ends is %v", err)
	}
	releaseSecond()
	if Held(p.Folder()) {
		t.Error("it is held by who has let it go")
	}
	one, releaseOne := p.Hold(t.Context())
	other, releaseOther := p.Hold(t.Context())
	if err := Stop(p.Folder()); err != nil {
		t.Fatal(err)
	}
	awaited(t, "the one is told", func() bool { return one.Err() != nil })
	releaseOne()
	awaited(t, "who makes parts beside it is told, too", func() bool { return other.Err() != nil })
	releaseOther()
	third, releaseThird := p.Hold(t.Context())
	defer releaseThird()
	time.Sleep(3 * looksEvery / 2)
	if third.Err() != nil {
		t.Error("who comes later is asked to end, too")
	}
}

// A folder goes on while something holds it, is left off when that has gone, and has ended when it is finished.
func TestWhatWasBegunIsInAPhase(t *testing.T) {
	hurried(t)
	p := prepared(t, wished(t, 2))
	is := func(want Phase, done int) {
		t.Helper()
		b, err := BegunIn(t.Context(), p.Folder())
		if err != nil || b.Phase != want || b.Status.Done != done {
			t.Fatalf("it is %+v (%v)", b, err)
		}
	}
	is(LeftOff, 0)
	_, release := p.Hold(t.Context())
	make1(t, p, 0)
	is(Going, 1)
	b, err := BegunIn(t.Context(), p.Folder())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	seen := make(chan int64, 1000)
	go func() { ended <- b.Follow(t.Context(), false, func(done, _ int64) { seen <- done }) }()
	if n := <-seen; n != 1 {
		t.Errorf("%d parts are seen", n)
	}
	release()
	if err := <-ended; err != nil || b.Phase != LeftOff {
		t.Fatalf("%v, %v", b.Phase, err)
	}
	go func() { ended <- b.Follow(t.Context(), true, func(int64, int64) {}) }()
	make1(t, p, 1)
	if _, err := p.Finish(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || b.Phase == Going {
		t.Fatalf("%v, %v", b.Phase, err)
	}
	is(Ended, 2)
	if b, err := BegunIn(t.Context(), filepath.Dir(p.Folder())); b != nil || err != nil {
		t.Errorf("a folder without a plan is %+v (%v)", b, err)
	}
}

// Folders that were begun of the same rows are found beside one, after it, and none of other rows.
func TestWhatWasBegunBesideAFolderIsFound(t *testing.T) {
	w := wished(t, 2)
	p := prepared(t, w)
	make1(t, p, 0, 1)
	if _, err := p.Finish(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		files int
	}{{"out-again", 2}, {"out-again-2", 1}, {"out-again-3", 2}} {
		next := w
		next.Folder, next.Paths = filepath.Join(filepath.Dir(w.Folder), c.name), w.Paths[:c.files]
		prepared(t, next)
	}
	names := func(folder string) (out []string) {
		all, err := (&Whole{Folder: folder, plan: "of these"}).Begun(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range all {
			out = append(out, filepath.Base(b.Folder()))
		}
		return out
	}
	if got := names(w.Folder); len(got) != 2 || got[0] != "out-again" || got[1] != "out-again-3" {
		t.Errorf("beside it is %q", got)
	}
	if got := names(filepath.Join(filepath.Dir(w.Folder), "out-again")); len(got) != 1 || got[0] != "out-again-3" {
		t.Errorf("beside the next one is %q", got)
	}
}

// Tasks that were submitted before are waited for by who goes on, and parts are submitted once.
func TestTasksThatWereSubmittedBeforeAreWaitedFor(t *testing.T) {
	p, o, folder := pretendSlurm(t, map[string]string{"sbatch": "echo x >>$D/submitted; echo 7"})
	ctx, cancel := context.WithCancel(t.Context())
	o.Say = func(string, ...any) { cancel() }
	o.Stall = time.Nanosecond
	if err := os.MkdirAll(p.Folder(), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := p.Note(Placed{Runner: "slurm", Jobs: []string{"7"}}); err != nil { // by one that was killed
		t.Fatal(err)
	}
	if err := runSlurm(ctx, p, "", []int{0, 1}, o); err == nil || !cancelled(folder) {
		t.Errorf("%v, taken back %v", err, cancelled(folder))
	}
	if _, err := os.Stat(filepath.Join(folder, "submitted")); err == nil {
		t.Error("they are submitted twice")
	}
	if by := placedIn(p.Folder()); by.Runner != "slurm" || len(by.Jobs) != 0 {
		t.Errorf("%+v is noted", by)
	}
	if err := p.Note(Placed{Runner: "slurm", Jobs: []string{"7"}}); err != nil {
		t.Fatal(err)
	}
	if err := p.Note(Placed{Runner: "slurm"}); err != nil || len(placedIn(p.Folder()).Jobs) != 1 {
		t.Error("jobs of the same runner are not noted any more")
	}
	if err := p.Note(Placed{Runner: "slurm", Args: []string{"--partition=x"}}); err != nil ||
		len(placedIn(p.Folder()).Jobs) != 0 {
		t.Error("jobs are noted of a runner that was told something else")
	}
}

// In the place of a lock there may be anything, which is neither opened nor followed.
func TestALockThatIsNoFileIsLeftAlone(t *testing.T) {
	hurried(t)
	p := prepared(t, wished(t, 1))
	lock, elsewhere := filepath.Join(p.Folder(), heldFile), filepath.Join(t.TempDir(), "elsewhere")
	for _, put := range []func() error{func() error { return os.Mkdir(lock, 0o777) },
		func() error { return os.Symlink(elsewhere, lock) }} {
		if err := put(); err != nil {
			t.Skip(err) // a system without links
		}
		ctx, release := p.Hold(t.Context())
		if ctx.Err() != nil || Held(p.Folder()) {
			t.Error("it is held")
		}
		release()
		if err := os.Remove(lock); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Lstat(elsewhere); err == nil {
		t.Error("a link was followed")
	}
}
