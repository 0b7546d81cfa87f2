//go:build unix

package format

import "golang.org/x/sys/unix"

func makePipe(path string) error { return unix.Mkfifo(path, 0o644) }
