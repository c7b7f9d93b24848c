/** What the commands that import content have in common. */
import { Option } from 'commander'
import { readFile } from 'node:fs/promises'
import { orThrow, readSettings } from '@publishing-service/application'
import {
  asCommandLine,
  exitCodes,
  openWebsite,
  type Configuration,
} from '@publishing-service/composition-root'
import type { StoredAttribute } from '@publishing-service/domain/declare'
import { E } from '@publishing-service/domain/fp'
import {
  importOptions,
  importOptionTypes,
  type ForeignKind,
  type ImportOptionsOf,
} from '@publishing-service/domain/imports'
import { openImportFile, type ImportFile } from '@publishing-service/import-files'
import { UnreadableSource } from '@publishing-service/imports'
import { listHint, optionOf, refusal } from '../command-failure.js'
import { adminCommand, type AdminCommand } from '../command.js'
import { exists } from '../export-folder.js'
import { instanceNumber } from '../instance-commands.js'
import { onOwnData } from '../on-own-data.js'
import { durationInWords } from '../result-text.js'
import { importInto, tryImport } from './import-into.js'
import { openFolder, openMediaIn } from './open-media.js'

type CommonOptions = {
  readonly instance: number
  readonly uploads?: string
  readonly fetch?: true
  readonly replace?: true
  readonly dryRun?: true
  readonly report?: string
  readonly redirects?: string
}

const commonOptions: readonly Option[] = [
  new Option('--instance <number>', 'instance that receives the content')
    .argParser(instanceNumber)
    .makeOptionMandatory(),
  new Option('--uploads <folder>', 'folder with the data of files'),
  new Option('--fetch', 'fetch data that the folder does not have from the website, five requests a second'),
  new Option('--replace', 'replace objects that exist; by default they remain as they are'),
  new Option('--dry-run', 'write nothing, to see what would become of the content on the instance'),
  new Option('--report <file>', 'file for a line of JSON on each object'),
]

type Values = Readonly<Record<string, string | undefined>>

const tableOf = (kind: ForeignKind): Readonly<Record<string, StoredAttribute>> => importOptions[kind]

const typeOf = ({ type }: StoredAttribute): string | undefined => type.schema.type

/** The placeholder for the value of an option. */
const valueName = (attribute: StoredAttribute): string => {
  const { enum: choices, format } = attribute.type.schema
  if (typeOf(attribute) === 'array') return 'names'
  if (typeOf(attribute) === 'object') return 'file'
  if (format === 'web-address') return 'address'
  return choices === undefined ? 'name' : 'choice'
}

/** The options for what is declared of a kind. */
const declaredOptions = (kind: ForeignKind): readonly Option[] =>
  Object.entries(tableOf(kind)).map(([name, attribute]) => {
    const { description, required, initial, type } = attribute
    const { enum: choices } = type.schema
    const option = new Option(
      `--${optionOf(name)} <${valueName(attribute)}>`,
      `${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`,
    ).makeOptionMandatory(required === true)
    if (choices !== undefined) option.choices(choices.map(String))
    if (typeof initial === 'string' && initial !== '') option.default(initial)
    return option
  })

const textsIn = (list: string): readonly string[] =>
  list.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))

