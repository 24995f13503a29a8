//go:build !unix

package pairs

func umask(int) int { return 0 }
