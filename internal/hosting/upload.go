package hosting

import (
	"bytes"
	"cmp"
	"crypto/md5" //nolint:gosec // what the stores tell of the bytes they have
	"embed"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// store is where objects are kept that a script uploads. Its commands are shell
// functions for the script that all stores share: list prints a line for each
// object that is there, with key, tab and hash of the bytes. The others stand in
// scripts/NAME.sh: copy writes all files of a directory; put and fetch write and read
// one; drop deletes those of a list.
type store struct {
	name   string
	bucket string // what the store calls a bucket, in capitals
	needs  string
	once   string // what is to be done once per bucket
	list   func(prefix string) string
	hash   func(md5 []byte) string // as list prints it
}

// upload is an object that has to be there.
type upload struct {
	key, hash string
	headers
	turn  tree.Turn
	alone bool // too large to be uploaded with others
}

// headers are what a store sends with an object.
type headers struct{ contentType, cache string }

// largeObject is the size from which command lines upload a file in parts, so that the
// hash that the store lists is not that of its bytes.
const largeObject = 8 << 20

// Beside what it uploads, a script leaves two objects: one that lists type and
// cache policy of all others, so that the listing reports whether those are still the
// same, and one with the keys of this and earlier uploads, which are to be deleted
// some day.
const (
	uploadState = "cardwright.state.txt"
	uploadKeys  = "cardwright.keys.txt"
)

// uploads are the objects of a site, in the order in which they have to come:
// whatever has the digests of other files after these. Objects that are sent with
// the same headers stand together. Sidecars stay at home.
func (t Table) uploads(s WebRoot, hash func(md5 []byte) string) []upload {
	entries := slices.DeleteFunc(slices.Clone(s.Entries), Entry.directory)
	list := make([]upload, len(entries))
	for i, e := range entries {
		sum := md5.Sum(e.data) //nolint:gosec // see above
		list[i] = upload{
			key: strings.TrimPrefix(e.Path, "/"), headers: headers{e.ContentType, Value(e.Headers, "Cache-Control")},
			hash: hash(sum[:]), turn: e.turn, alone: len(e.data) >= largeObject,
		}
	}
	group := map[headers]int{} // in the order of their first objects
	for _, u := range list {
		if _, known := group[u.headers]; !known {
			group[u.headers] = len(group)
		}
	}
	slices.SortStableFunc(list, func(a, b upload) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(group[a.headers], group[b.headers]))
	})
	return list
}

//go:embed scripts
var scripts embed.FS

// script returns a file of the directory scripts, in which the verbs of fmt stand for
// what differs from site to site.
func script(name string) string {
	text, err := scripts.ReadFile("scripts/" + name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// script writes the upload of a site.
func (st store) script(t Table, s WebRoot) []byte {
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
	fmt.Fprintf(&b, "\n"+script("upload-begin.sh"), st.bucket)
	fmt.Fprintf(&b, "\n# list: key, tab and hash of each object\nlist() {\n  %s\n}\n%s",
		st.list(prefix), script(st.name+".sh"))
	b.WriteString("\n# group TYPE CACHE-CONTROL [KEY]: of the objects that follow, or of one large one" +
		"\n# object KEY HASH\nobjects() {\n  :\n")
	last := upload{}
	for _, u := range list {
		if u.alone || last.alone || last.turn != u.turn || last.headers != u.headers {
			fmt.Fprintf(&b, "  group %s %s%s\n", shQuote(u.contentType), shQuote(u.cache), u.single())
		}
		fmt.Fprintf(&b, "  object %s %s\n", shQuote(u.key), shQuote(u.hash))
		last = u
	}
	fmt.Fprintf(&b, "}\nprefix=%s\nstate_hash=%s\nstate=%s\nkeys=%s\n", shQuote(prefix), shQuote(st.hash(sum[:])),
		shQuote(prefix+uploadState), shQuote(prefix+uploadKeys))
	b.WriteString("\n" + script("upload-end.sh"))
	return b.Bytes()
}

// single names an object that is a group of its own.
func (u upload) single() string {
	if !u.alone {
		return ""
	}
	return " " + shQuote(u.key)
}

// outDir is the output directory of a site as the user would write it.
func outDir(t Table, s WebRoot) string {
	if t.Elsewhere {
		return t.Out
	}
	return strings.TrimSuffix(root(t, s)+t.Base, "/")
}

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
	rules := schema.Write(source.ArrayOf(source.ObjectOf(
		"origin", t.origins(),
		"method", []string{"GET", "HEAD"},
		"responseHeader", append([]string{"ETag"}, allowedHeaders(t)...),
		"maxAgeSeconds", maxAge,
	)))
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
	return strings.Split(Value(t.Preflight, "Access-Control-Allow-Headers"), ", ")
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
