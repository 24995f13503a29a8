#!/bin/sh
# cardwright:generated - written by cardwright generate --server azure-blob; changes are overwritten
# use: sh cors.sh, once per container: which origins may read it from scripts
# needs the Azure command line, and AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_AUTH_MODE=login, or their like, in the environment

set -eu
az storage cors clear --services b
az storage cors add --services b --origins '*' --methods GET HEAD OPTIONS --allowed-headers 'A2A-Version,A2A-Extensions,Content-Type,If-None-Match,Authorization,Cache-Control,traceparent,tracestate' --exposed-headers ETag --max-age 86400
