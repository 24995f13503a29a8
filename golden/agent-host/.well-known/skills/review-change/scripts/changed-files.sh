#!/bin/sh
# Lists the files that a branch changes.
git diff --name-only "${1:-main}"...HEAD
