/** All checks of `doctor`, in the order of their output. A further one is a further entry. */
import { apiVersion } from '@publishing-service/http-contract'
import { orThrow } from '@publishing-service/application'
import { supportedNode, tokens } from '@publishing-service/composition-root'
import { isZone } from '@publishing-service/domain/time'
import type { Check } from './check.js'
import { examineAddress } from './examine-address.js'
import { examineBackups } from './examine-backups.js'
import { dataFolder, leftSecrets, openFiles, secretFiles, temporaryFolder } from './examine-machine.js'
import { examineBlobs, examineImaging, examineMail } from './examine-parts.js'
import { fault, fine, orFine, skipped, warning, type Finding } from './finding.js'
import { judgeRunningService } from './judge-address.js'
import {
  judgeDataFolder,
  judgeDescriptors,
  judgeRuntime,
  judgeSecretFile,
  judgeTemporaryFolder,
  judgeZones,
} from './judge-machine.js'
import { judgeClock, judgeHooks, judgeJobs, judgeStore } from './judge-stores.js'
import { versionIn, type Surroundings } from './surroundings.js'

/** The variables that identify a store. */
const documentNames = ({ configuration }: Surroundings): readonly string[] => [
  'STORE',
  ...configuration.documentStore.location,
]
const blobNames = ({ configuration }: Surroundings): readonly string[] => [
  'BLOBS',
  ...configuration.blobStore.location,
]
const storeNames = (surroundings: Surroundings): readonly string[] => [
  ...documentNames(surroundings),
  ...blobNames(surroundings),
]

const notOpened = skipped('not examined, because the stores were not opened')

const examineStore = async ({ configuration, store }: Surroundings): Promise<readonly Finding[]> => {
  const { found, closedBecause } = await store()
  if (found !== null)
    return judgeStore({ place: await configuration.documentStore.place(configuration), ...found })
  return [closedBecause === null ? fine('the store of the package was opened') : skipped(closedBecause)]
}

const examineClock = async ({ store }: Surroundings): Promise<readonly Finding[]> => {
  const { skew } = await store()
  return skew === null ? [skipped('the document store has no clock of its own')] : judgeClock(skew)
}

const examineReadiness = async ({ useCases }: Surroundings): Promise<readonly Finding[]> => {
  const used = await useCases()
  if (used === null) return [notOpened]
  const { errors } = await orThrow(used.checkReadiness())
  return orFine(
    errors.map(({ part, text }) => warning(`${part}: ${text}`, 'see docs/run-in-production.md#health')),
    'documents and blobs can be read and written, and clients can sign in',
  )
}

const examineZones = async ({ useCases }: Surroundings): Promise<readonly Finding[]> => {
  const used = await useCases()
  const instances = used === null ? [] : await orThrow(used.administerInstances.list())
  const zones = new Set(instances.map(({ settings }) => String(settings['timezone'] ?? 'UTC')))
  return judgeZones({
    release: process.versions['tz'] ?? null,
    year: new Date().getUTCFullYear(),
    unknown: [...zones].filter((zone) => !isZone(zone)),
  })
}

const examineHooks = async ({ work }: Surroundings): Promise<readonly Finding[]> => {
  const found = await work()
  return found === null ? [notOpened] : judgeHooks(found, Date.now())
}

const examineJobs = async ({ work, localService }: Surroundings): Promise<readonly Finding[]> => {
  const found = await work()
  if (found === null) return [notOpened]
  const service = await localService().catch(() => null)
  return judgeJobs(found, (service?.answer ?? null) !== null)
}

const examineLocalService = async ({ localService }: Surroundings): Promise<readonly Finding[]> => {
  const service = await localService()
  if (service === null) return [skipped('PORT is 0, so the port of a running service is not known')]
  const { place, answer } = service
  return judgeRunningService(
    { place, answer: answer === null ? null : { status: answer.status, version: versionIn(answer) } },
    apiVersion,
  )
}

const examineConfiguration = async ({ wrong }: Surroundings): Promise<readonly Finding[]> =>
  orFine(
    wrong.map(({ message }) => fault(message, 'see docs/configuration.md')),
    'all variables are valid',
  )

const examineProvider = async ({ container }: Surroundings): Promise<readonly Finding[]> => {
  const provider = await container.getAsync(tokens.identityProvider)
  if (provider === null) return [skipped('no identity provider is configured')]
  await orThrow(provider.check())
  return [fine('the metadata of the identity provider can be read, and have its issuer')]
}

