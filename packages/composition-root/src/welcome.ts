/** What a person reads when the service has started: where it is, how to get in, and what to try first. */
import { resolve } from 'node:path'
import { documentationPages } from '@publishing-service/http-contract'
import { commandsToPaste } from './commands-to-paste.js'
import type { Configuration } from './configuration-table.js'
import type { Service } from './service.js'

type Started = Pick<Service, 'url' | 'bootstrapped'>

/** Where the secret comes from when it isn't one that the service made up: then it is in nobody's output. */
const configuredSecret = '$BOOTSTRAP_API_SECRET'

const addresses = ({ url }: Started, { BASE_URL }: Configuration): readonly string[] => [
  `The publishing service listens on ${url}`,
  ...(BASE_URL === null || BASE_URL === url ? [] : [`Its links name ${BASE_URL} (BASE_URL)`]),
]

const inMemory = 'in memory, and are gone when the service ends'

const storage = ({ STORE, BLOBS, DATA_DIR, MINIO_BUCKET, MINIO_URL }: Configuration): string => {
  const inFolder = `in ${resolve(DATA_DIR)}`
  const documents = { sqlite: inFolder, mongodb: 'in MongoDB', memory: inMemory }[STORE]
  const files = {
    filesystem: inFolder,
    minio: `in the bucket ${MINIO_BUCKET} of ${MINIO_URL}`,
    memory: inMemory,
  }[BLOBS]
  return documents === files
    ? `Its data are ${documents}`
    : `Its documents are ${documents}\nIts files are ${files}`
}

const issuedKey = ({ bootstrapped }: Started, { BOOTSTRAP_API_SECRET }: Configuration): readonly string[] => {
  const { issued, sample, firstInstance } = bootstrapped
  if (issued === null) return []
  const secret = BOOTSTRAP_API_SECRET === null ? issued.api_secret : 'as set in BOOTSTRAP_API_SECRET'
  return [
    '',
    sample === null
      ? `These data had no key yet: this is an admin key for instance ${firstInstance}.`
      : `This is its first start: instance ${sample} is a sample publication, and this is an admin key for it.`,
    ...(BOOTSTRAP_API_SECRET === null
      ? ['The secret is shown this once and kept only as a hash, so note it down.']
      : []),
    '',
    `  API key     ${issued.api_key}`,
    `  API secret  ${secret}`,
  ]
}

const idleKeyTexts = {
  unknown:
    'BOOTSTRAP_API_KEY is no key of these data: it is made on data without any key, and these have some.',
  revoked: 'The key in BOOTSTRAP_API_KEY is revoked, and stays so.',
} as const

const idleKey = ({ bootstrapped }: Started): readonly string[] =>
  bootstrapped.idleKey === null ? [] : ['', idleKeyTexts[bootstrapped.idleKey]]

const howToMakeKey = ({ bootstrapped }: Started, { STORE }: Configuration): readonly string[] => {
  const { issued, firstInstance } = bootstrapped
  if (issued !== null || STORE === 'memory') return []
  return [
    '',
    'Make a key with the admin command, which works while the service runs:',
    '',
    ...(firstInstance === null
      ? ['  npm run --silent admin -- instance create --title News --timezone Europe/Vienna']
      : []),
    `  npm run --silent admin -- key create --instance ${firstInstance ?? 1} --role admin`,
  ]
}

const block = (
  { url, bootstrapped }: Started,
  { BOOTSTRAP_API_SECRET }: Configuration,
): readonly string[] => {
  const { issued, sample } = bootstrapped
  if (sample === null) return []
  const known = issued !== null && BOOTSTRAP_API_SECRET === null
  const hint =
    issued === null ? ' with your key and secret in lines 2 and 3' : known ? '' : ' with the secret in line 3'
  const secret = issued === null ? 'API_SECRET' : configuredSecret
  return [
    '',
    `To look around, paste this into another terminal (bash or zsh)${hint}:`,
    '',
    ...commandsToPaste({
      url,
      instance: sample,
      apiKey: issued?.api_key ?? 'API_KEY',
      apiSecret: known ? issued.api_secret : secret,
    }),
  ]
}

/** The text, ready for the terminal. It holds a secret only on the start that made it up. */
export const welcome = (service: Started, configuration: Configuration): string =>
  [
    ...addresses(service, configuration),
    storage(configuration),
    `Its reference, to read and to try: ${service.url}${documentationPages.reference.path}`,
    ...issuedKey(service, configuration),
    ...idleKey(service),
    ...howToMakeKey(service, configuration),
    ...block(service, configuration),
    '',
  ]
    .map((line) => `${line}\n`)
    .join('')
