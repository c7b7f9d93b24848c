/**
 * The commands of the page on requests, which work when they are run in this order with a key that may write to instance
 * 1. The last one removes what the others have created.
 */
import type { Sample } from './html.js'

/** The id of the tag that the commands create. */
const tagId = 'c0ffee00-5b0e-4c43-9d0b-6c6f3a3f2b01'

const header = '-H "Authorization: Bearer $TOKEN"'
const headers = 'headers: { Authorization: `Bearer ${token}` }'

export const requestSamples = (base: string) => {
  const settings = `${base}/1/settings`
  const tag = `${base}/1/tags/${tagId}`
  const list = `${base}/1/content?fields=title-content_type-issued&order=issued.desc&rpp=2`
  return {
    token: {
      id: 'token',
      curl: `TOKEN=$(curl -sS '${base}/oauth/token' \\
  -d grant_type=client_credentials -d api_key=YOUR_KEY -d api_secret=YOUR_SECRET |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
      javascript: `const granted = await fetch('${base}/oauth/token', {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    api_key: 'YOUR_KEY',
    api_secret: 'YOUR_SECRET',
  }),
})
const { access_token: token } = await granted.json()`,
    },
    list: {
      id: 'list',
      curl: `curl -sS '${list}' \\
  ${header}`,
      javascript: `const newest = await fetch('${list}', {
  ${headers},
})
console.log(await newest.json())`,
    },
    walk: {
      id: 'walk',
      curl: `PAGE='${base}/1/content?fields=title&rpp=4'
while [ -n "$PAGE" ]; do
  RESPONSE=$(curl -sS "$PAGE" ${header})
  echo "$RESPONSE"
  PAGE=$(echo "$RESPONSE" | sed -n 's/.*"next":"\\([^"]*\\)".*/\\1/p')
done`,
      javascript: `let next = '${base}/1/content?fields=title&rpp=4'
while (next) {
  const page = await (await fetch(next, { ${headers} })).json()
  for (const [title] of page.items) console.log(title)
  next = page.next
}`,
    },
    wrong: {
      id: 'wrong',
      curl: `curl -sS '${base}/1/content?fields=titel&rpp=1000' \\
  ${header}`,
      javascript: `const rejected = await fetch('${base}/1/content?fields=titel&rpp=1000', {
  ${headers},
})
const { error, error_info } = await rejected.json()
console.log(rejected.status, error, error_info)`,
    },
    unchanged: {
      id: 'unchanged',
      curl: `ETAG=$(curl -sSI '${settings}' ${header} |
  tr -d '\\r' | sed -n 's/^[Ee][Tt][Aa][Gg]: //p')
curl -sSI '${settings}' ${header} -H "If-None-Match: $ETAG"`,
      javascript: `const first = await fetch('${settings}', { ${headers} })
const again = await fetch('${settings}', {
  headers: { Authorization: \`Bearer \${token}\`, 'If-None-Match': first.headers.get('ETag') },
})
console.log(again.status)`,
    },
    fresh: {
      id: 'fresh',
      curl: `curl -sS '${settings}' ${header} -H 'Cache-Control: no-cache'`,
      javascript: `const fresh = await fetch('${settings}', {
  headers: { Authorization: \`Bearer \${token}\`, 'Cache-Control': 'no-cache' },
})
console.log(await fresh.json())`,
    },
    create: {
      id: 'create',
      curl: `curl -sSi -X PUT '${tag}' ${header} \\
  -H 'Content-Type: application/json' -H 'If-None-Match: *' \\
  -d '{"last_name_or_title": "First light", "urlname": "first-light"}'`,
      javascript: `const created = await fetch('${tag}', {
  method: 'PUT',
  headers: {
    Authorization: \`Bearer \${token}\`,
    'Content-Type': 'application/json',
    'If-None-Match': '*',
  },
  body: JSON.stringify({ last_name_or_title: 'First light', urlname: 'first-light' }),
})
console.log(created.status, await created.json())`,
    },
    change: {
      id: 'change',
      curl: `ETAG=$(curl -sSI '${tag}' ${header} |
  tr -d '\\r' | sed -n 's/^[Ee][Tt][Aa][Gg]: //p')
for TITLE in 'Sunrise' 'Sunset'; do
  curl -sSi -X PATCH '${tag}' ${header} \\
    -H 'Content-Type: application/json' -H "If-Match: $ETAG" \\
    -d "{\\"last_name_or_title\\": \\"$TITLE\\"}"
done`,
      javascript: `const read = await fetch('${tag}', { ${headers} })
for (const last_name_or_title of ['Sunrise', 'Sunset']) {
  const changed = await fetch('${tag}', {
    method: 'PATCH',
    headers: {
      Authorization: \`Bearer \${token}\`,
      'Content-Type': 'application/json',
      'If-Match': read.headers.get('ETag'),
    },
    body: JSON.stringify({ last_name_or_title }),
  })
  console.log(changed.status)
}`,
    },
    strict: {
      id: 'strict',
      curl: `curl -sS -X PATCH '${tag}' ${header} \\
  -H 'Content-Type: application/json' -H 'Prefer: handling=strict' \\
  -d '{"titel": "Sunrise"}'`,
      javascript: `const strict = await fetch('${tag}', {
  method: 'PATCH',
  headers: {
    Authorization: \`Bearer \${token}\`,
    'Content-Type': 'application/json',
    Prefer: 'handling=strict',
  },
  body: JSON.stringify({ titel: 'Sunrise' }),
})
console.log(strict.status, (await strict.json()).error_info)`,
    },
    remove: {
      id: 'remove',
      curl: `curl -sS -X DELETE '${tag}' ${header}`,
      javascript: `const removed = await fetch('${tag}', {
  method: 'DELETE',
  ${headers},
})
console.log(await removed.json())`,
    },
  } as const satisfies Readonly<Record<string, Sample>>
}