export const doctorChecks: readonly Check[] = [
  {
    name: 'configuration',
    examines: 'All variables, misspelled names, and files of secrets that cannot be read',
    needs: [],
    advice: 'see docs/configuration.md',
    examine: examineConfiguration,
  },
  {
    name: 'Node',
    examines: 'Whether the release is tested, and gets security updates',
    needs: [],
    advice: 'install Node 24',
    examine: async () => judgeRuntime({ version: process.versions.node, supported: supportedNode() }),
  },
  {
    name: 'secrets',
    examines:
      'Permissions of the files that `…_FILE` names, and secrets of a first start that were left in `DATA_DIR`',
    needs: ['DATA_DIR'],
    advice: 'correct the permissions of the file',
    examine: async (surroundings) =>
      orFine(
        [...(await secretFiles(surroundings)).flatMap(judgeSecretFile), ...(await leftSecrets(surroundings))],
        'no file of a secret can be read by other users',
      ),
  },
  {
    name: 'data folder',
    examines:
      'Permissions, kind of the file system, free space compared with the reserve and with the documents',
    needs: ['DATA_DIR', 'STORE', 'BLOBS'],
    advice: 'correct the folder, or DATA_DIR',
    examine: async (surroundings) => {
      const folder = await dataFolder(surroundings)
      return typeof folder === 'string' ? [skipped(folder)] : judgeDataFolder(folder)
    },
  },
  {
    name: 'open files',
    examines: 'How many files and connections a process may open',
    needs: [],
    advice: 'see ulimit -n',
    examine: async () => judgeDescriptors(await openFiles()),
  },
  {
    name: 'temporary files',
    examines: 'Whether imports and exports can write their files, and the largest import fits',
    needs: ['APPLICATION_LIMIT'],
    advice: 'set TMPDIR to another folder',
    examine: async ({ configuration }) => judgeTemporaryFolder(await temporaryFolder(configuration)),
  },
  {
    name: 'document store',
    examines: 'Whether it can be reached, its version, and whether its tables are those of this version',
    needs: documentNames,
    advice: 'see docs/run-in-production.md',
    examine: examineStore,
  },
  {
    name: 'clock of the store',
    examines: 'The clock of a database server compared with that of this machine',
    needs: documentNames,
    advice: 'see the check of the document store',
    examine: examineClock,
  },
  {
    name: 'blob store',
    examines: 'Whether a probe can be written, found and removed',
    needs: storeNames,
    advice: 'see docs/run-in-production.md',
    examine: examineBlobs,
  },
  {
    name: 'readiness',
    examines:
      'What `/health/ready` examines, with its errors: reads and writes of both stores, sign-in, garbage collection, failed backups',
    needs: storeNames,
    advice: 'see docs/run-in-production.md#health',
    examine: examineReadiness,
  },
  {
    name: 'time zones',
    examines: 'The age of the time zone data, and whether they have the zones of all instances',
    needs: storeNames,
    advice: 'update Node',
    examine: examineZones,
  },
  {
    name: 'imaging',
    examines: 'Whether a small image can be scaled',
    needs: ['IMAGING'],
    advice: 'install what IMAGING names, or set IMAGING=jimp',
    examine: examineImaging,
  },
  {
    name: 'service',
    examines: 'Whether a service runs at `PORT` or the socket, is ready, and has this version',
    needs: ['HOST', 'PORT'],
    advice: 'see the log of the service',
    examine: examineLocalService,
  },
  {
    name: 'public address',
    examines:
      '`BASE_URL` as readers reach it: redirects, days until the certificate ends, headers of the proxy compared with `TRUST_PROXY`',
    needs: ['BASE_URL', 'TRUST_PROXY'],
    advice: 'see the proxy, its certificate, and BASE_URL',
    examine: examineAddress,
  },
  {
    name: 'mail',
    examines: 'Connection and login; with `--mail-to` a message',
    needs: ['SMTP_URL', 'MAIL_FROM'],
    advice: 'correct SMTP_URL, or see the mail server',
    examine: examineMail,
  },
  {
    name: 'identity provider',
    examines: 'Whether its metadata can be read, and name the issuer that is configured',
    needs: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    advice: 'correct OIDC_ISSUER, or see the provider',
    examine: examineProvider,
  },
  {
    name: 'web hooks',
    examines: 'Web hooks that fail, were switched off, or for which changes wait for more than five minutes',
    needs: storeNames,
    advice: 'see the check of readiness',
    examine: examineHooks,
  },
  {
    name: 'jobs',
    examines: 'Imports and exports that no process works on, and mail that waits',
    needs: storeNames,
    advice: 'see the check of readiness',
    examine: examineJobs,
  },
  {
    name: 'backups',
    examines:
      'The age of the newest complete backup compared with `BACKUP_EVERY`, its list, and the space for another one',
    needs: ['BACKUP_TO', 'BACKUP_EVERY', 'BACKUP_ACCESS_KEY', 'BACKUP_SECRET_KEY', 'BACKUP_ENCRYPTION_KEY'],
    advice: 'correct the variables that begin with BACKUP_, or see their place',
    examine: examineBackups,
  },
]
