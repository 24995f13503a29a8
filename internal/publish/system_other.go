//go:build !windows && (!unix || aix || solaris)

package publish

import "os"

func tryLock(*os.File) (release func(), ok bool) { return func() {}, true }

func mayWrite(*os.File) error { return nil }
