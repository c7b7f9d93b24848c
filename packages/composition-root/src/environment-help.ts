/** The environment as help texts show it: the stores that it chooses, and the variables. */
import { E, type Either } from '@publishing-service/domain/fp'
import { configurationTable, type Variable } from './configuration-table.js'
import type { Configured } from './environment.js'

type Row = readonly [name: string, meaning: string]

/** A title, and below it names with their meanings in two columns. */
export const helpSection = (title: string, rows: readonly Row[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return [`${title}:`, ...rows.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`)].join('\n')
}

const variableRow = ([name, { description, secret, fallback, fallbackWords }]: readonly [
  string,
  Variable<unknown>,
]): Row => {
  const shown = fallbackWords ?? fallback
  return [
    name,
    [
      description,
      ...(shown === null || shown === '' ? [] : [`Default: ${shown}.`]),
      ...(secret ? [`${name}_FILE names a file that contains it.`] : []),
    ].join(' '),
  ]
}

/** Every variable that the service reads itself, in two columns. */
export const variablesHelp = (): string =>
  helpSection(
    'Variables of the environment',
    Object.entries<Variable<unknown>>(configurationTable).map(variableRow),
  )

/** The stores that an environment chooses, and the variables of their packages; or what is wrong with it. */
export const storesHelp = async (found: Either<readonly string[], Configured>): Promise<string> => {
  if (E.isLeft(found))
    return ['The environment is wrong:', ...found.left.map((line) => `  - ${line}`)].join('\n')
  const { configuration, variables } = found.right
  const { STORE, BLOBS, documentStore, blobStore } = configuration
  const ofPackages = Object.entries(variables).filter(([name]) => !Object.hasOwn(configurationTable, name))
  return [
    helpSection('Stores of this environment', [
      [`STORE=${STORE}`, `documents: ${await documentStore.place(configuration)}`],
      [`BLOBS=${BLOBS}`, `file data: ${await blobStore.place(configuration)}`],
    ]),
    ...(ofPackages.length === 0
      ? []
      : ['', helpSection('Variables of their packages', ofPackages.map(variableRow))]),
  ].join('\n')
}
