package output

import "syscall"

// apart has a process not end with the console, or with a key that ends what runs there.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
