package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"blossom/model/data/format"
)

// tie is the variable by which another program has this one end with it, however it ends: standard input is then a pipe
// that the other holds open and says nothing by. Its value is the private folder of the other, which goes with it.
const tie = "BLOSSOM_TIED"

// patience is how long what is tied has to end by itself: a window saves its session.
const patience = 30 * time.Second

// tied has the program end with who has started it, where that one asks for it. The programs that this one starts are
// not tied. The function that it returns takes away what the other has left, where it is gone, once all is written.
func tied(in io.Reader) (clear func()) {
	folder, is := os.LookupEnv(tie)
	if !is {
		return func() {}
	}
	os.Unsetenv(tie)
	outlive()
	gone := make(chan struct{})
	clear = func() {
		select {
		case <-gone:
			removeLeft(folder)
		default:
		}
	}
	go func() {
		io.Copy(io.Discard, in) // ends with the other
		close(gone)
		end()
		time.Sleep(patience)
		format.RemoveUnfinished()
		clear()
		fmt.Fprintln(os.Stderr, "blossom: interrupted")
		os.Exit(exitInterrupted)
	}()
	return clear
}

// removeLeft removes the private folder of a program that is gone, where it is one: Python's package has made it.
func removeLeft(folder string) {
	about, err := os.Lstat(folder)
	if err != nil || !about.IsDir() || !strings.HasPrefix(filepath.Base(folder), "blossom-py-") {
		return
	}
	os.RemoveAll(folder)
}
