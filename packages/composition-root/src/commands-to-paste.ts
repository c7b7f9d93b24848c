/**
 * The block of shell commands that shows the service to a newcomer: a token, the list of the content, an article with
 * its gallery, a photograph. It works as it is in bash and zsh, with curl and the Node that runs the service.
 */
type BlockSubject = {
  /** The service's address on this machine. */
  readonly url: string
  /** The number of the instance with the sample publication. */
  readonly instance: number
  /** UUID of an article of it that has a gallery. */
  readonly article: string
  readonly apiKey: string
  /** As the shell reads it: a secret, a variable or a command. */
  readonly apiSecret: string
}

/**
 * The lines, each a command. A user who pastes them reads a token, a list, an article and a gallery, and finds the first
 * photograph, 400 pixels wide, in photo.jpg. Addresses are taken below SERVICE, since links may name a public one.
 */
export const commandsToPaste = ({
  url,
  instance,
  article,
  apiKey,
  apiSecret,
}: BlockSubject): readonly string[] => [
  `SERVICE=${url}`,
  `API_KEY=${apiKey}`,
  `API_SECRET=${apiSecret}`,
  'say() { printf "\\n%s\\n" "$1"; }',
  'show() { node -p "it = JSON.parse(fs.readFileSync(0)), it.error_description ?? ($1)"; }',
  'get() { curl -sS -H "Authorization: Bearer $TOKEN" "$SERVICE/$1"; }',
  'TOKEN=$(curl -sS "$SERVICE/oauth/token" -d grant_type=client_credentials -d "api_key=$API_KEY" -d "api_secret=$API_SECRET" | show it.access_token)',
  'say "A token: $TOKEN"',
  'say "The content, newest first:"',
  `get "${instance}/content?fields=content_type-title&order=issued.desc" | show "it.items.map((row) => row.join(': ')).join('\\n')"`,
  `ARTICLE=${instance}/content/${article}`,
  'say "An article:"',
  'get $ARTICLE | show it',
  'SLOT=$(get $ARTICLE/slots | show "it.items[0].uuid")',
  'say "Its gallery:"',
  'get $ARTICLE/slots/$SLOT/media | show it.items',
  `PHOTO=$(get $ARTICLE/slots/$SLOT/media | show "it.items[0].image_url.replace(/.*(?=\\/${instance}\\/files)/, '')")`,
  'curl -sS -f -o photo.jpg -H "Authorization: Bearer $TOKEN" "$SERVICE$PHOTO?w=400" && say "A photograph of the gallery, 400 pixels wide, is in photo.jpg"',
]
