{{define "azure-blob.sh" -}}
# list: key, tab and hash of each object
list() {
  az storage blob list --container-name "$bucket" --num-results '*'{{with .Prefix}} --prefix {{shell .}}{{end}} --query '[].[name,properties.contentSettings.contentMd5]' --output tsv
}
# copy DIR TYPE CACHE-CONTROL
copy() {
  az storage blob upload-batch --destination "$bucket" --source "$1" --content-type "$2" \
    --content-cache-control "$3" --overwrite --no-progress --output none
}
# put KEY FILE TYPE CACHE-CONTROL
put() {
  az storage blob upload --container-name "$bucket" --name "$1" --file "$2" --content-type "$3" \
    --content-cache-control "$4" --overwrite --no-progress --output none
}
fetch() { az storage blob download --container-name "$bucket" --name "$1" --file "$2" --no-progress --output none; }
# the command line deletes one blob, or those of a pattern
drop() {
  while IFS= read -r key; do
    az storage blob delete --container-name "$bucket" --name "$key" --output none </dev/null
  done <"$1"
}

{{end}}

{{define "azure-blob-cors.sh" -}}
az storage cors clear --services b
{{if .CORS -}}
az storage cors add --services b --origins{{range .Origins}} {{shell .}}{{end}} --methods GET HEAD OPTIONS --allowed-headers {{shell .Headers}} --exposed-headers ETag --max-age {{.MaxAge}}
{{end -}}
{{end}}
