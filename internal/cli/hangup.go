//go:build !js

package cli

import (
	"os"
	"syscall"
)

// hangup says that the terminal is gone.
var hangup os.Signal = syscall.SIGHUP
