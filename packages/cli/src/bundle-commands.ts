/** `instance export`, `instance import` and `instance copy`: one publication as a file, and back (docs/bundle.md). */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import {
  orThrow,
  readSettings,
  type BundleOptions,
  type ExportedBundle,
  type ImportedInstance,
  type ImportTrial,
  type InstanceRow,
  type StoredBundle,
  type UseCases,
} from '@publishing-service/application'
import {
  asCommandLine,
  counted,
  createBundle,
  exitCodes,
  openBundle,
  type Configuration,
} from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import type { Json } from '@publishing-service/domain/json'
import { listHint, refusal } from './command-failure.js'
import { adminCommand, type AdminCommand, type CommandResult } from './command.js'
import { runPersistently } from './copy-between.js'
import type { NamedSides } from './copy-messages.js'
import type { NamedSide } from './copy-sides.js'
import { exists } from './export-folder.js'
import { importInto, tryImport, type ImportTask } from './imports/import-into.js'
import { instanceArgument, instanceNumber } from './instance-commands.js'
import { onOwnData } from './on-own-data.js'
import { withProgress } from './progress-display.js'
import { recordedCommand } from './record-command.js'
import { bytesInWords, durationInWords, programName } from './result-text.js'

const sideOfFile = (file: string): NamedSide => ({ name: file, places: { documents: file, blobs: file } })

const ownSide = async (configuration: Configuration): Promise<NamedSide> => ({
  name: 'the service',
  places: {
    documents: await configuration.documentStore.place(configuration),
    blobs: await configuration.blobStore.place(configuration),
  },
})

const mostNamed = 20

/** A heading and the first of some lines below it; nothing if there are none. */
const listed = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? []
    : [
        `${heading} (${lines.length}):`,
        ...lines.slice(0, mostNamed).map((line) => `  ${line}`),
        ...(lines.length > mostNamed ? [`  and ${lines.length - mostNamed} more`] : []),
      ]

const contentText = ({
  documents,
  blobs,
  bytes,
}: Pick<ExportedBundle, 'documents' | 'blobs' | 'bytes'>): string =>
  `${counted(documents, 'document')}, and the data of ${counted(blobs, 'file')} (${bytesInWords(bytes)})`

const exportResult = (exported: ExportedBundle, file: string, seconds: number): CommandResult => {
  const { instance: id, title, documents, blobs, bytes, withoutData } = exported
  return {
    value: { id, title, file, documents, blobs, bytes, without_data: [...withoutData], seconds },
    text: [
      `Instance ${id}, “${title}”, is in ${file}: ${contentText(exported)}. It took ${durationInWords(seconds)}.`,
      ...listed('Files without data: the blob store does not have it', withoutData),
    ].join('\n'),
  }
}

const shownUser = ({ user, email }: ImportedInstance['unknownUsers'][number]): string =>
  email === null ? `${user}, without an e-mail address` : email

const importResult = (imported: ImportedInstance, seconds: number): CommandResult => {
  const { instance, documents, blobs, bytes, users, unknownUsers, withoutData, resumed } = imported
  const { id } = instance
  const title = String(instance.settings['title'])
  const value: Json = {
    id,
    title,
    documents,
    blobs,
    bytes,
    users,
    unknown_users: unknownUsers.map(({ user, email }) => ({ uuid: user, email })),
    without_data: withoutData,
    resumed,
    seconds,
  }
  return {
    value,
    text: [
      `Instance ${id}, “${title}”, is created: ${contentText(imported)}. It took ${durationInWords(seconds)}.`,
      ...listed('Users whom objects named, and whom this service does not have', unknownUsers.map(shownUser)),
      ...(withoutData === 0 ? [] : [`Uploads whose data is not in the file: ${withoutData}`]),
      `Create a key for it: ${programName} key create --instance ${id} --role admin`,
    ].join('\n'),
  }
}

/** Writes an instance to a file that does not exist. */
const writeBundle = async (
  { bundles }: UseCases,
  configuration: Configuration,
  {
    instance,
    history,
    file,
  }: { readonly instance: number; readonly history: boolean; readonly file: string },
): Promise<readonly [exported: ExportedBundle, seconds: number]> => {
  const sides: NamedSides = { from: await ownSide(configuration), to: sideOfFile(file) }
  return withProgress(({ update, printLine }) => {
    const write = async () => {
      const bundle = await createBundle(file, new Date())
      try {
        const request = { instance, history, data: true }
        const made = await bundles.exportInstance(request, bundle, { onProgress: update })()
        if (E.isRight(made)) await bundle.complete()
        return made
      } finally {
        await bundle.abandon()
      }
    }
    return runPersistently(write, sides, printLine)
  })
}

type ExportOptions = { readonly to: string; readonly history?: true }

const whereExistsWords = ['skip', 'replace', 'report'] as const

type ImportOptions = {
  readonly title?: string
  readonly newIds?: true
  readonly instance?: number
  readonly whereExists?: (typeof whereExistsWords)[number]
  readonly only?: readonly string[]
  readonly report?: string
}

