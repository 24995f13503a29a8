//go:build unix

package trials

import "syscall"

func umask(mask int) int { return syscall.Umask(mask) }
