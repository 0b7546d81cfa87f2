package plain

import (
	"errors"

	"golang.org/x/sys/windows"

	"blossom/model/base/problem"
)

// ofSystem is the Problem of an error that Windows alone has, nil of others.
func ofSystem(err error, path string) error {
	var code windows.Errno
	if !errors.As(err, &code) {
		return nil
	}
	switch code {
	case windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION, windows.ERROR_USER_MAPPED_FILE:
		return problem.Wrap(err, path, "close it there and try again, or choose another name",
			"another program has it open")
	case windows.ERROR_ACCESS_DENIED: // also where a file that is open would be replaced
		return problem.Wrap(err, path, "close it where it is open, change its permissions or choose another name",
			"no permission, or another program has it open")
	case windows.ERROR_INVALID_NAME, windows.ERROR_DIRECTORY:
		return problem.Wrap(err, path, `use a name without < > : " | ? *`, "is no name of a file here")
	case windows.ERROR_FILENAME_EXCED_RANGE:
		return problem.Wrap(err, path, "use a shorter name", "its name is longer than the system allows")
	case windows.ERROR_BAD_NETPATH, windows.ERROR_BAD_NET_NAME, windows.ERROR_NETNAME_DELETED:
		return problem.Wrap(err, path, "check the name of the server and its share, and the network",
			"its server or share is not reached")
	case windows.ERROR_NOT_READY:
		return problem.Wrap(err, path, "put the disk in, or choose another drive", "its drive is not ready")
	}
	return nil
}

// fullHere is Full of errors that Windows alone has.
func fullHere(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}
