// Package browser opens the pages that cardwright makes for people in Chromium:
// on a phone and on a desk, in light and dark, by mouse and by keyboard, without
// scripts, with hostile cards and with a thousand agents. axe-core looks for
// what keeps people out.
//
// It is a module of its own, so that the drivers from npm are no dependency of
// anything else. Without Node or Chromium its tests are skipped and say so.
package browser
