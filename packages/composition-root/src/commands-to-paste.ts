/**
 * The block of shell commands that shows the service to a newcomer: a token, the list of the content, an article with
 * its gallery, a photograph. It works as it is in bash and zsh, with curl, grep and sed.
 */
import { threePhotographs } from './sample/stories/three-photographs.js'

export type BlockSubject = {
  /** The service's address on this machine. */
  readonly url: string
  /** Number of the instance that holds the sample publication. */
  readonly instance: number
  readonly apiKey: string
  /** As the shell reads it: a secret, a placeholder or a variable. */
  readonly apiSecret: string
}

/** The lines, each a command. Whoever pastes them finds the photograph, 400 pixels wide, in photo.jpg. */
export const commandsToPaste = ({ url, instance, apiKey, apiSecret }: BlockSubject): readonly string[] => [
  `SERVICE=${url}`,
  `API_KEY=${apiKey}`,
  `API_SECRET=${apiSecret}`,
  String.raw`TOKEN=$(curl -s "$SERVICE/oauth/token" -d grant_type=client_credentials -d "api_key=$API_KEY" -d "api_secret=$API_SECRET" | sed 's/.*"access_token":"\([^"]*\)".*/\1/')`,
  'get() { curl -s -H "Authorization: Bearer $TOKEN" "$@"; echo; }',
  String.raw`get "$SERVICE/${instance}/content?fields=title-urlname-url&order=issued.desc" | grep -o '\["[^]]*\]'`,
  `ARTICLE="$SERVICE/${instance}/content/${threePhotographs.id}"`,
  'get "$ARTICLE"',
  'get "$ARTICLE/slots"',
  String.raw`SLOT=$(get "$ARTICLE/slots" | sed 's/.*"uuid":"\([^"]*\)".*/\1/')`,
  'get "$ARTICLE/slots/$SLOT/media"',
  `PHOTO=$(get "$ARTICLE/slots/$SLOT/media" | grep -o '/${instance}/files/[^"?]*/download/[0-9]*' | sed q)`,
  'get -o photo.jpg "$SERVICE$PHOTO?w=400"',
]
