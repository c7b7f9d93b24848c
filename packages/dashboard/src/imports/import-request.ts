/** What the form of an import sends, and where the faults of it are shown. */
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import type { Field, ImportsModel } from '../model.js'

/** The options of a kind; none for another value. */
export const optionsOf = ({ options }: ImportsModel, kind: Json | undefined): readonly Field[] =>
  Object.entries(options).find(([name]) => name === kind)?.[1] ?? []

/** The values with which the fields begin. */
export const initialValues = (fields: readonly Field[]): JsonObject =>
  Object.fromEntries(fields.map(({ name, initial }) => [name, initial]))

const setIn = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))

/** The body that begins an import. What is not set is left out. */
export const importRequest = (value: JsonObject, options: JsonObject): JsonObject => ({
  ...setIn(value),
  options: setIn(options),
})

/** The body that imports what a dry run has tried. */
export const requestAfterTrial = ({ fields }: ImportsModel, tried: object): JsonObject => {
  const value = isJsonObject(tried) ? tried : {}
  return {
    ...setIn(Object.fromEntries(fields.map(({ name }) => [name, value[name] ?? null]))),
    options: value['options'] ?? {},
    dry_run: false,
  }
}

export type ImportFaults = {
  /** By the names of the attributes. */
  readonly ofFields: Readonly<Record<string, string>>
  /** By the names of the options. */
  readonly ofOptions: Readonly<Record<string, string>>
  /** Whether there is one of something else. */
  readonly hasOthers: boolean
}

/** Joins what is said of parts of one value. */
const byName = (
  found: readonly (readonly [name: string, message: string])[],
): Readonly<Record<string, string>> => {
  const messages = new Map<string, string>()
  for (const [name, message] of found) {
    const former = messages.get(name)
    messages.set(name, former === undefined ? message : `${former}\n${message}`)
  }
  return Object.fromEntries(messages)
}

/** The faults of a request, by path, as they are shown at the fields and options with these names. */
export const importFaults = (
  info: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  options: readonly string[],
): ImportFaults => {
  const found = Object.entries(info).map(([path, fault]) => {
    const [first = '', ...rest] = path.split('.')
    const isOption = first === 'options'
    const [name = '', ...below] = isOption ? rest : [first, ...rest]
    const isKnown = (isOption ? options : fields).includes(name)
    const message = [...below, String(fault)].join(': ')
    return { isOption, isKnown, entry: [name, message] as const }
  })
  const entriesOf = (isOption: boolean) =>
    found.filter((each) => each.isKnown && each.isOption === isOption).map(({ entry }) => entry)
  return {
    ofFields: byName(entriesOf(false)),
    ofOptions: byName(entriesOf(true)),
    hasOthers: found.some(({ isKnown }) => !isKnown),
  }
}
