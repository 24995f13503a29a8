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
