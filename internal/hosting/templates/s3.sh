{{define "s3.sh" -}}
# list: key, tab and hash of each object
list() {
  aws s3api list-objects-v2 --bucket "$bucket"{{with .Prefix}} --prefix {{shell .}}{{end}} --output text --query 'Contents[].[Key,ETag]'
}
# copy DIR TYPE CACHE-CONTROL
copy() {
  aws s3 cp "$1" "s3://$bucket" --recursive --content-type "$2" --cache-control "$3" \
    --checksum-algorithm SHA256 --only-show-errors
}
# put KEY FILE TYPE CACHE-CONTROL
put() {
  aws s3api put-object --bucket "$bucket" --key "$1" --body "$2" --content-type "$3" --cache-control "$4" \
    --checksum-algorithm SHA256 --output text --query ETag >/dev/null
}
fetch() { aws s3api get-object --bucket "$bucket" --key "$1" "$2" >/dev/null; }
drop() {
  (cd "$work" && awk '
    NR % 1000 == 1 { if (f) { print "]}" >f; close(f) } f = "drop." NR; s = "{\"Quiet\":true,\"Objects\":[" }
    { gsub(/[\\"]/, "\\\\&"); printf "%s{\"Key\":\"%s\"}", s, $0 >f; s = "," }
    END { if (f) print "]}" >f }') <"$1"
  for batch in "$work"/drop.*; do
    aws s3api delete-objects --bucket "$bucket" --delete "file://$batch" >/dev/null
  done
}

{{end}}
