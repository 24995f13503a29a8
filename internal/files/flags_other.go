//go:build !unix

package files

// Where directories hold no named pipes, any file can be opened at once.
const (
	nonblock  = 0
	directory = 0
)
