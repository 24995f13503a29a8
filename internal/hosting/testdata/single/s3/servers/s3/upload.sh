#!/bin/sh
# cardwright:generated - written by cardwright generate --server s3; changes are overwritten
# use: sh upload.sh dist BUCKET, once per deploy; needs the AWS command line, and reads its environment
# once per bucket: aws s3api put-bucket-cors --bucket BUCKET --cors-configuration file://cors.json

set -eu
if [ $# -ne 2 ]; then
  echo "usage: sh upload.sh DIR BUCKET" >&2
  exit 2
fi
out=$1
bucket=$2

# put KEY TYPE CACHE-CONTROL STATE CHECKSUM, unless that state is there already
put() {
  there=$(aws s3api head-object --bucket "$bucket" --key "$1" --output text \
    --query 'Metadata.cardwright || Metadata.Cardwright' 2>/dev/null || true)
  if [ "$there" = "$4" ]; then
    return
  fi
  aws s3api put-object --bucket "$bucket" --key "$1" --body "$out/$1" \
    --content-type "$2" --cache-control "$3" --metadata "cardwright=$4" \
    --checksum-sha256 "$5" --output text --query ETag >/dev/null
  printf 'uploaded %s\n' "$1"
}

put '.well-known/agent-card.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' b20f04ac1c63a8d6d0cba66dd72a8e2acbe8f6678d34f84e07a83f4e5545bfbb oJfcWKnjhvcCioZAi0+h5QKz1kZ1LXmrd7i4njqqs0M=
put '.well-known/agent-card.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' ff305c98d9f127713caf5374f7554c2c688e72e5567ac10c9e5c2f62b255bc97 C3AaEFIAfWAhg/3+dsqeQ7WOO+MSBTNdL0KLogBsCEw=
put '.well-known/agent-card.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 73ec9e78d4a75d2f4575a410b10e74548f8776ab6543a732e56367be2334d557 SuWx+UUMQOy9KQx5eI12U6ldKg030fdaLUie15hiRM0=
put '.well-known/agent.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' b20f04ac1c63a8d6d0cba66dd72a8e2acbe8f6678d34f84e07a83f4e5545bfbb oJfcWKnjhvcCioZAi0+h5QKz1kZ1LXmrd7i4njqqs0M=
put '.well-known/agent.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' ff305c98d9f127713caf5374f7554c2c688e72e5567ac10c9e5c2f62b255bc97 C3AaEFIAfWAhg/3+dsqeQ7WOO+MSBTNdL0KLogBsCEw=
put '.well-known/agent.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' ef08cebec1495416a5c46c92861ee18f51a077ae0ef0f45e019e2463815d547a xde5AS1wCzXd1RBnGX+WbiCpGRU73pIyy6aSe5LUjD8=
put '.well-known/ai-catalog.json' 'application/ai-catalog+json' 'public, max-age=3600, stale-while-revalidate=86400' 9edb11a2ca1f7e61875c4d5036364fc19c9ec38f9600836bc118189b75c21164 id/y1cyIFlDGiiQtXkABjh2wQOwQw8oUlu2hD2+wx8w=
put '.well-known/ai-catalog.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 58f9b1bd43ea624b5c4bad6f716174953a3865355ab76f44f3326db8fbec5495 TLfVsnYvvarvHN+dXj0hzzS6Mr3oxy6HsQeg7i6bcxo=
put '.well-known/ai-catalog.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' ea3be74e40df4cdce426cb0d4f784bf0dc8b18292db6058a3abc3ab640184aad VKCTL6E2oWwL6THsTjGg3mMAvEytszAxoJ59K3PJdCo=
put '.well-known/jwks.json' 'application/jwk-set+json' 'public, max-age=3600, stale-while-revalidate=86400' 97b1dfc357a0d445c2dc7702154b080adf829e40744bec005db8f8d1ecb188aa MmZs+K9cJmfJmdnoFUIMYhwmdGD441c2L6q+PoogCoI=
put '.well-known/jwks.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 626a3b24a5ea0ceeb7d08245f5dc659bd861e7c4655ee209dea6ef07fc099cfd mpvuW8ibpfZbwPzEjbhvgiUZKP2UQWeQko0sLys+nUc=
put '.well-known/jwks.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 6d5176aaa569e892523e01bdce6932640b3737d764f329f7250348fad915f673 8TZDU3vzhotbWguirNe2K4/DwOzkAoJ/VUDu86Pdu68=
put 'index.html' 'text/html; charset=utf-8' 'public, max-age=3600, stale-while-revalidate=86400' 1399cc0cf020f0c98c0c58fb3b6e441dc1b50d5ada5de9a264ac121668676081 X2Xrzx5KYHnXIddawcfPgUoZf3HHnStw/sUlogI8/RQ=
put 'index.html.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 738ab42e0f347567d9bdb15dc27090da06e3e5ec88ad00aeede6c87aea802e0a txzq28bjZNcRwyc/e+pIY8ohsjk6j7gy4xYWBmn13rA=
put 'index.html.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 94f38ff30af518ed008e3fb862681392d4752303b3daa23b0cde78ba56cc98d1 HtrzFO92PDenoSwtwG6c9QJJbPjq6sBdwMzKVLldqlM=
