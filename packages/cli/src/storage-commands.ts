/** `storage copy`, `storage export`, `storage import`, `storage verify` and `storage orphans`: all data at another place, and whether file data is as it was uploaded. */
import { Option } from 'commander'
import {
  orThrow,
  type CopyResult,
  type Orphan,
  type UseCases,
  type Verification,
} from '@publishing-service/application'
import type { Json } from '@publishing-service/domain/json'
import { counted, exitCodes } from '@publishing-service/composition-root'
import { refusal } from './command-failure.js'
import { adminCommand, listResult, type AdminCommand, type CommandResult, type Run } from './command.js'
import { copyBetween, exportTo, importFrom } from './copy-between.js'
import { copyText, type NamedSides } from './copy-messages.js'
import { readOwnSide, readSides, type SideFiles } from './copy-sides.js'
import { sideOfExport } from './export-folder.js'
import { onOwnData } from './on-own-data.js'
import { withProgress } from './progress-display.js'
import { bytesInWords, durationInWords } from './result-text.js'

/** A command on stores that belong together. */
const onFileData = (work: (useCases: UseCases) => Promise<CommandResult>): Run =>
  onOwnData(async (useCases) => {
    if (await orThrow(useCases.storeIdentity.isSame())) return work(useCases)
    throw refusal(
      'the document store and the blob store do not belong together. Configure the blob store of these documents; ' +
        'a start of the service prints the ids of both',
    )
  })

/** What a verification finds: its name in JSON, what it means, and whether it is damage. */
const findings = [
  ['missing', 'missing', 'Missing: a file refers to it', true],
  ['wrongSize', 'wrong_size', 'Wrong size', true],
  ['wrongChecksum', 'wrong_checksum', 'Wrong checksum: the bytes differ from the upload', true],
  [
    'damagedScaled',
    'damaged_scaled_images',
    'Damaged scaled images: the service creates them again on the next request',
    true,
  ],
  ['orphaned', 'orphaned', 'Orphaned: no file refers to it', false],
  [
    'samePath',
    'same_path',
    'Same path: the object that was first keeps it; give the other another urlname',
    false,
  ],
] as const satisfies readonly (readonly [
  keyof Verification,
  name: string,
  meaning: string,
  isDamage: boolean,
])[]

const verificationResult = (found: Verification, seconds: number): CommandResult => {
  const { files, bytes, scaledImages } = found
  const isSound = findings.every(([kind, , , isDamage]) => !isDamage || found[kind].count === 0)
  const value: Json = {
    files,
    bytes,
    scaled_images: scaledImages,
    ...Object.fromEntries(
      findings.map(([kind, name]) => [name, { count: found[kind].count, first: [...found[kind].first] }]),
    ),
    seconds,
  }
  const text = [
    `Verified the data of ${counted(files, 'file')} (${bytesInWords(bytes)}) and ` +
      `${counted(scaledImages, 'scaled image')} in ${durationInWords(seconds)}: ` +
      `${isSound ? 'everything is intact' : 'some data is missing or damaged'}.`,
    ...findings.flatMap(([kind, , meaning]) => {
      const { count, first } = found[kind]
      if (count === 0) return []
      const more = count > first.length ? [`  and ${count - first.length} more`] : []
      return [`${meaning} (${count}):`, ...first.map((place) => `  ${place}`), ...more]
    }),
  ].join('\n')
  return { value, text, code: isSound ? exitCodes.done : exitCodes.refused }
}

const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 19) + 'Z'

const orphanRow = ({ path, bytes, found, deletesAfter }: Orphan) => ({
  path,
  bytes,
  found: timeText(found),
  deletes_after: timeText(deletesAfter),
})

/** “3 uploads of 1.2 MB”. */
const sumText = (orphans: readonly Orphan[]): string =>
  `${counted(orphans.length, 'upload')} of ${bytesInWords(orphans.reduce((sum, { bytes }) => sum + bytes, 0))}`

const copiedJson =
  '{"instances": …, "keys": …, "documents": …, "blobs": …, "bytes": …, "resumed": …, "seconds": …}'

const copiedResult = (copied: CopyResult, sides: NamedSides, seconds: number): CommandResult => ({
  value: { ...copied, seconds },
  text: copyText(copied, sides, seconds),
})

const folderArgument = (description: string) =>
  ['<folder>', description, (folder: string): string => folder] as const

type OrphanOptions = { readonly delete?: true; readonly yes?: true }

