// Package drift tells how the output trees on disk depart from what is generated:
// which cards differ, what that means to clients, which files differ because of
// them, and where in the sources it comes from.
package drift
