//go:build unix

package pairs

import "syscall"

func umask(mask int) int { return syscall.Umask(mask) }
