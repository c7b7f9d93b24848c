/** `backup create`, `list`, `verify` and `restore`: all data of a moment at another place. */
import { Option } from 'commander'
import { backups, type BackupList, type CopyTools, type ListedBackup } from '@publishing-service/application'
import {
  type BackupPlace,
  backupPlaceName,
  backupSource,
  configurationOfProcess,
  counted,
  createContainer,
  exitCodes,
  newBackupKey,
  openBackupPlace,
  tokens,
  type Configuration,
} from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import { utcTime } from '@publishing-service/domain/time'
import { CommandFailure, refusal } from './command-failure.js'
import { adminCommand, listResult, type AdminCommand, type CommandResult } from './command.js'
import { runPersistently, withStores } from './copy-between.js'
import type { NamedSides } from './copy-messages.js'
import { readOwnSide, type NamedSide } from './copy-sides.js'
import { withProgress, type ProgressDisplay } from './progress-display.js'
import { restoreStores } from './restore-stores.js'
import { bytesInWords, durationInWords } from './result-text.js'
import { momentOf } from './rewind-commands.js'

type PlaceOptions = { readonly at?: string }

const atOption = (): Option => new Option('--at <place>', 'where the backups are; BACKUP_TO by default')

const backupArgument = [
  '[backup]',
  'name of a backup, as list prints it; the latest by default',
  String,
] as const

/** An open place, and what is needed to read it. */
type OpenPlace = {
  readonly place: BackupPlace
  readonly side: NamedSide
  readonly tools: CopyTools
  readonly display: ProgressDisplay
  readonly configuration: Configuration
}

const onPlace = async <A>(
  { at }: PlaceOptions,
  work: (open: OpenPlace) => Promise<A>,
): Promise<readonly [result: A, seconds: number]> => {
  const found = await configurationOfProcess()
  if (E.isLeft(found)) throw new CommandFailure(exitCodes.configuration, found.left)
  const { configuration } = found.right
  const to = at ?? configuration.BACKUP_TO
  const place = await openBackupPlace({ ...configuration, BACKUP_TO: to })
  if (place === null || to === null)
    throw refusal('there is no place for backups: set BACKUP_TO, or add --at')
  const container = createContainer(configuration)
  try {
    const checksum = await container.getAsync(tokens.checksum)
    const name = backupPlaceName(to)
    const side = { name, places: { documents: name, blobs: name } }
    return await withProgress((display) =>
      work({ place, side, tools: { checksum, onProgress: display.update }, display, configuration }),
    )
  } finally {
    await place.close()
    await container.unbindAll()
  }
}

const opened = (
  { place, side, tools, display }: OpenPlace,
  id: string | undefined,
  to: NamedSide = side,
): Promise<BackupList> =>
  runPersistently(backups.open(place, id ?? null, tools), { from: side, to }, display.printLine)

const create = async (open: OpenPlace): Promise<Omit<CommandResult, 'code'>> => {
  const { place, side: to, tools, display, configuration } = open
  const from = await readOwnSide('from')
  const sides: NamedSides = { from, to }
  const made = await withStores(from, (stores) => {
    const source = backupSource(from.configuration, stores, stores, tools.checksum)
    const request = { place, source, time: Date.parse(stores.time) }
    return runPersistently(backups.create(request, tools), sides, display.printLine)
  })
  const prune = { place, keep: configuration.BACKUP_KEEP, time: Date.now() }
  const pruned = await runPersistently(backups.prune(prune, tools), sides, display.printLine)
  const { id, blobs, bytes, newBlobs, newBytes, documentBytes, withoutData } = made
  const text = [
    `Made the backup ${id} in ${to.name}: documents of ${bytesInWords(documentBytes)}, ` +
      `${counted(blobs, 'blob')} of ${bytesInWords(bytes)}, of which ${newBlobs} of ${bytesInWords(newBytes)} are new.`,
    ...(pruned.backups > 0
      ? [
          `Removed ${counted(pruned.backups, 'old backup')}, and ${counted(pruned.blobs, 'blob')} that no other has.`,
        ]
      : []),
    ...(withoutData.length > 0
      ? [
          `The data of ${counted(withoutData.length, 'file')} is missing in the stores: ${withoutData.slice(0, 20).join(', ')}`,
        ]
      : []),
  ]
  return {
    value: {
      id,
      blobs,
      bytes,
      new_blobs: newBlobs,
      new_bytes: newBytes,
      document_bytes: documentBytes,
      without_data: [...withoutData],
      removed: pruned.backups,
    },
    text: text.join('\n'),
  }
}