/** Opens a bundle for as long as it is used. */
const withBundle = async <A>(file: string, use: (bundle: StoredBundle) => Promise<A>): Promise<A> => {
  if (!(await exists(file))) throw refusal(`there is no file ${file}`)
  const bundle = await openBundle(file, (problem) => {
    throw refusal(`${file} is no bundle that can be read: ${problem}`)
  })
  try {
    return await use(bundle)
  } finally {
    bundle.close()
  }
}

type Context = {
  readonly useCases: UseCases
  readonly configuration: Configuration
  readonly openTrial: () => Promise<ImportTrial>
  readonly file: string
}

/** Makes a new instance of a bundle. */
const importAsNew = ({ useCases, configuration, file }: Context, options: BundleOptions) =>
  withBundle(file, async (bundle) => {
    const sides: NamedSides = { from: sideOfFile(file), to: await ownSide(configuration) }
    const [{ imported }, seconds] = await withProgress(({ update, printLine }) =>
      recordedCommand(
        useCases,
        ({ id, settings }: InstanceRow) => ({
          operation: 'createInstance',
          collection: 'instances',
          object: String(id),
          title: String(settings['title']),
          changes: settings,
        }),
        async (recorded) => {
          const { bundles } = useCases
          const copy = bundles.importInstance(bundle, options, recorded, { onProgress: update })
          const done = await runPersistently(copy, sides, printLine)
          return { ...done.instance, imported: done }
        },
      ),
    )
    return importResult(imported, seconds)
  })

type ObjectOptions = {
  readonly instance: number
  readonly newIds: boolean
  readonly whereExists: (typeof whereExistsWords)[number]
  readonly only: ReadonlySet<string> | null
  readonly report: string | null
}

/** Imports the objects of a bundle into an instance, or finds what would become of them. */
const importObjects = (
  { useCases, configuration, openTrial, file }: Context,
  { instance, newIds, whereExists, only, report }: ObjectOptions,
): Promise<CommandResult> =>
  withBundle(file, async (bundle) => {
    await orThrow(asCommandLine(useCases, instance)(readSettings, {}))
    const sides: NamedSides = { from: sideOfFile(file), to: await ownSide(configuration) }
    const request = { instance, newIds, only }
    const [objects] = await withProgress(({ update, printLine }) =>
      runPersistently(
        useCases.bundles.readObjects(bundle, request, { onProgress: update }),
        sides,
        printLine,
      ),
    )
    const { source, openMedia, drafts } = objects
    const isTrial = whereExists === 'report'
    const task: ImportTask = {
      instance,
      source,
      options: { whereExists: whereExists === 'replace' ? 'replace whole' : 'skip', openMedia },
      report,
      reportsAll: isTrial,
    }
    const [summary, seconds] = await (isTrial ? tryImport(openTrial, task) : importInto(useCases, task))
    return {
      value: { ...summary.value, drafts, seconds },
      text: [
        summary.text,
        ...(drafts === 0 ? [] : [`Drafts that are left out: ${drafts}`]),
        ...(report === null ? [] : [`The report is ${report}.`]),
        isTrial
          ? `Nothing was written: objects that are present, and names that are taken, are in conflict with the file.`
          : `The import took ${durationInWords(seconds)}.`,
      ].join('\n'),
      code: summary.refused === 0 ? exitCodes.done : exitCodes.refused,
    }
  })

/** `content/…,files/…` as a list. */
const objectAddresses = (text: string): readonly string[] => {
  const all = text.split(',').map((each) => each.trim())
  if (all.every((each) => /^[a-z_]+\/[0-9a-f-]{36}$/.test(each))) return all
  throw new InvalidArgumentError('It must be collections with UUIDs, such as content/9e1cb12d-….')
}

/** What says which objects come into an instance that exists, and what becomes of those that it has. */
const objectOptions = (): readonly Option[] => [
  new Option(
    '--where-exists <what>',
    'what becomes of objects that the instance has: they remain, or are replaced; report writes nothing',
  ).choices(whereExistsWords),
  new Option('--only <objects>', 'only these objects: content/UUID,files/UUID').argParser(objectAddresses),
  new Option('--report <file>', 'file for a line of JSON on each object'),
]

const hasObjectOptions = ({ whereExists, only, report }: ImportOptions): boolean =>
  [whereExists, only, report].some((each) => each !== undefined)

const readObjectOptions = (instance: number, options: ImportOptions): ObjectOptions => {
  const { newIds = false, whereExists = 'skip', only, report = null } = options
  return { instance, newIds, whereExists, only: only === undefined ? null : new Set(only), report }
}