/** The value of a file of JSON. Throws a CommandFailure if it has none. */
const jsonIn = async (path: string): Promise<unknown> => {
  if (!(await exists(path))) throw refusal(`there is no file ${path}`)
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw refusal(`${path} is no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The value of an option: a list of names, what is in a file, or a text. */
const sentValue = async (attribute: StoredAttribute, value: string): Promise<unknown> => {
  if (typeOf(attribute) === 'array') return textsIn(value)
  return typeOf(attribute) === 'object' ? jsonIn(value) : value
}

/** The options of a kind, decoded. Throws a CommandFailure with their faults. */
const decodedOptions = async <K extends ForeignKind>(
  kind: K,
  values: Values,
  streamingHosts: Configuration['STREAMING_HOSTS'],
): Promise<ImportOptionsOf<K>> => {
  const sent: Record<string, unknown> = {}
  for (const [name, attribute] of Object.entries(tableOf(kind))) {
    const value = values[new Option(`--${optionOf(name)}`).attributeName()]
    if (value !== undefined) sent[name] = await sentValue(attribute, value)
  }
  const decoded = importOptionTypes[kind].decode(sent, { zone: 'UTC', streamingHosts, strict: true })
  if (E.isRight(decoded)) return decoded.right
  throw refusal(
    decoded.left
      .map(({ path, message }) => {
        const [name = '', ...part] = path.split('.')
        return [`--${optionOf(name)}`, ...(part.length === 0 ? [] : [part.join('.')]), message].join(' ')
      })
      .join('; '),
  )
}

type Format<K extends ForeignKind> = {
  readonly kind: K
  readonly summary: string
  readonly description: string
  /** What the file is. */
  readonly argument: string
  /** Options beyond those that are declared. */
  readonly further?: readonly Option[]
  readonly examples: readonly string[]
}

const help = `A repeated import goes on with what is missing, and makes nothing twice: an object has the same UUID each time. What is
refused or different from the source is in the report (docs/import.md).

`

/** Opens a file for as long as it is used. */
const withFile = async <K extends ForeignKind, A>(
  kind: K,
  path: string,
  options: ImportOptionsOf<K>,
  context: Parameters<typeof openImportFile>[3],
  use: (file: ImportFile) => Promise<A>,
): Promise<A> => {
  if (!(await exists(path))) throw refusal(`there is no file ${path}`)
  const file = await openImportFile(kind, path, options, context).catch((error: unknown) => {
    throw error instanceof UnreadableSource ? refusal(`${path}: ${error.message}`) : error
  })
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** A command that imports files of one kind. */
export const importCommand = <K extends ForeignKind>({
  kind,
  summary,
  description,
  argument,
  further = [],
  examples,
}: Format<K>): AdminCommand =>
  adminCommand<Values & CommonOptions, string>({
    name: kind,
    summary,
    description,
    argument: ['<file>', argument, (file: string): string => file],
    options: [...commonOptions, ...declaredOptions(kind), ...further],
    json: '{"created": {"content": …, …}, "replaced": …, "present": …, "refused": …, "notes": …, "seconds": …}',
    help,
    examples,
    missing: ({ instance }) => `there is no instance ${instance}. ${listHint('instance')}`,
    run: (given, file) =>
      onOwnData(async (useCases, { configuration, openTrial }) => {
        const { instance, uploads, fetch: fetches, replace, dryRun, report = null, redirects = null } = given
        const { STREAMING_HOSTS: streamingHosts } = configuration
        const options = await decodedOptions(kind, given, streamingHosts)
        const { timezone } = await orThrow(asCommandLine(useCases, instance)(readSettings, {}))
        const hints: string[] = []
        const [found, seconds] = await withFile(
          kind,
          file,
          options,
          {
            streamingHosts,
            redirects,
            zone: String(timezone),
            now: Date.now(),
            // Nothing else runs in the process.
            turn: async () => undefined,
          },
          async ({ source, media, hints: ofFile }) => {
            hints.push(...ofFile)
            const places = [
              ...(media === null ? [] : [media]),
              ...(uploads === undefined ? [] : [await openFolder(uploads)]),
              ...(fetches === true ? [await openWebsite(configuration)] : []),
            ]
            const task = {
              instance,
              source,
              options: {
                whereExists: replace === true ? 'replace' : 'skip',
                openMedia: openMediaIn(places),
              },
              report,
            } as const
            return dryRun === true ? tryImport(openTrial, task) : importInto(useCases, task)
          },
        )
        const end =
          dryRun === true
            ? `Nothing was written: this was a dry run of ${durationInWords(seconds)}.`
            : `The import took ${durationInWords(seconds)}.`
        if (found.refusedFiles > 0)
          hints.push(
            'Objects are without these files. Once the data is at hand, repeat the import with --replace.',
          )
        return {
          value: { ...found.value, seconds },
          text: [found.text, ...hints, ...(report === null ? [] : [`The report is ${report}.`]), end].join(
            '\n',
          ),
          code: found.refused === 0 ? exitCodes.done : exitCodes.refused,
        }
      }),
  })
