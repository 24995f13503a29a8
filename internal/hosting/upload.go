package hosting

import (
	"bytes"
	"cmp"
	"crypto/md5" //nolint:gosec // what the stores tell of the bytes they have
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// store is where objects are kept that a script uploads. Its commands are shell
// functions for the script that all stores share: list prints a line for each
// object that is there, with key, tab and hash of the bytes; put, fetch and drop
// write, read and delete one.
type store struct {
	name   string
	bucket string // what the store calls a bucket, in capitals
	needs  string
	once   string // what is to be done once per bucket
	list   func(prefix string) string
	verbs  string
	hash   func(md5 []byte) string // as list prints it
}

// upload is an object that has to be there.
type upload struct{ key, file, contentType, cache, hash, checksum string }

// Beside what it uploads, a script leaves two objects: one that lists type and
// cache policy of all others, so that the listing tells whether those are still the
// same, and one with the keys of this and earlier uploads, which are to be deleted
// some day.
const (
	uploadState = "cardwright.state.txt"
	uploadKeys  = "cardwright.keys.txt"
)

// uploads are the objects of a site, in the order in which they have to come:
// whatever has the digests of other files after these. Sidecars stay at home.
func (t Table) uploads(s Site, hash func(md5 []byte) string) []upload {
	entries := slices.DeleteFunc(slices.Clone(s.Entries), Entry.directory)
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(a.turn, b.turn) })
	list := make([]upload, len(entries))
	for i, e := range entries {
		sum := md5.Sum(e.data) //nolint:gosec // see above
		list[i] = upload{
			key:         strings.TrimPrefix(e.Path, "/"),
			file:        strings.TrimPrefix(strings.TrimPrefix(e.File, s.Dir), "/"),
			contentType: e.ContentType,
			cache:       value(e.Headers, "Cache-Control"),
			hash:        hash(sum[:]),
			checksum:    base64.StdEncoding.EncodeToString(e.Digest[:]),
		}
	}
	return list
}

// script writes the upload of a site.
func (st store) script(t Table, s Site) []byte {
	var b, state bytes.Buffer
	list := t.uploads(s, st.hash)
	for _, u := range list {
		fmt.Fprintf(&state, "%s\t%s\t%s\n", u.key, u.contentType, u.cache)
	}
	prefix := strings.TrimPrefix(t.Base+"/", "/")
	sum := md5.Sum(state.Bytes()) //nolint:gosec // see above

	b.WriteString("#!/bin/sh\n")
	b.WriteString(head("#", st.name,
		"use: sh upload.sh [--delete] "+outDir(t, s)+" "+st.bucket+", once per deploy; needs "+st.needs,
		"once per "+strings.ToLower(st.bucket)+": "+st.once))
	fmt.Fprintf(&b, uploadBegin, st.bucket)
	fmt.Fprintf(&b, "\n# list: key, tab and hash of each object\nlist() {\n  %s\n}\n%s", st.list(prefix), st.verbs)
	b.WriteString("\n# object KEY FILE TYPE CACHE-CONTROL HASH CHECKSUM\nobjects() {\n  :\n")
	for _, u := range list {
		fmt.Fprintf(&b, "  object %s %s %s %s %s %s\n", shQuote(u.key), shQuote(u.file), shQuote(u.contentType),
			shQuote(u.cache), shQuote(u.hash), u.checksum)
	}
	fmt.Fprintf(&b, "}\nstate=%s\nstate_hash=%s\nkeys=%s\n", shQuote(prefix+uploadState), shQuote(st.hash(sum[:])),
		shQuote(prefix+uploadKeys))
	b.WriteString(uploadEnd)
	return b.Bytes()
}

// outDir is the output directory of a site as the user would write it.
func outDir(t Table, s Site) string {
	if t.Elsewhere {
		return t.Out
	}
	return strings.TrimSuffix(root(t, s)+t.Base, "/")
}

const uploadBegin = `
set -eu
remove=
if [ "${1-}" = --delete ]; then
  remove=yes
  shift
fi
if [ $# -ne 2 ]; then
  echo "usage: sh upload.sh [--delete] DIR %s" >&2
  exit 2
fi
out=$1
bucket=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')
`

