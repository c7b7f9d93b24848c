/** `storage verify` and `storage orphans`: whether file data is as it was uploaded, and what no file names. */
import { Option, type Command } from 'commander'
import type { Orphan, Verification } from '@publishing-service/application'
import { E, type Json } from '@publishing-service/domain'
import { counted, exitCodes } from '@publishing-service/composition-root'
import { addCommand, type Run } from './admin-command.js'
import type { Choose, TaskFailure } from './admin-task.js'
import { withProgress } from './progress-display.js'
import { bytesInWords, durationInWords, textTable } from './result-text.js'
import { taskFailureOf } from './task-failure-of.js'

const refused = (line: string): TaskFailure => ({ code: exitCodes.refused, lines: [line] })

/** The work, on stores that belong together. */
const onFileData =
  (work: Run): Run =>
  async (useCases) => {
    const isSame = await useCases.storeIdentity.isSame()()
    if (E.isLeft(isSame)) return E.left(taskFailureOf(isSame.left))
    return isSame.right
      ? work(useCases)
      : E.left(
          refused(
            'the document store and the blob store do not belong together. Configure the blob store of these documents; ' +
              'a start of the service prints the ids of both',
          ),
        )
  }

/** What a verification finds: its name in JSON, what it means, and whether it is damage. */
const findings = {
  missing: ['missing', 'Missing: a file refers to it', true],
  wrongSize: ['wrong_size', 'Wrong size', true],
  wrongChecksum: ['wrong_checksum', 'Wrong checksum: the bytes differ from the upload', true],
  damagedScaled: [
    'damaged_scaled_images',
    'Damaged scaled images: the service creates them again on the next request',
    true,
  ],
  orphaned: ['orphaned', 'Orphaned: no file refers to it', false],
  samePath: [
    'same_path',
    'Same path: the object that was first keeps it; give the other another urlname',
    false,
  ],
} as const satisfies Partial<
  Record<keyof Verification, readonly [name: string, meaning: string, isDamage: boolean]>
>

const findingsIn = (found: Verification) =>
  (Object.keys(findings) as readonly (keyof typeof findings)[]).map((kind) => {
    const [name, meaning, isDamage] = findings[kind]
    return { ...found[kind], name, meaning, isDamage }
  })

const isSound = (found: Verification): boolean =>
  findingsIn(found).every(({ isDamage, count }) => !isDamage || count === 0)

const verificationText = (found: Verification, seconds: number): string =>
  [
    `Verified the data of ${counted(found.files, 'file')} (${bytesInWords(found.bytes)}) and ` +
      `${counted(found.scaledImages, 'scaled image')} in ${durationInWords(seconds)}: ` +
      `${isSound(found) ? 'everything is intact' : 'some data is missing or damaged'}.`,
    ...findingsIn(found)
      .filter(({ count }) => count > 0)
      .flatMap(({ meaning, count, first }) => [
        `${meaning} (${count}):`,
        ...first.map((place) => `  ${place}`),
        ...(count > first.length ? [`  and ${count - first.length} more`] : []),
      ]),
  ].join('\n')

const verificationJson = (found: Verification, seconds: number): Json => ({
  files: found.files,
  bytes: found.bytes,
  scaled_images: found.scaledImages,
  ...Object.fromEntries(
    findingsIn(found).map(({ name, count, first }) => [name, { count, first: [...first] }]),
  ),
  seconds,
})

const verify = onFileData(async ({ verifyStorage }) => {
  const [found, seconds] = await withProgress(({ update }) => verifyStorage(update)())
  if (E.isLeft(found)) return E.left(taskFailureOf(found.left))
  return E.right({
    value: verificationJson(found.right, seconds),
    text: verificationText(found.right, seconds),
    ...(isSound(found.right) ? {} : { code: exitCodes.refused }),
  })
})

const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 19) + 'Z'

const orphanJson = ({ path, bytes, found, deletesAfter }: Orphan): Json => ({
  path,
  bytes,
  found: timeText(found),
  deletes_after: timeText(deletesAfter),
})

const orphansText = (orphans: readonly Orphan[]): string =>
  orphans.length === 0
    ? 'Nothing is quarantined.'
    : textTable(
        ['PATH', 'BYTES', 'FOUND', 'DELETES AFTER'],
        orphans.map(({ path, bytes, found, deletesAfter }) => [
          path,
          String(bytes),
          timeText(found),
          timeText(deletesAfter),
        ]),
      )

/** “3 uploads of 1.2 MB”. */
const sumText = (orphans: readonly Orphan[]): string =>
  `${counted(orphans.length, 'upload')} of ${bytesInWords(orphans.reduce((sum, { bytes }) => sum + bytes, 0))}`

type OrphanOptions = { readonly delete?: true; readonly yes?: true }

const listOrDelete = ({ delete: deletes, yes }: OrphanOptions): Run =>
  onFileData(async ({ garbageCollection }) => {
    if (deletes === true && yes === true) {
      const deleted = await garbageCollection.deleteAll()
      return E.right({ value: deleted.map(orphanJson), text: `Deleted ${sumText(deleted)}.` })
    }
    const list = await garbageCollection.list()
    return deletes === true
      ? E.left(refused(`--delete would permanently delete ${sumText(list)}. Add --yes to confirm`))
      : E.right({ value: list.map(orphanJson), text: orphansText(list) })
  })

/** Adds both commands below `storage`. */
export const addFileDataCommands = (group: Command, choose: Choose): void => {
  addCommand(group, choose, {
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
    run: () => verify,
  })
  addCommand<OrphanOptions>(group, choose, {
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
    run: listOrDelete,
  })
}
