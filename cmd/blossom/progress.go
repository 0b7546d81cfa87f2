package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"blossom/model/base/step"
	"blossom/model/job/run"
)

// bar draws the progress of the stage under way on one line of a terminal: how far, how fast, how
// long still. It is told from several goroutines and draws at most ten times a second.
type bar struct {
	mu      sync.Mutex
	out     io.Writer
	width   func() int
	now     func() time.Time
	stage   string
	started time.Time // when the stage began
	drawn   time.Time
	shown   bool
	far     step.Bar // how much of the stage is done
}

// progress returns a bar on standard error and its end, or nothing to report to where standard error
// is no terminal or the user wants quiet.
func (a *app) progress() (report run.Report, end func()) {
	if a.told {
		l := &tellings{out: a.stderr}
		return l.report, func() {}
	}
	f, ok := a.stderr.(*os.File)
	if a.quiet || !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}
	b := &bar{out: f, now: time.Now, width: func() int {
		w, _, err := term.GetSize(int(f.Fd()))
		if err != nil || w < 20 {
			return 80
		}
		return w
	}}
	return b.report, b.end
}

// tells has a flag choose progress in lines, as the window reads it of commands that it runs.
func (a *app) tells(fs *pflag.FlagSet) {
	fs.BoolVar(&a.told, "progress", false,
		"say how far it is on standard error, a line for each percent, also where that is no terminal")
}

// report is a run.Report. What follows " · " in the name of a stage is a remark, which comes last.
func (b *bar) report(stage string, done, total int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	stage, remark, _ := strings.Cut(stage, " · ")
	if stage != b.stage {
		b.stage, b.started, b.drawn, b.far = stage, now, time.Time{}, step.Bar{}
	}
	b.far.Report(done, total)
	if now.Sub(b.drawn) < 100*time.Millisecond {
		return
	}
	b.drawn, b.shown = now, true
	text := progressLine(stage, done, total, b.far.Fraction(), now.Sub(b.started))
	if remark != "" {
		text += "  " + remark
	}
	line := []rune(text)
	if w := b.width() - 1; len(line) > w {
		line = line[:w]
	}
	fmt.Fprintf(b.out, "\r\x1b[K%s", string(line))
}

// end takes the line away.
func (b *bar) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown {
		fmt.Fprint(b.out, "\r\x1b[K")
		b.shown = false
	}
}

// progressLine is "training      ━━━━━━────  61 %  1.2 M/s  3 s left"; done and total are bytes when reading
// and points otherwise. far is how far the bar is.
func progressLine(stage string, done, total int64, far float64, since time.Duration) string {
	const cells = 28
	rate := 0.0
	if s := since.Seconds(); s > 0.2 {
		rate = float64(done) / s
	}
	unit := ""
	if stage == "reading" || stage == "writing" {
		unit = "B"
	}
	line := fmt.Sprintf("%-12s ", stage)
	if total > 0 {
		full := int(far * cells)
		line += strings.Repeat("━", full) + strings.Repeat("─", cells-full) + fmt.Sprintf(" %3.0f %%", 100*far)
	} else {
		line += metric(float64(done)) + unit
	}
	if rate > 0 {
		line += "  " + metric(rate) + unit + "/s"
		if total > done {
			line += "  " + remaining(time.Duration(float64(total-done)/rate*float64(time.Second))) + " left"
		}
	}
	return line
}

// metric writes a number with a unit prefix: "1.2 M".
func metric(x float64) string {
	for _, p := range []struct {
		size float64
		name string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if x >= p.size {
			return fmt.Sprintf("%.1f%s", x/p.size, p.name)
		}
	}
	return fmt.Sprintf("%.0f ", x)
}

func remaining(d time.Duration) string {
	switch {
	case d >= 90*time.Minute:
		return fmt.Sprintf("%.1f h", d.Hours())
	case d >= 90*time.Second:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.0f s", max(1, d.Seconds()))
}

// tellings writes how far it is for another program: "progress 37 filming 15/40", a line where the percent or the stage
// changes.
type tellings struct {
	mu    sync.Mutex
	out   io.Writer
	stage string
	last  int
}

// report is a run.Report.
func (l *tellings) report(stage string, done, total int64) {
	if total <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	percent := int(100 * float64(done) / float64(total))
	if stage == l.stage && percent == l.last {
		return
	}
	l.stage, l.last = stage, percent
	fmt.Fprintf(l.out, "progress %d %s %d/%d\n", percent, stage, done, total)
}
