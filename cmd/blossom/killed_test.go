package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/recovery"
)

// killsVariable is how often the window is killed: 3 times without it, and "issue" is ten times each while it trains,
// saves and loads.
const killsVariable = "BLOSSOM_KILLS"

// most is how much work a kill may cost.
const most = 20 * time.Second

// killing is a state folder whose windows are killed, and what must still be in it.
type killing struct {
	*testing.T
	state  string
	known  map[string][]byte // newest saves by their slots, of sessions that nobody has open
	random *rand.Rand
	row    []string
}

// windowed is a window that runs.
type windowed struct {
	*exec.Cmd
	began time.Time
}

// start opens a window of its own, with words before the program's name.
func (k *killing) start(what string, before ...string) *windowed {
	k.Helper()
	words := append(before, binary(k), what)
	w := &windowed{Cmd: exec.Command(words[0], words[1:]...), began: time.Now()}
	w.Env = append(os.Environ(), "XDG_STATE_HOME="+k.state, "XDG_CONFIG_HOME="+filepath.Join(k.state, "config"),
		"LIBGL_ALWAYS_SOFTWARE=1")
	if err := w.Start(); err != nil {
		k.Fatal(err)
	}
	k.Cleanup(func() { _ = w.Process.Kill(); _ = w.Wait() })
	return w
}

// kill ends a window as kill -9 does.
func (k *killing) kill(w *windowed) time.Time {
	at := time.Now()
	_ = w.Process.Kill()
	_ = w.Wait()
	return at
}

func (k *killing) list() []recovery.Item {
	k.Helper()
	items, err := recovery.In(filepath.Join(k.state, "blossom")).List(context.Background())
	if err != nil {
		k.Fatal(err)
	}
	return items
}

// open waits until so many windows have saved, and returns those sessions.
func (k *killing) open(n int) (out []recovery.Item) {
	k.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		out = nil
		for _, i := range k.list() {
			if i.Held && i.Path != "" {
				out = append(out, i)
			}
		}
		if len(out) == n {
			return out
		}
	}
	k.Fatalf("%d windows have saved, not %d", len(out), n)
	return nil
}

