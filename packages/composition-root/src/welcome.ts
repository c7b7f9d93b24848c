/** What a person reads when the service has started: where it is, how to get in, and what to try first. */
import type { IssuedKey } from '@publishing-service/application'
import { linkPath } from '@publishing-service/access'
import { dashboardPath, documentationPages } from '@publishing-service/http-contract'
import type { Configuration } from './configuration.js'
import { showSecret, showSetUpLink } from './first-key.js'
import { localUrl, shownUrl } from './local-address.js'
import type { Service } from './service.js'

type Started = Pick<Service, 'bootstrapped' | 'log' | 'port'> & {
  /** The address for people. */
  readonly url: string
}

const adminCommand = 'npm run --silent admin --'

/** They request a token and list the content. */
const commandsToPaste = (
  { curl, address }: { readonly curl: string; readonly address: string },
  instance: number | null,
  { api_key: key }: IssuedKey,
  secret: string,
): readonly string[] => [
  '',
  'To request a token and list the content, paste this into another terminal:',
  '',
  `SERVICE=${address}`,
  `TOKEN=$(${curl} -sS "$SERVICE/oauth/token" -d grant_type=client_credentials -d "api_key=${key}" -d "api_secret=${secret}" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
  `${curl} -sS -H "Authorization: Bearer $TOKEN" "$SERVICE/${instance}/content?fields=content_type-title"`,
]

/** The link with which the first person sets up their account. */
const firstPerson = async (
  { url, bootstrapped: { setUp }, log }: Started,
  configuration: Configuration,
  isTerminal: boolean,
): Promise<readonly string[]> => {
  if (setUp === null) return []
  const address = `${configuration.BASE_URL ?? url}${dashboardPath}/${linkPath(setUp)}`
  return [
    '',
    'Set up your account for the dashboard: open this link within 24 hours. It works once.',
    '',
    ...(await showSetUpLink(address, configuration, log, isTerminal)),
  ]
}

/** The key that this start created, and commands that use it. */
const firstKey = async (
  { url, port, bootstrapped: { issued, sample, firstInstance }, log }: Started,
  configuration: Configuration,
  isTerminal: boolean,
): Promise<readonly string[]> => {
  if (issued === null) return []
  const access =
    port === null
      ? { curl: `curl --unix-socket ${configuration.HOST}`, address: localUrl(configuration, port) }
      : { curl: 'curl', address: url }
  const { note, words, inShell } = await showSecret(issued, configuration, log, isTerminal)
  return [
    '',
    sample === null
      ? `The data had no key, so an admin key for instance ${firstInstance} was created.`
      : `First start: instance ${sample} is a sample publication, and this is an admin key for it.`,
    'It is for programs. The dashboard accepts it too.',
    ...note,
    '',
    `  API key     ${issued.api_key}`,
    `  API secret  ${words}`,
    ...(inShell === null ? [] : commandsToPaste(access, sample ?? firstInstance, issued, inShell)),
  ]
}

const idleKeyTexts = {
  unknown:
    'BOOTSTRAP_API_KEY was ignored: it is created only if the data has no key, and this data has keys.',
  revoked: 'The key in BOOTSTRAP_API_KEY is revoked and cannot be used.',
} as const

const howToCreateKey = (instance: number | null): readonly string[] => [
  '',
  'Create a key with the admin command. The service can keep running:',
  '',
  ...(instance === null ? [`  ${adminCommand} instance create --title News --timezone Europe/Vienna`] : []),
  `  ${adminCommand} key create --instance ${instance ?? 1} --role admin`,
]

/** The text for the standard output. It contains a secret only on the start that generated it, and only for a terminal. */
export const welcome = async (
  { port, bootstrapped, log }: Pick<Service, 'port' | 'bootstrapped' | 'log'>,
  configuration: Configuration,
  isTerminal: boolean,
): Promise<string> => {
  const url = await shownUrl(configuration, port)
  const started = { url, port, bootstrapped, log }
  const { BASE_URL, documentStore, blobStore } = configuration
  const { idleKey, issued, firstInstance } = bootstrapped
  return [
    `The publishing service listens on ${port === null ? `the socket ${configuration.HOST}` : url}`,
    ...(port === null && BASE_URL === null
      ? [`In the addresses below, put that of the proxy before the socket in the place of ${url}`]
      : []),
    ...(BASE_URL === null || BASE_URL === url ? [] : [`Links use ${BASE_URL} (BASE_URL)`]),
    `Documents are stored in ${await documentStore.place(configuration)}`,
    `Files are stored in ${await blobStore.place(configuration)}`,
    `Dashboard: ${url}${dashboardPath}`,
    `API reference: ${url}${documentationPages.reference.path}`,
    ...(await firstPerson(started, configuration, isTerminal)),
    ...(await firstKey(started, configuration, isTerminal)),
    ...(idleKey === null ? [] : ['', idleKeyTexts[idleKey]]),
    ...(issued === null && documentStore.medium !== 'memory' ? howToCreateKey(firstInstance) : []),
    '',
  ]
    .map((line) => `${line}\n`)
    .join('')
}
