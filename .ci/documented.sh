#!/usr/bin/env bash
# Prints the commands of docs/install.md that are marked for a system:
# .ci/documented.sh SYSTEM
set -euo pipefail
awk -v wanted="$1" '
  /^<!-- system: / { marked = index($0, " " wanted " ") }
  /^```/ { inside = marked && !inside; if (!inside) marked = 0; next }
  inside' "$(dirname "$0")/../docs/install.md"
