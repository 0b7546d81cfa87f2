package ui

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// logbook keeps the messages of a run: the last one for the status bar, all of them to be copied.
// Safe for concurrent use.
type logbook struct {
	mu    sync.Mutex
	lines []string
	last  string
	at    time.Time
	now   func() time.Time
}

// logLines bounds the log.
const logLines = 2000

func (l *logbook) add(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	now := time.Now
	if l.now != nil {
		now = l.now
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last, l.at = text, now()
	l.lines = append(l.lines, l.at.Format("15:04:05 ")+text)
	if len(l.lines) > logLines {
		l.lines = l.lines[len(l.lines)-logLines:]
	}
}

// text returns the whole log.
func (l *logbook) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n") + "\n"
}

// recent returns the last message if it is younger than d, and for how long it will be.
func (l *logbook) recent(now time.Time, d time.Duration) (message string, left time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if left = d - now.Sub(l.at); left <= 0 || l.last == "" {
		return "", 0
	}
	return l.last, left
}
