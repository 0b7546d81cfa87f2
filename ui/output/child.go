package output

import (
	"context"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"blossom/model/base/plain"
)

// child is the program itself as a process of its own.
type child struct {
	program string
	args    []string
	// log is a file that it says what it says to, and it goes on when the window has gone; "": it says it to the
	// window, and ends with that.
	log string
}

// Times that a process may take to end that was told to: until it is waited for no longer, and until it is killed, as
// it may have to take tasks back from a scheduler.
const (
	childHurries = time.Second
	childEnds    = time.Minute
)

// children are the processes of a window that end with it.
type children struct {
	mu   sync.Mutex
	list map[*os.Process]bool
	gone bool // the window goes
}

// leave ends them, but for those that go on when the window has gone.
func (c *children) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone = true
	for p := range c.list {
		stop(p)
	}
}

func (c *children) left() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone
}

// start starts a process, and returns what says how it has ended.
func (c *children) start(cmd *exec.Cmd, lasts bool) (ended chan error, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if c.list == nil {
		c.list = map[*os.Process]bool{}
	}
	if !lasts {
		c.list[cmd.Process] = true
	}
	ended = make(chan error, 1)
	go func() {
		err := cmd.Wait()
		c.mu.Lock()
		delete(c.list, cmd.Process)
		c.mu.Unlock()
		ended <- err
	}()
	return ended, nil
}

// run runs a child until it ends, and has said told what it says. When ctx ends it is told to end, and not waited for;
// where that is because the window goes, one that lasts is left alone.
func (c *children) run(ctx context.Context, of child, said io.Writer) error {
	cmd := exec.Command(of.program, of.args...)
	cmd.WaitDelay, cmd.Stderr = 3*time.Second, said
	if of.log != "" {
		log, err := os.OpenFile(of.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
		if err != nil {
			return err
		}
		defer log.Close()
		from, err := log.Seek(0, io.SeekEnd)
		if err != nil {
			return err
		}
		cmd.Stderr, cmd.SysProcAttr = log, apart()
		end := follow(of.log, from, said)
		defer end()
	}
	ended, err := c.start(cmd, of.log != "")
	if err != nil {
		return err
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	if of.log != "" && c.left() {
		return ctx.Err()
	}
	stop(cmd.Process)
	select { // most end at once, and take away what they have begun
	case <-ended:
	case <-time.After(childHurries):
		go func() {
			select {
			case <-ended:
			case <-time.After(childEnds):
				_ = cmd.Process.Kill()
			}
		}()
	}
	return ctx.Err()
}

// stop tells a process to end: by a signal that shells do not have it ignore where they start it beside others.
func stop(p *os.Process) {
	if runtime.GOOS == "windows" {
		_ = p.Kill()
		return
	}
	_ = p.Signal(syscall.SIGTERM)
}

// follow tells what is written to a file from a place on, until it is ended, which tells the rest.
func follow(path string, from int64, to io.Writer) (end func()) {
	f, err := plain.Open(path)
	if err != nil {
		return func() {}
	}
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		f.Close()
		return func() {}
	}
	enough, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		defer f.Close()
		for {
			_, _ = io.Copy(to, f)
			select {
			case <-enough:
				_, _ = io.Copy(to, f)
				return
			case <-time.After(200 * time.Millisecond):
			}
		}
	}()
	return func() { close(enough); <-done }
}