/** Uses a file in a folder of its own, which is removed afterwards. */
const withFile = async <A>(use: (file: string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), 'publishing-copy-'))
  try {
    return await use(join(folder, 'copy.zip'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const bundleCommands: readonly AdminCommand[] = [
  adminCommand<ExportOptions, number>({
    name: 'export',
    summary: 'write an instance to a file',
    description:
      'Writes one instance to a file, a bundle: its settings, objects, drafts, comments, and the data of its files. ' +
      'instance import makes an instance of it.',
    argument: instanceArgument,
    options: [
      new Option('--to <file>', 'the file, such as news.zip').makeOptionMandatory(),
      new Option('--history', 'with versions, the trash and the feed of changes'),
    ],
    json: '{"id": …, "title": …, "file": …, "documents": …, "blobs": …, "bytes": …, "without_data": […], "seconds": …}',
    help: `Services can run: the bundle has the documents of one moment. It has no users, keys or web hooks, but personal data of
those who comment, and the e-mail addresses of users whom objects name, so only its owner can read it (docs/bundle.md).

`,
    examples: ['instance export 1 --to news.zip', 'instance export 1 --to news.zip --history'],
    run: ({ to, history = false }, instance) =>
      onOwnData(async (useCases, { configuration }) => {
        if (await exists(to)) throw refusal(`${to} exists. Choose another file`)
        const [exported, seconds] = await writeBundle(useCases, configuration, {
          instance,
          history,
          file: to,
        })
        return exportResult(exported, to, seconds)
      }),
  }),
  adminCommand<ImportOptions, string>({
    name: 'import',
    summary: 'make an instance of a file, or add its objects to one',
    description:
      'Makes a new instance of what instance export has written, with the same UUIDs. Users are those with the same ' +
      'e-mail addresses. With --instance, the objects come into an instance that exists, without drafts and history.',
    argument: ['<file>', 'the file', (file: string): string => file],
    options: [
      new Option('--title <title>', 'title of the new instance, in place of the one in the file'),
      new Option('--new-ids', 'other UUIDs for all objects, also where texts name them'),
      new Option('--instance <number>', 'instance that receives the objects').argParser(instanceNumber),
      ...objectOptions(),
    ],
    json:
      '{"id": …, "title": …, "documents": …, "blobs": …, "bytes": …, "users": …, "unknown_users": […], ' +
      '"without_data": …, "resumed": …, "seconds": …}; with --instance, what import json prints',
    help: `The whole file is checked, and nothing of a damaged one remains. No service shows a new instance until it is complete. An
interrupted import continues where it stopped when the command is run again.

`,
    examples: [
      'instance import news.zip',
      'instance import news.zip --title "News, for trial"',
      'instance import trial.zip --instance 1 --where-exists report --report report.jsonl',
      'instance import trial.zip --instance 1 --where-exists replace --only content/9e1cb12d-9d6a-4a93-8a49-12ef6faefa68',
    ],
    missing: ({ instance }) => `there is no instance ${String(instance)}. ${listHint('instance')}`,
    run: (options, file) => {
      const { instance, title = null, newIds = false } = options
      if (instance === undefined && hasObjectOptions(options))
        return '--where-exists, --only and --report need --instance'
      if (instance !== undefined && title !== null) return '--title is for a new instance, without --instance'
      return onOwnData((useCases, { configuration, openTrial }) => {
        const context = { useCases, configuration, openTrial, file }
        return instance === undefined
          ? importAsNew(context, { title, newIds })
          : importObjects(context, readObjectOptions(instance, options))
      })
    },
  }),
  adminCommand<Omit<ImportOptions, 'newIds' | 'instance'> & { readonly into?: number }, number>({
    name: 'copy',
    summary: 'copy an instance, or some of its objects into another one',
    description:
      'Makes a new instance of another one, with the same UUIDs, for trial or staging. With --into, objects come into an ' +
      'instance that exists: what was tried on the copy, for example.',
    argument: instanceArgument,
    options: [
      new Option('--title <title>', 'title of the new instance, in place of that of the other'),
      new Option('--into <number>', 'instance that receives the objects').argParser(instanceNumber),
      ...objectOptions(),
    ],
    json: 'what instance import prints',
    help: `It is an export and an import in one (docs/bundle.md): without users, keys and web hooks, and in a new instance with drafts
but without history. It needs the space of the export in the folder of temporary files. If it is interrupted, instance list names the new
instance as not imported whole: delete it, and run the command again.

`,
    examples: [
      'instance copy 1 --title "News, for trial"',
      'instance copy 2 --into 1 --where-exists replace --only content/9e1cb12d-9d6a-4a93-8a49-12ef6faefa68',
    ],
    missing: ({ into }) =>
      `there is no such instance${into === undefined ? '' : `, or no instance ${into}`}. ${listHint('instance')}`,
    run: (options, from) => {
      const { into, title = null } = options
      if (into === undefined && hasObjectOptions(options))
        return '--where-exists, --only and --report need --into'
      if (into !== undefined && title !== null) return '--title is for a new instance, without --into'
      if (into === from) return '--into must be another instance'
      return onOwnData((useCases, { configuration, openTrial }) =>
        withFile(async (file) => {
          await writeBundle(useCases, configuration, { instance: from, history: false, file })
          const context = { useCases, configuration, openTrial, file }
          return into === undefined
            ? importAsNew(context, { title, newIds: false })
            : importObjects(context, readObjectOptions(into, options))
        }),
      )
    },
  }),
]