// check says what a kill has cost, and that all that was there before still is. busy: there was always something to
// save.
func (k *killing) check(state string, kill time.Time, open []recovery.Item, busy bool) {
	k.Helper()
	mine := func(i recovery.Item) bool {
		return i.Held && slices.ContainsFunc(open, func(o recovery.Item) bool { return o.ID == i.ID })
	}
	for range 100 { // unshare goes before what it started, which takes a moment to leave its memory
		if !slices.ContainsFunc(k.list(), mine) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	items := map[string]recovery.Item{}
	for _, i := range k.list() {
		items[i.ID] = i
		if i.Damage != "" || i.Path == "" {
			k.Errorf("%s: %s: %s", state, i.ID, i.Damage)
		}
	}
	for id, text := range k.known {
		i, there := items[id]
		if !there {
			k.Errorf("%s: %s is gone, which nobody forgot", state, id)
			continue
		}
		if now, err := os.ReadFile(i.Path); err != nil || !bytes.Equal(now, text) {
			k.Errorf("%s: %s is another one than it was (%v)", state, id, err)
		}
	}
	lost := time.Duration(0)
	for _, o := range open {
		i, there := items[o.ID]
		switch {
		case !there:
			k.Errorf("%s: the session is not listed", state)
			continue
		case i.Held:
			k.Errorf("%s: the session counts as open", state)
		case !i.Crashed():
			k.Errorf("%s: the session counts as closed", state)
		}
		if age := kill.Sub(i.At); busy {
			lost = max(lost, age)
		}
		text, err := os.ReadFile(i.Path)
		if err != nil {
			k.Fatal(err)
		}
		k.known[i.ID] = text
	}
	if lost > most {
		k.Errorf("%s: %v of work is lost", state, lost)
	}
	said := "-"
	if busy {
		said = fmt.Sprintf("%.1f s", lost.Seconds())
	}
	k.row = append(k.row, fmt.Sprintf("%-22s lost %7s   listed %2d", state, said, len(items)))
}

func (k *killing) wait(from, to time.Duration) {
	time.Sleep(from + time.Duration(k.random.Int64N(int64(to-from))))
}

// While it trains, at any time: what there was at most 20 seconds ago is there.
func (k *killing) training(long bool) {
	w := k.start("demo:mammoth:400000")
	open := k.open(1)
	if long {
		k.wait(16*time.Second, 32*time.Second)
	} else {
		k.wait(0, 8*time.Second)
	}
	k.check("training", k.kill(w), open, time.Since(w.began) < time.Minute)
}

// In the middle of a save: the one before is whole.
func (k *killing) saving() {
	w := k.start("demo:mammoth:400000")
	open := k.open(1)
	dir := filepath.Dir(open[0].Path)
	for end := time.Now().Add(25 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Microsecond) {
		if parts, _ := filepath.Glob(filepath.Join(dir, ".*.part")); len(parts) > 0 {
			break
		}
	}
	k.check("saving", k.kill(w), open, true)
}

// While it loads, before there is anything to save: what others have left is untouched. Every other time it is one of
// those that is loaded, which may be saved anew, and is whole.
func (k *killing) loading() {
	what := "demo:cytometry:3000000"
	if items := k.list(); len(items) > 0 && len(k.row)%2 == 0 {
		i := items[k.random.IntN(len(items))]
		what = i.Path
		delete(k.known, i.ID)
	}
	w := k.start(what)
	k.wait(200*time.Millisecond, 3*time.Second)
	k.check("loading", k.kill(w), nil, false)
	for _, i := range k.list() { // it may have been quick
		if text, err := os.ReadFile(i.Path); err == nil && k.known[i.ID] == nil {
			k.known[i.ID] = text
		}
	}
}

// One of two windows: the other goes on, and is not offered.
func (k *killing) two() {
	v, w := k.start("demo:torus-knot:200000"), k.start("demo:mammoth:200000")
	k.open(2)
	k.wait(0, 5*time.Second)
	before := k.open(2)
	at := k.kill(v)
	var gone []recovery.Item
	for _, b := range before {
		for _, i := range k.list() {
			if i.ID == b.ID && !i.Held {
				gone = append(gone, i)
			}
		}
	}
	if len(gone) != 1 {
		k.Errorf("two windows: %d of them count as ended", len(gone))
	}
	k.check("two windows, one", at, gone, true)
	rest := k.open(1)
	k.check("two windows, other", k.kill(w), rest, true)
}

// In a container, always as process 1.
func (k *killing) container() {
	alone := []string{"unshare", "--pid", "--fork", "--kill-child", "--mount-proc"}
	if exec.Command(alone[0], append(alone[1:], "true")...).Run() != nil {
		k.row = append(k.row, "container              not permitted here")
		return
	}
	w := k.start("demo:mammoth:200000", alone...)
	open := k.open(1)
	k.wait(0, 5*time.Second)
	k.check("process 1", k.kill(w), open, true)
}

// A session that was left, opened again: it goes on in its place, and is left there again.
func (k *killing) again() {
	items := k.list()
	i := items[k.random.IntN(len(items))]
	w := k.start(i.Path)
	open := k.open(1)
	if open[0].ID != i.ID {
		k.Errorf("opened again, it is kept as another one: %s", open[0].ID)
	}
	delete(k.known, i.ID)
	k.wait(0, 3*time.Second)
	k.check("opened again", k.kill(w), open, false)
}

// Two windows with the same session of the user's: each has a slot of its own, and the file stays as it was.
func (k *killing) shared() {
	items := k.list()
	text, err := os.ReadFile(items[k.random.IntN(len(items))].Path)
	if err != nil {
		k.Fatal(err)
	}
	path := filepath.Join(k.state, "shared.blossom")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		k.Fatal(err)
	}
	v, w := k.start(path), k.start(path)
	open := k.open(2)
	k.wait(0, 3*time.Second)
	k.kill(v)
	k.check("two of one session", k.kill(w), open, false)
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, text) {
		k.Errorf("the session of two windows that were killed is another one (%v)", err)
	}
}

