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
	"cardwright/internal/tree"
	"cardwright/schema"
)

// store is where objects are kept that a script uploads. Its commands are shell
// functions for the script that all stores share, in templates/NAME.sh: list prints a line
// for each object that is there, with key, tab and hash of the bytes; copy writes all files
// of a directory; put and fetch write and read one; drop deletes those of a list.
type store struct {
	Name   string
	Bucket string // what the store calls a bucket, in capitals
	Needs  string
	Once   string                  // what is to be done once per bucket
	hash   func(md5 []byte) string // as list prints it
}

// upload is an object that has to be there.
type upload struct {
	Key, Hash string
	headers
	turn  tree.Turn
	Alone bool // too large to be uploaded with others
}

// headers are what a store sends with an object.
type headers struct{ Type, Cache string }

// largeObject is the size from which command lines upload a file in parts, so that the
// hash that the store lists is not that of its bytes.
const largeObject = 8 << 20

// uploads are the objects of a site, in the order in which they have to come:
// whatever has the digests of other files after these. Objects that are sent with
// the same headers stand together. Sidecars stay at home.
func (t Table) uploads(s WebRoot, hash func(md5 []byte) string) []upload {
	entries := slices.DeleteFunc(slices.Clone(s.Entries), Entry.directory)
	list := make([]upload, len(entries))
	for i, e := range entries {
		sum := md5.Sum(e.data) //nolint:gosec // see above
		list[i] = upload{
			Key: strings.TrimPrefix(e.Path, "/"), headers: headers{e.ContentType, Value(e.Headers, "Cache-Control")},
			Hash: hash(sum[:]), turn: e.turn, Alone: len(e.data) >= largeObject,
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

// uploadSite is the upload of a site as the templates take it.
type uploadSite struct {
	store
	Dir, Prefix string // of the files, and of their keys
	Objects     string // a line for each of them, and for each group
	StateHash   string
}

// upload is the upload of a site.
func (st store) upload(t Table, s WebRoot) uploadSite {
	var state, objects bytes.Buffer
	list := t.uploads(s, st.hash)
	for i, u := range list {
		fmt.Fprintf(&state, "%s\t%s\t%s\n", u.Key, u.Type, u.Cache)
		last := list[max(i-1, 0)]
		if i == 0 || u.Alone || last.Alone || last.turn != u.turn || last.headers != u.headers {
			objects.WriteString("\n  group " + shQuote(u.Type) + " " + shQuote(u.Cache))
			if u.Alone {
				objects.WriteString(" " + shQuote(u.Key))
			}
		}
		objects.WriteString("\n  object " + shQuote(u.Key) + " " + shQuote(u.Hash))
	}
	sum := md5.Sum(state.Bytes()) //nolint:gosec // see above
	return uploadSite{
		store: st, Dir: outDir(t, s), Prefix: strings.TrimPrefix(t.Base+"/", "/"), Objects: objects.String(),
		StateHash: st.hash(sum[:]),
	}
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
		Name: "s3", Bucket: "BUCKET",
		Needs: "the AWS command line, and reads its environment",
		Once:  "aws s3api " + once,
		hash:  func(md5 []byte) string { return `"` + hex.EncodeToString(md5) + `"` },
	}
}

// Google Cloud Storage has a tag of its own, which is another one after each upload.
func gcs(t Table) []Output {
	return objects(t, store{
		Name: "gcs", Bucket: "BUCKET",
		Needs: "gcloud storage, logged in",
		Once:  "sh cors.sh BUCKET",
		hash:  base64.StdEncoding.EncodeToString,
	})
}

// Azure Blob Storage has a tag of its own, which is another one after each upload.
func azureBlob(t Table) []Output {
	return objects(t, store{
		Name: "azure-blob", Bucket: "CONTAINER",
		Needs: "the Azure command line, and AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_AUTH_MODE=login," +
			" or their like, in the environment",
		Once: "sh cors.sh",
		hash: base64.StdEncoding.EncodeToString,
	})
}

// objects are the upload of each site and the rules for scripts of other origins,
// which both stores want as a command.
func objects(t Table, st store) []Output {
	cors := fill("cors.sh", struct {
		store
		CORS           bool
		Origins        []string // whose scripts may read the files
		Headers, Rules string   // that these may send, and all of it as JSON
		MaxAge         int
	}{st, t.CORS, t.origins(), strings.Join(allowedHeaders(t), ","), gcsCORS(t), maxAge})
	var outputs []Output
	for _, s := range t.Sites {
		outputs = append(outputs,
			Output{Path: at(st.Name, s, "upload.sh"), Data: fill("upload.sh", st.upload(t, s))},
			Output{Path: at(st.Name, s, "cors.sh"), Data: cors})
	}
	return outputs
}

// gcsCORS are the rules for scripts of other origins as Google Cloud Storage reads them.
func gcsCORS(t Table) string {
	return string(schema.Write(source.ArrayOf(source.ObjectOf(
		"origin", t.origins(),
		"method", []string{"GET", "HEAD"},
		"responseHeader", append([]string{"ETag"}, allowedHeaders(t)...),
		"maxAgeSeconds", maxAge,
	))))
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

func bucketLimits(name string) func(Table, []Output) diag.List {
	return func(Table, []Output) diag.List {
		return cannot(name+
			" cannot send Deprecation, Link and Sunset with the legacy path, and answers OPTIONS to browsers only",
			"put a CDN in front where that matters")
	}
}

// shQuote writes a word of the POSIX shell.
func shQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