export const storageCommands: readonly AdminCommand[] = [
  adminCommand<SideFiles>({
    name: 'copy',
    summary: 'copy all data to other stores',
    description:
      'Copies all instances, keys, documents and file data to empty stores of any kind, then counts and compares both ' +
      'sides. The source is not changed. Each side is a file with environment variables of the service; the side without ' +
      'an option is the environment of this command.',
    options: [
      new Option('--from <file>', 'environment file of the source'),
      new Option('--to <file>', 'environment file of the target'),
    ],
    json: copiedJson,
    help: `Such a file has lines like these (docs/configuration.md lists the variables). A secret can be in a separate file:
  STORE=mongodb
  MONGODB_URL_FILE=/run/secrets/mongodb-url

Stop the services that use the source first. Changes during the copy are detected at the end; run the command again
to copy only those. An interrupted copy continues where it stopped. No service starts on the target until the copy is
complete. If both sides use the same place for file data, only documents are copied.

`,
    examples: ['storage copy --to mongodb-and-minio.env', 'storage copy --from old.env --to new.env --json'],
    run: (files) => {
      if (files.from === undefined && files.to === undefined) return 'a copy needs --from, --to, or both'
      return async () => {
        const sides = await readSides(files)
        const [copied, seconds] = await withProgress((display) => copyBetween(sides, display))
        return copiedResult(copied, sides, seconds)
      }
    },
  }),
  adminCommand<object, string>({
    name: 'export',
    summary: 'write all data to a folder',
    description:
      'Writes all instances, keys, documents and file data to a folder, from which storage import fills empty stores of ' +
      'any kind. The stores are not changed.',
    argument: folderArgument('a folder, which is created if it is missing'),
    json: copiedJson,
    help: `export.jsonl has a line of JSON for each document and each file's data, and a checksum; the data is below blobs. It
contains personal data and the hashes of secrets, so only its owner can read it: keep it so. Services can run: the export
has the documents of one moment. On MongoDB, changes during the export are detected at the end; then export.jsonl is not
made. Stop the services, and run the command again.

`,
    examples: ['storage export ./export'],
    run: (_options, folder) => async () => {
      const from = await readOwnSide('from')
      const [copied, seconds] = await withProgress((display) => exportTo(folder, from, display))
      return copiedResult(copied, { from, to: sideOfExport(folder) }, seconds)
    },
  }),
  adminCommand<object, string>({
    name: 'import',
    summary: 'fill empty stores from a folder',
    description:
      'Fills empty stores with what storage export has written to a folder, then counts and compares both sides.',
    argument: folderArgument('the folder of the export'),
    json: copiedJson,
    help: `The whole export is checked first, and nothing of a damaged one is imported. An interrupted import continues where it
stopped when the command is run again. No service starts on the stores until the import is complete.

`,
    examples: ['storage import ./export'],
    run: (_options, folder) => async () => {
      const to = await readOwnSide('to')
      const [copied, seconds] = await withProgress((display) => importFrom(folder, to, display))
      return copiedResult(copied, { from: sideOfExport(folder), to }, seconds)
    },
  }),
  adminCommand({
    name: 'verify',
    summary: 'check all file data',
    description:
      'Compares size and SHA-256 of all file data with the values in the documents, and reports differences. Also ' +
      'reports objects that have the same path.',
    json:
      '{"files": …, "bytes": …, "scaled_images": …, "missing": {"count": …, "first": […]}, ' +
      '"wrong_size": …, "wrong_checksum": …, "damaged_scaled_images": …, "orphaned": …, "same_path": …, "seconds": …}',
    help: `It reads all file data once. Services can run at the same time. The exit code is 1 if data is missing or damaged.
Orphaned uploads, and objects that have the same path from an earlier release, are reported, but are not an error.

`,
    examples: ['storage verify --json'],
    run: () =>
      onFileData(async ({ verifyStorage }) =>
        verificationResult(...(await withProgress(({ update }) => orThrow(verifyStorage(update))))),
      ),
  }),
  adminCommand<OrphanOptions>({
    name: 'orphans',
    summary: 'list or delete orphaned uploads',
    description: 'Lists the quarantined uploads, which no file refers to, or deletes them.',
    options: [
      new Option('--delete', 'delete them now; requires --yes'),
      new Option('--yes', 'confirm --delete'),
    ],
    json: '[{"path": …, "bytes": …, "found": …, "deletes_after": …}, …]',
    help: `The service collects garbage once a day. It quarantines uploads that no file refers to, and deletes them after
ORPHAN_QUARANTINE_DAYS. Until then, restoring the documents that refer to them restores everything. While more than a
tenth of all uploads is quarantined, nothing is deleted automatically. --delete deletes all quarantined uploads that are
older than a day.

`,
    examples: ['storage orphans', 'storage orphans --delete --yes'],
    run: ({ delete: deletes, yes }) =>
      onFileData(async ({ garbageCollection }) => {
        if (deletes === true && yes === true) {
          const deleted = await garbageCollection.deleteAll()
          return { value: deleted.map(orphanRow), text: `Deleted ${sumText(deleted)}.` }
        }
        const list = await garbageCollection.list()
        if (deletes === true)
          throw refusal(`--delete would permanently delete ${sumText(list)}. Add --yes to confirm`)
        return listResult(list.map(orphanRow), 'Nothing is quarantined.', {
          PATH: ({ path }) => path,
          BYTES: ({ bytes }) => String(bytes),
          FOUND: ({ found }) => found,
          'DELETES AFTER': ({ deletes_after: time }) => time,
        })
      }),
  }),
]
