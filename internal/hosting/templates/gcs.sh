{{define "gcs.sh" -}}
# list: key, tab and hash of each object
list() {
  gcloud storage objects list "gs://$bucket/{{.Prefix}}**" --format='value(name,md5_hash)' || true # there may be none yet
}
# copy DIR TYPE CACHE-CONTROL
copy() {
  find "$1" -mindepth 1 -maxdepth 1 -exec sh -c 'to=$1 type=$2 cache=$3; shift 3
    gcloud storage cp --recursive "$@" "$to" --content-type="$type" --cache-control="$cache" --quiet
  ' sh "gs://$bucket/" "$2" "$3" {} +
}
# put KEY FILE TYPE CACHE-CONTROL
put() { gcloud storage cp "$2" "gs://$bucket/$1" --content-type="$3" --cache-control="$4" --quiet; }
fetch() { gcloud storage cp "gs://$bucket/$1" "$2" --quiet; }
drop() { sed "s|^|gs://$bucket/|" "$1" | gcloud storage rm --read-paths-from-stdin --quiet; }

{{end}}

{{define "gcs-cors.sh" -}}
{{if .CORS -}}
rules=$(mktemp)
trap 'rm -f "$rules"' EXIT
cat >"$rules" <<'END'
{{.Rules -}}
END
gcloud storage buckets update "gs://$1" --cors-file="$rules"
{{else -}}
gcloud storage buckets update "gs://$1" --clear-cors
{{end -}}
{{end}}