const listRow = ({ id, list }: ListedBackup) => ({
  id,
  source: list?.head.source ?? null,
  documents: list?.head.documents.bytes ?? null,
  blobs: list?.blobs.size ?? null,
  bytes: list?.bytes ?? null,
  damaged: list === null,
})

type RestoreOptions = PlaceOptions & { readonly until?: string }

/** The moment to which a restoration is taken back, in milliseconds; null if it is not. Throws a CommandFailure. */
const untilOf = ({ until }: RestoreOptions): number | null => {
  if (until === undefined) return null
  const moment = momentOf('until', until, null)
  const now = Date.now()
  if (moment > now) throw refusal(`--until must not be in the future: it is ${utcTime(now)}`)
  return moment
}

const day = 86_400_000

/** Throws a CommandFailure for a moment from which on changes are not retained. */
const requireRetained = (moment: number, { AUDIT_DAYS }: Configuration): void => {
  const earliest = Date.now() - AUDIT_DAYS * day
  if (moment < earliest)
    throw refusal(
      `--until must be after ${utcTime(earliest)}: changes before are not retained (AUDIT_DAYS). Restore a backup of that time without --until`,
    )
}

export const backupCommands: readonly AdminCommand[] = [
  adminCommand<PlaceOptions>({
    name: 'create',
    summary: 'make a backup',
    description:
      'Makes a backup of all instances, keys, documents and file data in a folder or a bucket. Services can run: the backup has ' +
      'the documents of one moment. File data that an earlier backup has is not written again.',
    options: [atOption()],
    json: '{"id": …, "blobs": …, "bytes": …, "new_blobs": …, "new_bytes": …, "document_bytes": …, "without_data": […], "removed": …}',
    help: `The backup contains personal data and the hashes of secrets: keep it as safe as the stores. The latest BACKUP_KEEP backups
are retained. An interrupted backup is none; run the command again.

`,
    examples: ['backup create', 'backup create --at /mnt/backups --json'],
    run: (options) => async () => {
      const [result, seconds] = await onPlace(options, create)
      return { ...result, text: `${result.text}\nIt took ${durationInWords(seconds)}.` }
    },
  }),
  adminCommand({
    name: 'key',
    summary: 'make a key for the encryption of backups',
    description: 'Prints a new value of BACKUP_ENCRYPTION_KEY, a secret key of age.',
    json: '{"key": …}',
    help: `Store it where the backups are not: without it, nobody can read them. It also decrypts the files of a backup with \`age\`.

`,
    examples: ['backup key'],
    run: () => async () => {
      const key = await newBackupKey()
      return { value: { key }, text: key }
    },
  }),
  adminCommand<PlaceOptions>({
    name: 'list',
    summary: 'list the backups',
    description: 'Lists the complete backups, the latest first.',
    options: [atOption()],
    json: '[{"id": …, "source": …, "documents": …, "blobs": …, "bytes": …, "damaged": …}, …]',
    examples: ['backup list'],
    run: (options) => async () => {
      const [found] = await onPlace(options, ({ place, side, tools, display }) =>
        runPersistently(backups.list(place, tools), { from: side, to: side }, display.printLine),
      )
      return listResult(found.map(listRow), 'There is no backup.', {
        BACKUP: ({ id }) => id,
        DOCUMENTS: ({ documents }) => (documents === null ? 'damaged' : bytesInWords(documents)),
        BLOBS: ({ blobs }) => String(blobs ?? ''),
        DATA: ({ bytes }) => (bytes === null ? '' : bytesInWords(bytes)),
        SOURCE: ({ source }) => source ?? '',
      })
    },
  }),
  adminCommand<PlaceOptions, string | undefined>({
    name: 'verify',
    summary: 'check a backup',
    description: 'Reads all of a backup, and compares it with its checksums.',
    argument: backupArgument,
    options: [atOption()],
    json: '{"id": …, "missing": […], "damaged": […]}',
    help: `The exit code is 1 if something is missing or damaged.

`,
    examples: ['backup verify', 'backup verify 2026-11-29T17-30-00.000Z --json'],
    run: (options, id) => async () => {
      const [{ list, missing, damaged }, seconds] = await onPlace(options, async (open) => {
        const { place, side, tools, display } = open
        const verified = await opened(open, id)
        const task = backups.verify(place, verified, tools)
        return {
          list: verified,
          ...(await runPersistently(task, { from: side, to: side }, display.printLine)),
        }
      })
      const isSound = missing.length + damaged.length === 0
      return {
        value: { id: list.id, missing: [...missing], damaged: [...damaged] },
        text: [
          `Verified the backup ${list.id} with ${counted(list.blobs.size, 'blob')} in ${durationInWords(seconds)}: ` +
            (isSound ? 'everything is intact.' : 'some of it is missing or damaged.'),
          ...missing.map((name) => `Missing: ${name}`),
          ...damaged.map((name) => `Damaged: ${name}`),
        ].join('\n'),
        code: isSound ? exitCodes.done : exitCodes.refused,
      }
    },
  }),
  adminCommand<RestoreOptions, string | undefined>({
    name: 'restore',
    summary: 'fill empty stores with a backup',
    description:
      'Fills the stores of the environment, which must be empty, with a backup of stores of any kind, and compares them with its ' +
      'checksums. With --until, all instances are then taken back to a moment, by the records of changes in the backup.',
    argument: backupArgument,
    options: [
      atOption(),
      new Option(
        '--until <moment>',
        'the moment, with Z or an offset, such as 2026-11-29T14:04+01:00; of the earliest backup after it by default',
      ),
    ],
    json:
      '{"id": …, "blobs": …, "bytes": …, "seconds": …}; with --until also "until", "whole" and "instances", with what ' +
      'instance rewind prints of each',
    help: `An interrupted restoration continues when the command is run again. Until it is complete, no service starts on the stores.
Objects that cannot be taken back remain as they are in the backup, and are named; the exit code is 1 then. See instance rewind.

`,
    examples: [
      'backup restore --at /mnt/backups',
      'backup restore 2026-11-29T17-30-00.000Z --at /mnt/backups --json',
      'backup restore --until 2026-11-29T14:04+01:00 --at /mnt/backups',
    ],
    run: (options, id) => async () => {
      const rewindTo = untilOf(options)
      const to = await readOwnSide('to')
      const [{ list, rewound }, seconds] = await onPlace(options, async (open) => {
        const { place, side: from, tools, display, configuration } = open
        if (rewindTo !== null) requireRetained(rewindTo, configuration)
        const sides = { from, to }
        const found = await (rewindTo === null || id !== undefined
          ? opened(open, id, to)
          : runPersistently(backups.openSince(place, rewindTo, tools), sides, display.printLine))
        const restoration = { place, list: found, sides, tools, display, rewindTo }
        return { list: found, rewound: await restoreStores(restoration, to) }
      })
      const { blobs, bytes } = list
      const text = `Restored the backup ${list.id} to ${to.places.documents} and ${to.places.blobs} in ${durationInWords(seconds)}: ${counted(blobs.size, 'blob')} of ${bytesInWords(bytes)}.`
      const value = { id: list.id, blobs: blobs.size, bytes, seconds }
      if (rewindTo === null) return { value, text }
      const [until, made] = [utcTime(rewindTo), backups.timeOf(list)]
      const isWhole = made >= rewindTo
      return {
        value: {
          ...value,
          until,
          whole: isWhole,
          instances: rewound.map(({ instance, summary }) => ({ id: instance, ...summary.value })),
        },
        text: [
          text,
          ...(isWhole
            ? []
            : [
                `It was made at ${utcTime(made)}, before ${until}: there is no backup after that, and what was written in between is missing.`,
              ]),
          ...rewound.flatMap(({ instance, summary }) => [
            `Instance ${instance} at ${until}:`,
            ...summary.lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`),
          ]),
        ].join('\n'),
        code: rewound.every(({ summary }) => summary.isWhole) ? exitCodes.done : exitCodes.refused,
      }
    },
  }),
]