const uploadEnd = `
# there KEY HASH tells whether an object has these bytes, known KEY whether it is there
there() { grep -qxF "$1$tab$2" "$work/there"; }
known() { cut -f 1 "$work/there" | grep -qxF "$1"; }

object() { printf '%s\t%s\t%s\n' "$1" "$3" "$4"; }
objects >"$work/state"
cut -f 1 "$work/state" >"$work/keys"
list >"$work/there"
same=
if there "$state" "$state_hash"; then
  same=yes
fi
: >"$work/before"
if [ -z "$same" ] || [ -n "$remove" ]; then
  if known "$keys"; then
    fetch "$keys" "$work/before"
  fi
fi
if [ -z "$same" ]; then
  LC_ALL=C sort -u "$work/before" "$work/keys" >"$work/all"
  put "$keys" "$work/all" text/plain no-store
fi

# what is not there like that, in order
object() {
  if [ -n "$same" ] && there "$1" "$5"; then
    return
  fi
  put "$1" "$out/$2" "$3" "$4" "$5" "$6"
  printf 'uploaded %s\n' "$1"
}
objects

# what earlier uploads left behind
grep -vxF -f "$work/keys" "$work/before" >"$work/departed" || true
if [ -n "$remove" ] && [ -s "$work/departed" ]; then
  while IFS= read -r key; do
    if known "$key"; then
      drop "$key" </dev/null
      printf 'deleted %s\n' "$key"
    fi
  done <"$work/departed"
  put "$keys" "$work/keys" text/plain no-store
fi
if [ -z "$same" ]; then
  put "$state" "$work/state" text/plain no-store
fi
`

// S3 makes its tag from the bytes, so what counts is the upload: type, cache policy
// and checksum of each file. It is an MD5, unless the bytes are encrypted with a
// key of KMS: then every upload uploads all. The interface is that of other stores
// too, such as R2.
func s3Store(t Table) store {
	once := "put-bucket-cors --bucket BUCKET --cors-configuration file://cors.json"
	if !t.CORS {
		once = "delete-bucket-cors --bucket BUCKET, where it had rules"
	}
	return store{
		name: "s3", bucket: "BUCKET",
		needs: "the AWS command line, and reads its environment",
		once:  "aws s3api " + once,
		hash:  func(md5 []byte) string { return `"` + hex.EncodeToString(md5) + `"` },
		list: func(prefix string) string {
			return `aws s3api list-objects-v2 --bucket "$bucket"` + option(" --prefix ", prefix) +
				` --output text --query 'Contents[].[Key,ETag]'`
		},
		verbs: `# put KEY FILE TYPE CACHE-CONTROL [HASH CHECKSUM]
put() {
  aws s3api put-object --bucket "$bucket" --key "$1" --body "$2" --content-type "$3" --cache-control "$4" \
    ${6:+--checksum-sha256 "$6"} --output text --query ETag >/dev/null
}
fetch() { aws s3api get-object --bucket "$bucket" --key "$1" "$2" >/dev/null; }
drop() { aws s3api delete-object --bucket "$bucket" --key "$1" >/dev/null; }
`,
	}
}

// Google Cloud Storage has a tag of its own, which is another one after each upload.
func gcs(t Table) []Output {
	return objects(t, store{
		name: "gcs", bucket: "BUCKET",
		needs: "gcloud storage, logged in",
		once:  "sh cors.sh BUCKET",
		hash:  base64.StdEncoding.EncodeToString,
		list: func(prefix string) string {
			return `gcloud storage objects list "gs://$bucket/` + prefix +
				`**" --format='value(name,md5_hash)' || true # there may be none yet`
		},
		verbs: `# put KEY FILE TYPE CACHE-CONTROL [HASH CHECKSUM]
put() {
  gcloud storage cp "$2" "gs://$bucket/$1" --content-type="$3" --cache-control="$4" ${5:+--content-md5="$5"} --quiet
}
fetch() { gcloud storage cp "gs://$bucket/$1" "$2" --quiet; }
drop() { gcloud storage rm "gs://$bucket/$1" --quiet; }
`,
	}, gcsCORS(t))
}

