//go:build !windows

package output

import "syscall"

// apart has a process not end with the terminal, or with a key that ends what runs there.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
