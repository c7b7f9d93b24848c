/** `instance create`, `list`, `set` and `delete`: the publications of this service. */
import { setTimeout } from 'node:timers/promises'
import {
  changeSettings,
  createInstance,
  readSettings,
  type DeletedInstance,
  type InstanceRow,
} from '@publishing-service/application'
import { asCommandLine, asOperator, counted, exitCodes } from '@publishing-service/composition-root'
import {
  E,
  pipe,
  settingsAttributes,
  TE,
  type Json,
  type JsonObject,
  type StoredAttribute,
} from '@publishing-service/domain'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { addCommand, addGroup } from './admin-command.js'
import type { Choose } from './admin-task.js'
import { ask, ownTerminal } from './ask.js'
import { similarTimeZones } from './similar-time-zones.js'
import { recordCommand } from './record-command.js'
import { programName, textTable } from './result-text.js'
import { optionOf, taskFailureOf, type Advice } from './task-failure-of.js'

/** The number of an instance, as an argument or option. */
export const instanceNumber = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the number of an instance, such as 1.')
}

const shownInstance = ({ id, settings }: InstanceRow): Readonly<Record<string, Json>> => ({
  id,
  ...settings,
})

/** Suggests time zones that are similar to this one. */
const zoneAdvice =
  ({ timezone }: SettingValues): Advice =>
  (option) => {
    const near = option === 'timezone' ? similarTimeZones(String(timezone)) : []
    return near.length === 0 ? null : `Did you mean ${near.join(' or ')}?`
  }

/** What the options of a command say about settings. */
type SettingValues = Readonly<Record<string, string | boolean | undefined>>

const settingsTable: Readonly<Record<string, StoredAttribute>> = settingsAttributes
const declaredSettings = Object.entries(settingsTable)

/** The options for settings, by their declarations. Those of a new instance have defaults, so none is removed. */
const settingOptions = (isNew: boolean): readonly Option[] =>
  declaredSettings.flatMap(([name, { type, description, required, initial }]) => {
    const flag = optionOf(name)
    const text = `${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`
    const { type: json, format = 'text' } = type.schema
    const isSwitch = json === 'boolean'
    /** `time-zone` is a zone, and a text is what its name says. */
    const value = format === 'text' ? flag : format.replace(/^.*-/, '')
    const option = new Option(isSwitch ? `--${flag}` : `--${flag} <${value}>`, text)
    if (isNew) return [option.makeOptionMandatory(required === true)]
    const negation = new Option(`--no-${flag}`, isSwitch ? `the opposite of --${flag}` : `no ${flag}`)
    return isSwitch || (required !== true && initial === undefined) ? [option, negation] : [option]
  })

const settingsIn = (values: SettingValues): JsonObject =>
  Object.fromEntries(
    declaredSettings.flatMap(([name, { type }]) => {
      const value = values[new Option(`--${optionOf(name)}`).attributeName()]
      if (value === undefined) return []
      return [[name, value === false && type.schema.type !== 'boolean' ? null : value]]
    }),
  )

const missing = (number: number): string =>
  `there is no instance ${number}. List them: ${programName} instance list`

const deletedText = ({ id, title, documents, keys }: DeletedInstance): string =>
  `Instance ${id}, “${title}”, is deleted, with ${counted(documents, 'document')}, their file data and ${counted(keys, 'key')}. ` +
  'Its number will not be used again.'

const createText = ({ id, settings }: InstanceRow): string =>
  [
    `Instance ${id}, “${String(settings['title'])}”, is created.`,
    `Create a key for it: ${programName} key create --instance ${id} --role admin`,
  ].join('\n')

const listText = (rows: readonly InstanceRow[]): string =>
  rows.length === 0
    ? `There is no instance yet. Create one: ${programName} instance create --title News --timezone Europe/Vienna`
    : textTable(
        ['ID', 'TITLE', 'TIME ZONE', 'LANGUAGE', 'WEBSITE'],
        rows.map(({ id, settings }) => [
          String(id),
          String(settings['title']),
          String(settings['timezone']),
          String(settings['language']),
          String(settings['website_url'] ?? ''),
        ]),
      )

const jsonOfInstance = '{"id": …, "title": …, …}'
const instanceArgument = ['<instance>', 'number of the instance', instanceNumber] as const

