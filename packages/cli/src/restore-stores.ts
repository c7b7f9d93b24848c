/** Restores a backup to empty stores, and takes their instances back to a moment. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import {
  backups,
  orThrow,
  type BackupDocuments,
  type BackupList,
  type CopyTools,
} from '@publishing-service/application'
import {
  type BackupPlace,
  asCommandLine,
  createContainer,
  documentsFile,
  hasDocumentsFile,
  openDocumentsFile,
  prepareDataDirectory,
  readDocumentsFile,
  removeDocumentsFile,
  tokens,
} from '@publishing-service/composition-root'
import { linesOf } from '@publishing-service/domain/json'
import { utcTime } from '@publishing-service/domain/time'
import { refusal } from './command-failure.js'
import { runPersistently, withStores } from './copy-between.js'
import type { NamedSides } from './copy-messages.js'
import type { Side } from './copy-sides.js'
import { exists } from './export-folder.js'
import type { ProgressDisplay } from './progress-display.js'
import { rewindInstance, type RewindSummary } from './rewind-instance.js'

/** A backup that is restored, and what messages call both sides. */
export type Restoration = {
  readonly place: BackupPlace
  readonly list: BackupList
  readonly sides: NamedSides
  readonly tools: CopyTools
  readonly display: ProgressDisplay
  /** The time to which the instances are taken back, in milliseconds; null if they are not. */
  readonly rewindTo: number | null
}

/** What became of the objects of an instance. */
export type RewoundInstance = { readonly instance: number; readonly summary: RewindSummary }

/** Writes the documents to a file, which is on the disk then. */
const writeDocuments = async ({ place, list, tools }: Restoration, path: string): Promise<void> => {
  await removeDocumentsFile(path)
  await pipeline(backups.documentBytes(place, list, tools), createWriteStream(path, { mode: 0o600 }))
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}

/** Puts the file of the documents in its place when everything else is there. */
const restoreFile = async (restoration: Restoration, { configuration }: Side): Promise<void> => {
  const { place, list, tools, sides, display, rewindTo } = restoration
  const { printLine } = display
  const file = documentsFile(configuration)
  await prepareDataDirectory(configuration)
  if (await exists(file)) throw refusal(`${file} exists. Choose another DATA_DIR, or empty this one`)
  const container = createContainer(configuration)
  try {
    const blobs = await container.getAsync(tokens.blobs)
    await runPersistently(backups.restoreBlobs(place, list, blobs, tools), sides, printLine)
  } finally {
    await Promise.allSettled([container.unbindAll()])
  }
  const unfinished = `${file}.incomplete`
  await writeDocuments(restoration, unfinished)
  if (rewindTo !== null) {
    const documents = await openDocumentsFile(unfinished)
    try {
      await runPersistently(backups.beginRewind(documents, list, utcTime(rewindTo)), sides, printLine)
    } finally {
      await documents.close()
    }
  }
  await rename(unfinished, file)
  const folder = await open(dirname(file), 'r')
  await folder.sync()
  await folder.close()
}

const withReadDocuments = async <A>(
  restoration: Restoration,
  use: (documents: BackupDocuments) => Promise<A>,
): Promise<A> => {
  const { place, list, tools } = restoration
  if (list.head.form === 'lines')
    return use({
      form: 'lines',
      lines: () =>
        linesOf(
          Readable.from(backups.documentBytes(place, list, tools))
            .compose(createGunzip())
            .setEncoding('utf8'),
        ),
    })
  const folder = await mkdtemp(join(tmpdir(), 'publishing-service-'))
  try {
    const file = join(folder, 'documents.sqlite')
    await writeDocuments(restoration, file)
    const reads = await readDocumentsFile(file)
    return await use({ form: 'sqlite', reads }).finally(reads.close)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Fills stores with a backup: as a file if it is one and the stores have one, else document by document. */
const fillStores = async (restoration: Restoration, side: Side): Promise<void> => {
  const { place, list, tools, sides, display, rewindTo } = restoration
  if (list.head.form === 'sqlite' && hasDocumentsFile(side.configuration))
    return restoreFile(restoration, side)
  const to = { ...tools, rewindTo: rewindTo === null ? null : utcTime(rewindTo) }
  await withReadDocuments(restoration, (documents) =>
    withStores(side, (stores) =>
      runPersistently(backups.fill(place, list, documents, stores, to), sides, display.printLine),
    ),
  )
}

/** Whether the stores are filled, and only their instances are still to be taken back. Throws a CommandFailure for another moment. */
const isFilled = async ({ sides, display, rewindTo }: Restoration, side: Side): Promise<boolean> => {
  const { configuration } = side
  if (rewindTo === null) return false
  if (hasDocumentsFile(configuration) && !(await exists(documentsFile(configuration)))) return false
  const begun = await withStores(side, ({ documents }) =>
    runPersistently(backups.rewindBegun(documents), sides, display.printLine),
  )
  if (begun !== null && begun !== utcTime(rewindTo))
    throw refusal(
      `these stores are being restored to ${begun}. Repeat the command with --until ${begun}, or empty them`,
    )
  return begun !== null
}

/** Takes all instances of filled stores back to a time in milliseconds, and completes the restoration. */
const rewindAll = async (
  { sides, display }: Restoration,
  { configuration }: Side,
  to: number,
): Promise<readonly RewoundInstance[]> => {
  const container = createContainer(configuration)
  try {
    const useCases = await container.getAsync(tokens.useCases)
    const documents = await container.getAsync(tokens.documents)
    // A backup of an earlier release has none.
    await useCases.completePlaces()
    const rewound: RewoundInstance[] = []
    for (const { id: instance } of await orThrow(useCases.administerInstances.list())) {
      const run = asCommandLine(useCases, instance)
      const request = { to, isTrial: false, report: null }
      rewound.push({ instance, summary: await rewindInstance(run, request, display.update) })
    }
    await useCases.audit.writeWaiting()
    await runPersistently(backups.endRewind(documents), sides, display.printLine)
    return rewound
  } finally {
    await Promise.allSettled([container.unbindAll()])
  }
}

/** Restores a backup. Returns what became of the objects of instances that are taken back. */
export const restoreStores = async (
  restoration: Restoration,
  side: Side,
): Promise<readonly RewoundInstance[]> => {
  if (!(await isFilled(restoration, side))) await fillStores(restoration, side)
  const { rewindTo } = restoration
  return rewindTo === null ? [] : rewindAll(restoration, side, rewindTo)
}
