/** What a person reads when the service has started: where it is, how to get in, and what to try first. */
import { resolve } from 'node:path'
import type { IssuedKey } from '@publishing-service/application'
import { dashboardPath, documentationPages } from '@publishing-service/http-contract'
import { readSample } from '@publishing-service/sample'
import { commandsToPaste } from './commands-to-paste.js'
import type { Configuration, StoreKind } from './configuration.js'
import type { SecretPlace } from './first-key-file.js'
import type { Service } from './service.js'

type Started = Pick<Service, 'url' | 'bootstrapped'>

/** The source of a configured secret, which is never printed. */
const configuredSecret = '$BOOTSTRAP_API_SECRET'

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The shell reads the secret out of the file of the first key. */
const secretIn = (file: string): string => `$(sed -n s/^API_SECRET=//p ${quoted(file)})`

const addresses = ({ url }: Started, { BASE_URL }: Configuration): readonly string[] => [
  `The publishing service listens on ${url}`,
  ...(BASE_URL === null || BASE_URL === url ? [] : [`Links use ${BASE_URL} (BASE_URL)`]),
]

const inMemory = 'in memory, until the service ends'

const storageWords = async (
  { medium, place }: StoreKind<unknown>,
  configuration: Configuration,
): Promise<string> => {
  if (medium === 'folder') return `in ${resolve(configuration.DATA_DIR)}`
  return medium === 'memory' ? inMemory : `in ${await place(configuration)}`
}

const storage = async (configuration: Configuration): Promise<string> => {
  const documents = await storageWords(configuration.documentStore, configuration)
  const files = await storageWords(configuration.blobStore, configuration)
  return documents === files
    ? `Data is stored ${documents}`
    : `Documents are stored ${documents}\nFiles are stored ${files}`
}

/** How the secret of the first key is shown: in a sentence, and as shell code; null if it is lost. */
type ShownSecret = {
  readonly note: readonly string[]
  readonly shown: string
  readonly inShell: string | null
}

const shownSecret = (
  { api_secret: secret }: IssuedKey,
  { BOOTSTRAP_API_SECRET }: Configuration,
  place: SecretPlace,
): ShownSecret => {
  if (BOOTSTRAP_API_SECRET !== null)
    return { note: [], shown: 'as set in BOOTSTRAP_API_SECRET', inShell: configuredSecret }
  switch (place._tag) {
    case 'Terminal':
      return {
        note: ['Store the secret now: it is not shown again.'],
        shown: secret,
        inShell: secret,
      }
    case 'File':
      return {
        note: [
          'The output is not a terminal, so the secret is in a file that only this user can read. Store the secret',
          'elsewhere, and delete the file.',
        ],
        shown: `in ${place.path}`,
        inShell: secretIn(place.path),
      }
    case 'Lost':
      return {
        note: [
          `The output is not a terminal, and the secret could not be written to ${place.path}: ${place.reason}.`,
          'Create another key: npm run --silent admin -- key create --instance 1 --role admin',
        ],
        shown: 'lost',
        inShell: null,
      }
  }
}

const issuedKey = (
  { bootstrapped: { issued, sample, firstInstance } }: Started,
  configuration: Configuration,
  place: SecretPlace,
): readonly string[] => {
  if (issued === null) return []
  const { note, shown } = shownSecret(issued, configuration, place)
  return [
    '',
    sample === null
      ? `The data had no key, so an admin key for instance ${firstInstance} was created.`
      : `First start: instance ${sample} is a sample publication, and this is an admin key for it.`,
    'Sign in to the dashboard with it.',
    ...note,
    '',
    `  API key     ${issued.api_key}`,
    `  API secret  ${shown}`,
  ]
}

const idleKeyTexts = {
  unknown:
    'BOOTSTRAP_API_KEY was ignored: it is created only if the data has no key, and this data has keys.',
  revoked: 'The key in BOOTSTRAP_API_KEY is revoked and cannot be used.',
} as const

const idleKey = ({ bootstrapped }: Started): readonly string[] =>
  bootstrapped.idleKey === null ? [] : ['', idleKeyTexts[bootstrapped.idleKey]]

const howToCreateKey = ({ bootstrapped }: Started, { documentStore }: Configuration): readonly string[] => {
  const { issued, firstInstance } = bootstrapped
  if (issued !== null || documentStore.medium === 'memory') return []
  return [
    '',
    'Create a key with the admin command. The service can keep running:',
    '',
    ...(firstInstance === null
      ? ['  npm run --silent admin -- instance create --title News --timezone Europe/Vienna']
      : []),
    `  npm run --silent admin -- key create --instance ${firstInstance ?? 1} --role admin`,
  ]
}

/** The commands to paste, on the first start alone. */
const block = async (
  { url, bootstrapped: { issued, sample } }: Started,
  configuration: Configuration,
  place: SecretPlace,
): Promise<readonly string[]> => {
  if (sample === null || issued === null) return []
  const { inShell } = shownSecret(issued, configuration, place)
  if (inShell === null) return []
  const { introduction: article } = await readSample()
  const hint = inShell === configuredSecret ? ' with the secret in line 3' : ''
  return [
    '',
    `To look around, paste this into another terminal (bash or zsh)${hint}:`,
    '',
    ...commandsToPaste({ url, instance: sample, article, apiKey: issued.api_key, apiSecret: inShell }),
  ]
}

/**
 * The text, ready for the terminal. It contains a secret only on the start that generated it,
 * and only for a terminal.
 */
export const welcome = async (
  service: Started,
  configuration: Configuration,
  place: SecretPlace = { _tag: 'Terminal' },
): Promise<string> =>
  [
    ...addresses(service, configuration),
    await storage(configuration),
    `Dashboard: ${service.url}${dashboardPath}`,
    `API reference: ${service.url}${documentationPages.reference.path}`,
    ...issuedKey(service, configuration, place),
    ...idleKey(service),
    ...howToCreateKey(service, configuration),
    ...(await block(service, configuration, place)),
    '',
  ]
    .map((line) => `${line}\n`)
    .join('')