/** Adds `instance` and the commands below it. */
export const addInstanceCommands = (program: Command, choose: Choose): void => {
  const group = addGroup(
    program,
    'instance',
    'Create, list, change and delete instances, the publications of this service.',
    'instance create --title News --timezone Europe/Vienna',
  )
  addCommand<SettingValues>(group, choose, {
    name: 'create',
    summary: 'create an instance',
    description:
      'Creates an instance: a publication with its own content, settings and roles. It gets the next free number.',
    options: settingOptions(true),
    json: jsonOfInstance,
    examples: [
      'instance create --title News --timezone Europe/Vienna',
      'instance create --title "Der Bote" --timezone Europe/Vienna --language de-AT --json',
    ],
    run: (options) => async (useCases) =>
      pipe(
        await asOperator(useCases)(createInstance, { body: settingsIn(options) })(),
        E.bimap(
          (failure) => taskFailureOf(failure, 'there is no such instance', zoneAdvice(options)),
          (made) => ({ value: shownInstance(made), text: createText(made) }),
        ),
      ),
  })
  addCommand(group, choose, {
    name: 'list',
    summary: 'list the instances',
    description: 'Lists the instances and their settings.',
    json: 'a list of objects such as create prints',
    examples: ['instance list'],
    run:
      () =>
      async ({ administerInstances }) =>
        pipe(
          await administerInstances.list()(),
          E.bimap(taskFailureOf, (rows) => ({ value: rows.map(shownInstance), text: listText(rows) })),
        ),
  })
  addCommand<SettingValues, number>(group, choose, {
    name: 'set',
    summary: 'change settings of an instance',
    description:
      'Changes the settings that the options name. Running services apply them within three seconds. Responses that ' +
      'are cached can be up to five minutes old. A new time zone changes which moments the stored dates and ' +
      'times denote.',
    argument: instanceArgument,
    options: settingOptions(false),
    json: jsonOfInstance,
    examples: [
      'instance set 1 --title "Der Bote" --language de-AT',
      'instance set 1 --public-downloads --no-website --json',
    ],
    run: (options, number) => {
      const body = settingsIn(options)
      if (Object.keys(body).length === 0)
        return 'no setting to change: add an option, such as --title <title>'
      return async (useCases) => {
        const run = asCommandLine(useCases, number)
        const changed = await pipe(
          run(changeSettings, { body }),
          TE.chain(() => run(readSettings, {})),
        )()
        return pipe(
          changed,
          E.bimap(
            (failure) => taskFailureOf(failure, missing(number), zoneAdvice(options)),
            (settings) => ({
              value: shownInstance({ id: number, settings }),
              text: `Instance ${number}, “${String(settings['title'])}”, is changed.`,
            }),
          ),
        )
      }
    },
  })
  addCommand<{ readonly title?: string }, number>(group, choose, {
    name: 'delete',
    summary: 'delete an instance with all its content',
    description:
      'Deletes an instance permanently: its content, files and settings, all roles on it, and the users without a role ' +
      'on another instance, with their keys. Confirm with the title. The command runs for at least five seconds, ' +
      'because running services cache roles that long. If it is interrupted, run it again; a running service ' +
      'also finishes the deletion within an hour.',
    argument: instanceArgument,
    options: [
      new Option(
        '--title <title>',
        'title of the instance, as confirmation; without it, the command asks on the terminal',
      ),
    ],
    json: '{"id": …, "title": …, "documents": …, "keys": …}',
    examples: ['instance delete 2', 'instance delete 2 --title News --json'],
    run:
      ({ title: given }, number) =>
      async (useCases) => {
        const question = `To delete instance ${number} with all its content, type its title:`
        const title = given ?? (await ask(ownTerminal, question))
        if (title === null)
          return E.left({
            code: exitCodes.refused,
            lines: [
              `there is no terminal to ask for the title: add --title with the title of instance ${number}`,
            ],
          })
        const deleted = await pipe(
          useCases.deleteInstance.run({ number, title, wait: (time) => setTimeout(time) }),
          TE.chainFirst(() =>
            recordCommand(useCases, {
              operation: 'removeInstance',
              collection: 'instances',
              object: String(number),
              title,
              changes: { title },
              urgent: true,
            }),
          ),
        )()
        return pipe(
          deleted,
          E.bimap(
            (failure) =>
              taskFailureOf(failure, missing(number), () => `List them: ${programName} instance list`),
            (value) => ({ value, text: deletedText(value) }),
          ),
        )
      },
  })
}
