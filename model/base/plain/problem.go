package plain

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"blossom/model/base/problem"
)

// Problem turns an error of the system about the file at path into a Problem; a Problem and the errors of a context
// stay.
func Problem(err error, path string) error {
	var p *problem.Problem
	switch {
	case errors.As(err, &p), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	if known := ofSystem(err, path); known != nil {
		return known
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return problem.Wrap(err, path, "check the name and the folder", "does not exist")
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return problem.Wrap(err, path, "change its permissions or choose another place", "no permission (%s)",
			Reason(err))
	case errors.Is(err, syscall.ENAMETOOLONG):
		return problem.Wrap(err, path, "use a shorter name", "its name is longer than the system allows")
	case strings.ContainsRune(path, 0):
		return problem.Wrap(err, path, "use another name", "its name holds a zero byte")
	case errors.Is(err, syscall.ENOTDIR):
		return problem.Wrap(err, path, "check the folder", "what stands for its folder is a file")
	case errors.Is(err, syscall.EISDIR):
		return problem.Wrap(err, path, "name a file in it", "is a folder")
	case Full(err):
		return problem.Wrap(err, path, "free some space or choose another place", "the disk is full")
	case errors.Is(err, syscall.EBADF):
		return problem.Wrap(err, path, "write to a file, or do not close it", "is closed")
	case errors.Is(err, syscall.EPIPE):
		return problem.Wrap(err, path, "check the program that reads the output", "the reader of the output has gone")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return problem.Wrap(err, path, "copy it again from where it came from", "ends too early")
	}
	return problem.Wrap(err, path, "check the disk and try again", "%s", Reason(err))
}

// Full says whether an error is that there is no room: the disk is full, or the share of it that the user has.
func Full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || fullHere(err)
}

// Reason is the system's word for an error, without the path and the call.
func Reason(err error) string {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err.Error()
	case errors.As(err, &l):
		return l.Err.Error()
	}
	return strings.TrimSpace(err.Error())
}
