//go:build !darwin

package publish

import "os"

// flush writes a file down to the disk.
func flush(f *os.File) error { return f.Sync() }

// settle is for systems on which [flush] does not do it all.
func settle(*os.Root, string) error { return nil }