// Azure Blob Storage has a tag of its own, which is another one after each upload.
func azureBlob(t Table) []Output {
	return objects(t, store{
		name: "azure-blob", bucket: "CONTAINER",
		needs: "the Azure command line, and AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_AUTH_MODE=login," +
			" or their like, in the environment",
		once: "sh cors.sh",
		hash: base64.StdEncoding.EncodeToString,
		list: func(prefix string) string {
			return `az storage blob list --container-name "$bucket" --num-results '*'` + option(" --prefix ", prefix) +
				` --query '[].[name,properties.contentSettings.contentMd5]' --output tsv`
		},
		verbs: `# put KEY FILE TYPE CACHE-CONTROL [HASH CHECKSUM]
put() {
  az storage blob upload --container-name "$bucket" --name "$1" --file "$2" --content-type "$3" \
    --content-cache-control "$4" ${5:+--content-md5 "$5"} --overwrite --no-progress --output none
}
fetch() { az storage blob download --container-name "$bucket" --name "$1" --file "$2" --no-progress --output none; }
drop() { az storage blob delete --container-name "$bucket" --name "$1" --output none; }
`,
	}, azureCORS(t))
}

// objects are the upload of each site and the rules for scripts of other origins,
// which both stores want as a command.
func objects(t Table, st store, cors string) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		outputs = append(outputs,
			Output{Path: at(st.name, s, "upload.sh"), Data: st.script(t, s)},
			Output{Path: at(st.name, s, "cors.sh"), Data: []byte("#!/bin/sh\n" + head("#", st.name,
				"use: "+st.once+", once per "+strings.ToLower(st.bucket)+": which origins may read it from scripts",
				"needs "+st.needs) + "\nset -eu\n" + cors)})
	}
	return outputs
}

func gcsCORS(t Table) string {
	if !t.CORS {
		return `gcloud storage buckets update "gs://$1" --clear-cors` + "\n"
	}
	rule := source.NewObject(4)
	rule.SetTexts("origin", t.origins())
	rule.SetTexts("method", []string{"GET", "HEAD"})
	rule.SetTexts("responseHeader", append([]string{"ETag"}, allowedHeaders(t)...))
	rule.Set("maxAgeSeconds", source.NewInt(maxAge))
	rules := schema.Write(&source.Node{Kind: source.Array, Items: []*source.Node{rule}})
	return "rules=$(mktemp)\ntrap 'rm -f \"$rules\"' EXIT\ncat >\"$rules\" <<'END'\n" + string(rules) +
		"END\ngcloud storage buckets update \"gs://$1\" --cors-file=\"$rules\"\n"
}

func azureCORS(t Table) string {
	script := "az storage cors clear --services b\n"
	if t.CORS {
		var quoted []string
		for _, origin := range t.origins() {
			quoted = append(quoted, shQuote(origin))
		}
		script += fmt.Sprintf("az storage cors add --services b --origins %s --methods GET HEAD OPTIONS "+
			"--allowed-headers %s --exposed-headers ETag --max-age %d\n",
			strings.Join(quoted, " "), shQuote(strings.Join(allowedHeaders(t), ",")), maxAge)
	}
	return script
}

// maxAge is how long an answer to a preflight holds, in seconds.
const maxAge = 86400

// origins are those whose scripts may read the files, as stores list them.
func (t Table) origins() []string {
	if t.Origins == nil {
		return []string{"*"}
	}
	return t.Origins
}

func allowedHeaders(t Table) []string {
	return strings.Split(value(t.Preflight, "Access-Control-Allow-Headers"), ", ")
}

// option is a flag with its value, "" without one.
func option(flag, value string) string {
	if value == "" {
		return ""
	}
	return flag + shQuote(value)
}

func bucketLimits(name string) func(Table) diag.List {
	return func(Table) diag.List {
		return cannot(name+
			" cannot send Deprecation, Link and Sunset with the legacy path, and answers OPTIONS to browsers only",
			"put a CDN in front where that matters")
	}
}

// shQuote writes a word of the POSIX shell.
func shQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
