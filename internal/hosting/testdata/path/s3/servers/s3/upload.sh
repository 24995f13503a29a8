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

put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/agent-card.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' c12b12643355085452468c846b1f9d62c16054b2622647f3963d7ea486699cbc g+Ps+yk6XO7JtqdmzRAjZAoq2f4BaTDC5UQniNkEBNU=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/agent-card.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 2c95a7b6eea0a5a380e395f150b6b42bc9af79ebf7c10e31e5397f6ccefd824c oo3W78W6CAdxswB3V4l57VRNOFaUOkuos3DOI4kq9Zs=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/agent-card.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' c065eeade11bf14df136c6dde67e61493ba680ca634e53313b8d349f54df7d14 Oq1oXJhdj7KbCna7vOfsTcrBPB54OSkFrB8+zx5NhfY=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/agent.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' c12b12643355085452468c846b1f9d62c16054b2622647f3963d7ea486699cbc g+Ps+yk6XO7JtqdmzRAjZAoq2f4BaTDC5UQniNkEBNU=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/agent.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 2c95a7b6eea0a5a380e395f150b6b42bc9af79ebf7c10e31e5397f6ccefd824c oo3W78W6CAdxswB3V4l57VRNOFaUOkuos3DOI4kq9Zs=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/agent.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 3a259de891fed2d4570a102a2a470164e46a363cfbe9800fa4d879624632c775 LuCOllK99r/s86qKjX3E9OmGvgg5LjcuPYQ28KRMpv8=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/ai-catalog.json' 'application/ai-catalog+json' 'public, max-age=3600, stale-while-revalidate=86400' 9edb11a2ca1f7e61875c4d5036364fc19c9ec38f9600836bc118189b75c21164 id/y1cyIFlDGiiQtXkABjh2wQOwQw8oUlu2hD2+wx8w=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/ai-catalog.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 58f9b1bd43ea624b5c4bad6f716174953a3865355ab76f44f3326db8fbec5495 TLfVsnYvvarvHN+dXj0hzzS6Mr3oxy6HsQeg7i6bcxo=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/ai-catalog.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' ea3be74e40df4cdce426cb0d4f784bf0dc8b18292db6058a3abc3ab640184aad VKCTL6E2oWwL6THsTjGg3mMAvEytszAxoJ59K3PJdCo=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/jwks.json' 'application/jwk-set+json' 'public, max-age=3600, stale-while-revalidate=86400' 97b1dfc357a0d445c2dc7702154b080adf829e40744bec005db8f8d1ecb188aa MmZs+K9cJmfJmdnoFUIMYhwmdGD441c2L6q+PoogCoI=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/jwks.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 626a3b24a5ea0ceeb7d08245f5dc659bd861e7c4655ee209dea6ef07fc099cfd mpvuW8ibpfZbwPzEjbhvgiUZKP2UQWeQko0sLys+nUc=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/jwks.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 6d5176aaa569e892523e01bdce6932640b3737d764f329f7250348fad915f673 8TZDU3vzhotbWguirNe2K4/DwOzkAoJ/VUDu86Pdu68=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/index.html' 'text/html; charset=utf-8' 'public, max-age=3600, stale-while-revalidate=86400' 1399cc0cf020f0c98c0c58fb3b6e441dc1b50d5ada5de9a264ac121668676081 X2Xrzx5KYHnXIddawcfPgUoZf3HHnStw/sUlogI8/RQ=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/index.html.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 738ab42e0f347567d9bdb15dc27090da06e3e5ec88ad00aeede6c87aea802e0a txzq28bjZNcRwyc/e+pIY8ohsjk6j7gy4xYWBmn13rA=
put 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/index.html.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 94f38ff30af518ed008e3fb862681392d4752303b3daa23b0cde78ba56cc98d1 HtrzFO92PDenoSwtwG6c9QJJbPjq6sBdwMzKVLldqlM=
put 'billing/.well-known/agent-card.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' e510256bb8435be09ecba2b89ff22e59511a16d7c39d873fe8e87c3fdc6da6e2 KTOzwWingb2zYoYqhSdkJaXoiHN4JPG+fIomCDTTjo0=
put 'billing/.well-known/agent-card.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 69d0c649cb4499b78e78d7727d2c7757013aa04555e78617c18a066b053402b3 E9/XDYH7KqBViFFqZ2TQsAr2b1XE0dR1na+6xthMDUk=
put 'billing/.well-known/agent-card.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 9eb615f504109d446bdf0b965b5f188934a6abe0aeb59542f32f39c9560ca414 yMVU1ysul2mmyoMNz+IL8Roq4+614XiwNsz/Y0g/5QI=
put 'billing/.well-known/agent.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' e510256bb8435be09ecba2b89ff22e59511a16d7c39d873fe8e87c3fdc6da6e2 KTOzwWingb2zYoYqhSdkJaXoiHN4JPG+fIomCDTTjo0=
put 'billing/.well-known/agent.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 69d0c649cb4499b78e78d7727d2c7757013aa04555e78617c18a066b053402b3 E9/XDYH7KqBViFFqZ2TQsAr2b1XE0dR1na+6xthMDUk=
put 'billing/.well-known/agent.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' e82bb1d44540638a7c5eb225331ddc2267b480aaf42c849caa930173527e4c6f 0X3/sALr1JsJfcaNknNvdzpcLGkPy2OgbucNMDsTziY=
put 'billing/.well-known/ai-catalog.json' 'application/ai-catalog+json' 'public, max-age=3600, stale-while-revalidate=86400' 9edb11a2ca1f7e61875c4d5036364fc19c9ec38f9600836bc118189b75c21164 id/y1cyIFlDGiiQtXkABjh2wQOwQw8oUlu2hD2+wx8w=
put 'billing/.well-known/ai-catalog.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 58f9b1bd43ea624b5c4bad6f716174953a3865355ab76f44f3326db8fbec5495 TLfVsnYvvarvHN+dXj0hzzS6Mr3oxy6HsQeg7i6bcxo=
put 'billing/.well-known/ai-catalog.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' ea3be74e40df4cdce426cb0d4f784bf0dc8b18292db6058a3abc3ab640184aad VKCTL6E2oWwL6THsTjGg3mMAvEytszAxoJ59K3PJdCo=
put 'billing/.well-known/jwks.json' 'application/jwk-set+json' 'public, max-age=3600, stale-while-revalidate=86400' 97b1dfc357a0d445c2dc7702154b080adf829e40744bec005db8f8d1ecb188aa MmZs+K9cJmfJmdnoFUIMYhwmdGD441c2L6q+PoogCoI=
put 'billing/.well-known/jwks.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 626a3b24a5ea0ceeb7d08245f5dc659bd861e7c4655ee209dea6ef07fc099cfd mpvuW8ibpfZbwPzEjbhvgiUZKP2UQWeQko0sLys+nUc=
put 'billing/.well-known/jwks.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 6d5176aaa569e892523e01bdce6932640b3737d764f329f7250348fad915f673 8TZDU3vzhotbWguirNe2K4/DwOzkAoJ/VUDu86Pdu68=
put 'billing/index.html' 'text/html; charset=utf-8' 'public, max-age=3600, stale-while-revalidate=86400' 1399cc0cf020f0c98c0c58fb3b6e441dc1b50d5ada5de9a264ac121668676081 X2Xrzx5KYHnXIddawcfPgUoZf3HHnStw/sUlogI8/RQ=
put 'billing/index.html.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 738ab42e0f347567d9bdb15dc27090da06e3e5ec88ad00aeede6c87aea802e0a txzq28bjZNcRwyc/e+pIY8ohsjk6j7gy4xYWBmn13rA=
put 'billing/index.html.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 94f38ff30af518ed008e3fb862681392d4752303b3daa23b0cde78ba56cc98d1 HtrzFO92PDenoSwtwG6c9QJJbPjq6sBdwMzKVLldqlM=
put 'code-review/.well-known/agent-card.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' aed1500bea6aeb65b5ee06ae9f5238e3f6bc79d0314039b6b3dc3134248b354c VPLKPZ5QcTNVCCvwxHcYXGD65jLLpDuE3buFaDuP95A=
put 'code-review/.well-known/agent-card.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' e8dc47c963080d62b5d7f5d8cae937762d25cffdfe84b96b5bdc7b333a2ef58d RTjeCl+ipPK3JSjuqk6/udZwi10hk4XquXd208okpQo=
put 'code-review/.well-known/agent-card.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 319239d82d50220858a0eb902aefaf9c0b3f3573b78ed74e9138770c092dc37d UWa9fCGXey/L41Xd23yjS31q2AB2JOu+CQdQztidpfc=
put 'code-review/.well-known/agent.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' aed1500bea6aeb65b5ee06ae9f5238e3f6bc79d0314039b6b3dc3134248b354c VPLKPZ5QcTNVCCvwxHcYXGD65jLLpDuE3buFaDuP95A=
put 'code-review/.well-known/agent.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' e8dc47c963080d62b5d7f5d8cae937762d25cffdfe84b96b5bdc7b333a2ef58d RTjeCl+ipPK3JSjuqk6/udZwi10hk4XquXd208okpQo=
put 'code-review/.well-known/agent.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 8aa9be37d6cc75fb605eea26b44259d97df2f29519b0724300b130b87b2efaa5 KniE3RaIXuItmwp4eHBLyWcQuob57xpELtxRLD7mD7I=
put 'code-review/.well-known/ai-catalog.json' 'application/ai-catalog+json' 'public, max-age=3600, stale-while-revalidate=86400' 9edb11a2ca1f7e61875c4d5036364fc19c9ec38f9600836bc118189b75c21164 id/y1cyIFlDGiiQtXkABjh2wQOwQw8oUlu2hD2+wx8w=
put 'code-review/.well-known/ai-catalog.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 58f9b1bd43ea624b5c4bad6f716174953a3865355ab76f44f3326db8fbec5495 TLfVsnYvvarvHN+dXj0hzzS6Mr3oxy6HsQeg7i6bcxo=
put 'code-review/.well-known/ai-catalog.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' ea3be74e40df4cdce426cb0d4f784bf0dc8b18292db6058a3abc3ab640184aad VKCTL6E2oWwL6THsTjGg3mMAvEytszAxoJ59K3PJdCo=
put 'code-review/.well-known/jwks.json' 'application/jwk-set+json' 'public, max-age=3600, stale-while-revalidate=86400' 97b1dfc357a0d445c2dc7702154b080adf829e40744bec005db8f8d1ecb188aa MmZs+K9cJmfJmdnoFUIMYhwmdGD441c2L6q+PoogCoI=
put 'code-review/.well-known/jwks.json.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 626a3b24a5ea0ceeb7d08245f5dc659bd861e7c4655ee209dea6ef07fc099cfd mpvuW8ibpfZbwPzEjbhvgiUZKP2UQWeQko0sLys+nUc=
put 'code-review/.well-known/jwks.json.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 6d5176aaa569e892523e01bdce6932640b3737d764f329f7250348fad915f673 8TZDU3vzhotbWguirNe2K4/DwOzkAoJ/VUDu86Pdu68=
put 'code-review/index.html' 'text/html; charset=utf-8' 'public, max-age=3600, stale-while-revalidate=86400' 1399cc0cf020f0c98c0c58fb3b6e441dc1b50d5ada5de9a264ac121668676081 X2Xrzx5KYHnXIddawcfPgUoZf3HHnStw/sUlogI8/RQ=
put 'code-review/index.html.etag' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 738ab42e0f347567d9bdb15dc27090da06e3e5ec88ad00aeede6c87aea802e0a txzq28bjZNcRwyc/e+pIY8ohsjk6j7gy4xYWBmn13rA=
put 'code-review/index.html.sha256' 'text/plain' 'public, max-age=3600, stale-while-revalidate=86400' 94f38ff30af518ed008e3fb862681392d4752303b3daa23b0cde78ba56cc98d1 HtrzFO92PDenoSwtwG6c9QJJbPjq6sBdwMzKVLldqlM=