// While landmarks are moved by hand, by a key every half second: all that were moved 20 seconds ago are.
func (k *killing) editing() {
	if _, err := exec.LookPath("xdotool"); err != nil {
		k.row = append(k.row, "editing                no xdotool here")
		return
	}
	w := k.start("demo:s-sheet:500")
	open := k.open(1)
	time.Sleep(4 * time.Second) // it settles
	key := func(keys ...string) { _ = exec.Command("xdotool", append([]string{"key"}, keys...)...).Run() }
	found, _ := exec.Command("xdotool", "search", "--name", "blossom").Output()
	for _, id := range strings.Fields(string(found)) {
		_ = exec.Command("xdotool", "windowfocus", id).Run()
	}
	key("2", "ctrl+a")
	at := func() float64 {
		for _, i := range k.list() {
			if i.ID == open[0].ID {
				return placeOf(k.T, i.Path)
			}
		}
		return 0
	}
	begin := at()
	const first = 5 // moves, to know how far one goes
	for range first {
		key("Right")
		time.Sleep(200 * time.Millisecond)
	}
	for end := time.Now().Add(most + 5*time.Second); at() == begin && time.Now().Before(end); {
		time.Sleep(200 * time.Millisecond)
	}
	step := (at() - begin) / first
	if step == 0 {
		k.Errorf("editing: the first moves were not saved within %v", most)
		return
	}
	var pressed []time.Time
	for end := time.Now().Add(most + time.Duration(k.random.Int64N(20e9))); time.Now().Before(end); {
		key("Right")
		pressed = append(pressed, time.Now())
		time.Sleep(500 * time.Millisecond)
	}
	kill := k.kill(w)
	k.check("editing", kill, open, true)
	moved, must := (at()-begin)/step-first, 0
	for _, p := range pressed {
		if kill.Sub(p) > most {
			must++
		}
	}
	if moved < float64(must)-0.5 {
		k.Errorf("editing: %.1f of %d moves are there, of which %d are older than %v", moved, len(pressed), must, most)
	}
	k.row[len(k.row)-1] += fmt.Sprintf("   %.1f of %d moves, %d had to be", moved, len(pressed), must)
}

// placeOf is where the first landmark of a save is, from the left.
func placeOf(t *testing.T, path string) float64 {
	t.Helper()
	o, err := opening.LoadSession(t.Context(), path, "", "", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return float64(parts.Landmarks.Of(o.Doc.State()).Pos.Row(0)[0])
}

// The window, killed in all states, costs no more than 20 seconds of work; all that was left is listed, and nothing
// goes that nobody has forgotten.
func TestKilledInAllStates(t *testing.T) {
	if os.Getenv("DISPLAY") == "" || testing.Short() {
		t.Skip("needs a display")
	}
	k := &killing{T: t, state: t.TempDir(), known: map[string][]byte{}, random: rand.New(rand.NewPCG(1, 2))}
	rounds := []func(){k.two, k.again, k.shared, func() { k.training(false) }, k.saving, k.loading, k.container,
		k.editing, func() { k.training(true) }}
	kills := 3
	switch text := os.Getenv(killsVariable); text {
	case "":
	case "issue":
		rounds, kills = []func(){func() { k.training(len(k.row)%2 == 0) }, k.saving, k.loading}, 30
	default:
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		kills = n
	}
	for n := 0; len(k.row) < kills; n++ {
		rounds[n%len(rounds)]()
		if t.Failed() {
			break
		}
	}
	t.Logf("%d kills:\n%s", len(k.row), strings.Join(k.row, "\n"))
}
