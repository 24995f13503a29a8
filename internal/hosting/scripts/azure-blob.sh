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
