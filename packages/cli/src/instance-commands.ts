/** `instance create`, `list`, `set` and `delete`: the publications of this service. */
import { setTimeout } from 'node:timers/promises'
import {
  changeSettings,
  createInstance,
  orThrow,
  readSettings,
  type InstanceRow,
} from '@publishing-service/application'
import { asCommandLine, asOperator, counted, similarWords } from '@publishing-service/composition-root'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { StoredAttribute } from '@publishing-service/domain/declare'
import { settingsAttributes } from '@publishing-service/domain/roles'
import { InvalidArgumentError, Option } from 'commander'
import { ask, ownTerminal } from './ask.js'
import { listHint, optionOf, refusal } from './command-failure.js'
import { adminCommand, listResult, type AdminCommand } from './command.js'
import { onOwnData } from './on-own-data.js'
import { recordedCommand } from './record-command.js'
import { programName } from './result-text.js'

/** The number of an instance, as an argument or option. */
export const instanceNumber = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the number of an instance, such as 1.')
}

const shownInstance = ({ id, settings }: InstanceRow): Readonly<Record<string, Json>> => ({
  id,
  ...settings,
})

const cityOf = (zone: string): string =>
  zone
    .slice(zone.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

/** Time zones whose city is spelled like that of an unknown name, five at most, nearest first. */
export const similarTimeZones = (wanted: string): readonly string[] =>
  similarWords(wanted, Intl.supportedValuesOf('timeZone'), cityOf).slice(0, 5)

/** What the options of a command say about settings. */
type SettingValues = Readonly<Record<string, string | boolean | undefined>>

/** Suggests time zones that are similar to the one that was given. */
const zoneAdvice = (option: string, { timezone }: SettingValues): string | null => {
  const near = option === 'timezone' ? similarTimeZones(String(timezone)) : []
  return near.length === 0 ? null : `Did you mean ${near.join(' or ')}?`
}

const settingsTable: Readonly<Record<string, StoredAttribute>> = settingsAttributes
const declaredSettings = Object.entries(settingsTable)

/** The options for settings, by their declarations. Those of a new instance have defaults, so none is removed. */
const settingOptions = (isNew: boolean): readonly Option[] =>
  declaredSettings.flatMap(([name, { type, description, required, initial }]) => {
    const flag = optionOf(name)
    const text = `${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`
    const { type: json, items, format = items?.format ?? 'text' } = type.schema
    const isSwitch = json === 'boolean'
    /** `time-zone` is a zone, a list is of what its items are, a number is one, and a text is what its name says. */
    const value = json === 'integer' ? 'number' : format === 'text' ? flag : format.replace(/^.*-/, '')
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

const jsonOfInstance = '{"id": …, "title": …, …}'
export const instanceArgument = ['<instance>', 'number of the instance', instanceNumber] as const

export const instanceCommands: readonly AdminCommand[] = [
  adminCommand<SettingValues>({
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
    advice: zoneAdvice,
    run: (options) =>
      onOwnData(async (useCases) => {
        const body = settingsIn(options)
        const created = await orThrow(asOperator(useCases)(createInstance, { body }))
        return {
          value: shownInstance(created),
          text: [
            `Instance ${created.id}, “${String(created.settings['title'])}”, is created.`,
            `Create a key for it: ${programName} key create --instance ${created.id} --role admin`,
          ].join('\n'),
        }
      }),
  }),
  adminCommand({
    name: 'list',
    summary: 'list the instances',
    description: 'Lists the instances and their settings.',
    json: 'a list of objects such as create prints',
    examples: ['instance list'],
    run: () =>
      onOwnData(async ({ administerInstances }) => {
        const unfinished = await orThrow(administerInstances.listUnfinished())
        const result = listResult(
          (await orThrow(administerInstances.list())).map(shownInstance),
          `There is no instance yet. Create one: ${programName} instance create --title News --timezone Europe/Vienna`,
          {
            ID: ({ id }) => String(id),
            TITLE: ({ title }) => String(title),
            'TIME ZONE': ({ timezone }) => String(timezone),
            LANGUAGE: ({ language }) => String(language),
            WEBSITE: ({ website_url: website }) => String(website ?? ''),
          },
        )
        const lines = unfinished.map(
          ({ id, settings }) =>
            `Instance ${id}, “${String(settings['title'])}”, is not imported whole. Repeat its import, or delete it.`,
        )
        return { ...result, text: [result.text, ...lines].join('\n') }
      }),
  }),
  adminCommand<SettingValues, number>({
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
    advice: zoneAdvice,
    run: (options, id) => {
      const body = settingsIn(options)
      if (Object.keys(body).length === 0)
        return 'no setting to change: add an option, such as --title <title>'
      return onOwnData(async (useCases) => {
        const run = asCommandLine(useCases, id)
        await orThrow(run(changeSettings, { body }))
        const settings = await orThrow(run(readSettings, {}))
        return {
          value: shownInstance({ id, settings }),
          text: `Instance ${id}, “${String(settings['title'])}”, is changed.`,
        }
      })
    },
  }),
  adminCommand<{ readonly title?: string }, number>({
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
    advice: () => listHint('instance'),
    run: ({ title: given }, number) =>
      onOwnData(async (useCases) => {
        const question = `To delete instance ${number} with all its content, type its title:`
        const title = given ?? (await ask(ownTerminal, question))
        if (title === null)
          throw refusal(
            `there is no terminal to ask for the title: add --title with the title of instance ${number}`,
          )
        const deletion = { number, title, wait: (time: number) => setTimeout(time) }
        const deleted = await recordedCommand(
          useCases,
          () => ({
            operation: 'removeInstance',
            collection: 'instances',
            object: String(number),
            title,
            changes: { title },
          }),
          (recorded) => orThrow(useCases.deleteInstance.run(deletion, recorded)),
        )
        const { id, documents, keys } = deleted
        return {
          value: deleted,
          text:
            `Instance ${id}, “${deleted.title}”, is deleted, with ${counted(documents, 'document')}, their file data and ` +
            `${counted(keys, 'key')}. Its number will not be used again.`,
        }
      }),
  }),
]
