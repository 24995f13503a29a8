#!/usr/bin/env bash
# Takes the pictures in docs/images, or in the directory that is named, of pages
# about 1, 3, 60 and 1,000 agents.
#
# It needs Node and Chromium. What the letters look like is up to the fonts of
# the machine; with Inter (fonts-inter in Debian) they look as they do now.
set -euo pipefail
images=${1:-docs/images}
cd "$(dirname "$0")/.."

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# project DIR OFFICES DESKS writes the configuration of a desk of each kind in
# each office.
project() {
  local desks=(
    'Room Desk|Books meeting rooms and equipment.|Book a room|rooms|facilities'
    'Travel Desk|Books trains, flights and hotels, and explains the travel policy.|Book a train|travel|travel'
    'Billing|Explains invoices and corrects them.|Explain an invoice|invoices|finance'
    'IT Help|Resets passwords and orders devices.|Reset a password|devices|it'
    'Hiring|Schedules interviews and answers questions of applicants.|Schedule an interview|interviews|people'
    'Payroll|Explains payslips and changes bank details.|Explain a payslip|payslips|finance'
    'Canteen|Shows the menu of the week and takes orders.|Show the menu|food|facilities'
    'Visitors|Registers guests and prints their badges.|Register a guest|guests|facilities'
    'Legal|Finds contracts and explains their terms.|Find a contract|contracts|legal'
    'Parking|Reserves a parking space for a day.|Reserve a space|parking|facilities'
    'Training|Finds courses and books a place in them.|Book a course|courses|people'
    'Purchasing|Orders office supplies within the budget of a team.|Order supplies|orders|finance'
  )
  local offices=(Amsterdam Berlin Cairo Dublin Oslo)
  local i desk name description skill tag owner office
  mkdir "$1"
  {
    echo 'version: 1'
    echo 'baseUrl: https://agents.acme.example'
    echo 'html: true'
    echo 'title: Agents of Acme Inc.'
    echo 'layout: path'
    echo 'defaults:'
    echo '  version: 1.4.0'
    echo '  provider: {organization: Acme Inc., url: https://acme.example}'
    echo '  securitySchemes: {login: {type: http, scheme: bearer}}'
    echo '  security: [{login: []}]'
    echo 'agents:'
    for ((i = 0; i < $2; i++)); do
      office=${offices[i % 5]}
      ((i < 5)) || office+=" $((i / 5 + 1))"
      for desk in "${desks[@]:0:$3}"; do
        IFS='|' read -r name description skill tag owner <<<"$desk"
        echo "  - id: $tag-$i"
        echo "    name: $name $office"
        echo "    description: $description"
        echo "    owner: team-$owner"
        echo "    interfaces: [{url: /$tag-$i/a2a}]"
        echo "    skills: {add: [{id: $tag, name: $skill, description: $skill for somebody in the office., tags: [$tag, $owner]}]}"
      done
    done
  } >"$1/cardwright.yaml"
}

go build -o "$work/cardwright" .
page() { "$work/cardwright" -C "$1" generate --quiet --out "$work/site/$2"; }
mkdir "$work/site"
project "$work/1" 1 1
project "$work/60" 5 12
project "$work/1000" 100 10
page "$work/1" 1
page testdata/workspaces/acme-agents 3
page "$work/60" 60
page "$work/1000" 1000

[[ -e conformance/browser/js/node_modules ]] || npm --prefix conformance/browser/js ci --ignore-scripts --no-audit --no-fund --silent
node conformance/browser/js/screenshots.mjs "$work/site" "$images" "$chromium"
go run ./internal/synth/_palette "$images"
