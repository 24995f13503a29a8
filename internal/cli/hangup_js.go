package cli

import "os"

// hangup is nil: a browser has no terminal.
var hangup os.Signal
