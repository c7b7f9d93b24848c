/** `storage verify` and `storage orphans`: whether file data is as it was uploaded, and what no file names. */
import type { Command } from 'commander'
import type { Findings, Orphan, UseCases, Verification } from '@publishing-service/application'
import { E, type Either, type Json } from '@publishing-service/domain'
import { isPortFailure } from '@publishing-service/ports'
import { counted, exitCodes } from '@publishing-service/composition-root'
import type { AdminResult, Choose, TaskFailure } from './admin-task.js'
import { onOwnData } from './on-own-data.js'
import { programName, bytesInWords, durationInWords, textTable } from './result-text.js'
import { progressDisplay } from './progress-display.js'
import { taskFailureOf } from './task-failure-of.js'

const refused = (...lines: readonly string[]): TaskFailure => ({ code: exitCodes.refused, lines })

/** Rejects like the work, except for a part that is unavailable. */
const onOwnFileData = (
  work: (useCases: UseCases) => Promise<Either<TaskFailure, AdminResult>>,
): ReturnType<typeof onOwnData> =>
  onOwnData(async (useCases) => {
    const isSame = await useCases.storeIdentity.isSame()()
    if (E.isLeft(isSame)) return E.left(taskFailureOf(isSame.left))
    if (!isSame.right)
      return E.left(
        refused(
          'the document store and the blob store do not belong together. Configure the blob store of these documents; ' +
            'a start of the service prints the ids of both',
        ),
      )
    try {
      return await work(useCases)
    } catch (error) {
      if (isPortFailure(error)) return E.left(taskFailureOf(error))
      throw error
    }
  })

const findingTexts = {
  missing: 'Missing: a file refers to it',
  wrongSize: 'Wrong size',
  wrongChecksum: 'Wrong checksum: the bytes differ from the upload',
  damagedScaled: 'Damaged scaled images: the service creates them again on the next request',
  orphaned: 'Orphaned: no file refers to it',
  samePath: 'Same path: the object that was first keeps it; give the other another urlname',
} as const

/** What is reported, but is no damage. */
const harmless: readonly string[] = ['orphaned', 'samePath'] satisfies readonly (keyof typeof findingTexts)[]

const kinds = Object.keys(findingTexts) as readonly (keyof typeof findingTexts)[]

const findingText = (kind: keyof typeof findingTexts, { count, first }: Findings): readonly string[] =>
  count === 0
    ? []
    : [
        `${findingTexts[kind]} (${count}):`,
        ...first.map((place) => `  ${place}`),
        ...(count > first.length ? [`  and ${count - first.length} more`] : []),
      ]

const isSound = (found: Verification): boolean =>
  kinds.every((kind) => harmless.includes(kind) || found[kind].count === 0)

const verificationText = (found: Verification, seconds: number): string =>
  [
    `Verified the data of ${counted(found.files, 'file')} (${bytesInWords(found.bytes)}) and ` +
      `${counted(found.scaledImages, 'scaled image')} in ${durationInWords(seconds)}: ` +
      `${isSound(found) ? 'everything is intact' : 'some data is missing or damaged'}.`,
    ...kinds.flatMap((kind) => findingText(kind, found[kind])),
  ].join('\n')

const findingsJson = ({ count, first }: Findings): Json => ({ count, first: [...first] })

const verificationJson = (found: Verification, seconds: number): Json => ({
  files: found.files,
  bytes: found.bytes,
  scaled_images: found.scaledImages,
  missing: findingsJson(found.missing),
  wrong_size: findingsJson(found.wrongSize),
  wrong_checksum: findingsJson(found.wrongChecksum),
  damaged_scaled_images: findingsJson(found.damagedScaled),
  orphaned: findingsJson(found.orphaned),
  same_path: findingsJson(found.samePath),
  seconds,
})

const now = (): number => performance.now()

const verify = (json: boolean, choose: Choose): void =>
  choose({
    json,
    run: onOwnFileData(async (useCases) => {
      const began = now()
      const display = progressDisplay(process.stderr, now)
      const found = await useCases.verifyStorage(display.update)().finally(display.end)
      if (E.isLeft(found)) return E.left(taskFailureOf(found.left))
      const seconds = Math.round(now() - began) / 1000
      return E.right({
        value: verificationJson(found.right, seconds),
        text: verificationText(found.right, seconds),
        ...(isSound(found.right) ? {} : { code: exitCodes.refused }),
      })
    }),
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

type OrphanOptions = { readonly delete?: true; readonly yes?: true; readonly json?: true }

const orphans = ({ delete: deletes, yes, json }: OrphanOptions, choose: Choose): void =>
  choose({
    json: json === true,
    run: onOwnFileData(async ({ garbageCollection }) => {
      if (deletes !== true) {
        const list = await garbageCollection.list()
        return E.right({ value: list.map(orphanJson), text: orphansText(list) })
      }
      if (yes !== true) {
        const list = await garbageCollection.list()
        const bytes = list.reduce((sum, each) => sum + each.bytes, 0)
        return E.left(
          refused(
            `--delete would permanently delete ${counted(list.length, 'upload')} of ${bytesInWords(bytes)}. Add --yes ` +
              'to confirm',
          ),
        )
      }
      const deleted = await garbageCollection.deleteAll()
      const bytes = deleted.reduce((sum, each) => sum + each.bytes, 0)
      return E.right({
        value: deleted.map(orphanJson),
        text: `Deleted ${counted(deleted.length, 'upload')} of ${bytesInWords(bytes)}.`,
      })
    }),
  })

const verifyHelp = `
It reads all file data once. Services can run at the same time. The exit code is 1 if data is missing or damaged.
Orphaned uploads, and objects that have the same path from an earlier release, are reported, but are not an error.

Example:
  ${programName} storage verify --json`

const orphansHelp = `
The service collects garbage once a day. It quarantines uploads that no file refers to, and deletes them after
ORPHAN_QUARANTINE_DAYS. Until then, restoring the documents that refer to them restores everything. While more than a
tenth of all uploads is quarantined, nothing is deleted automatically. --delete deletes all quarantined uploads that are
older than a day.

Examples:
  ${programName} storage orphans
  ${programName} storage orphans --delete --yes`

/** Adds both commands below `storage`. */
export const addFileDataCommands = (group: Command, choose: Choose): void => {
  group
    .command('verify')
    .summary('check all file data')
    .description(
      'Compares size and SHA-256 of all file data with the values in the documents, and reports differences. Also ' +
        'reports objects that have the same path.',
    )
    .option(
      '--json',
      'print JSON: {"files": …, "bytes": …, "scaled_images": …, "missing": {"count": …, "first": […]}, ' +
        '"wrong_size": …, "wrong_checksum": …, "damaged_scaled_images": …, "orphaned": …, "same_path": …, "seconds": …}',
    )
    .addHelpText('after', verifyHelp)
    .action(({ json }: { readonly json?: true }) => verify(json === true, choose))
  group
    .command('orphans')
    .summary('list or delete orphaned uploads')
    .description('Lists the quarantined uploads, which no file refers to, or deletes them.')
    .option('--delete', 'delete them now; requires --yes')
    .option('--yes', 'confirm --delete')
    .option('--json', 'print JSON: [{"path": …, "bytes": …, "found": …, "deletes_after": …}, …]')
    .addHelpText('after', orphansHelp)
    .action((options: OrphanOptions) => orphans(options, choose))
}
