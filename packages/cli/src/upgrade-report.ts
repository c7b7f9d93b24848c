/** What an upgrade of data will do, how long it takes, and how much space it needs (docs/run-in-production.md#update). */
import { upgradePlan, type UpgradeStep } from '@publishing-service/application'
import { counted, exitCodes } from '@publishing-service/composition-root'
import { apiVersion } from '@publishing-service/http-contract'
import type { ExaminedStore } from '@publishing-service/ports'
import type { CommandResult } from './command.js'
import { bytesInWords, durationInWords } from './result-text.js'

/** Documents a second, measured on two cores (docs/run-in-production.md#update). */
const pace: Readonly<Record<UpgradeStep['step'], number>> = {
  'create tables': Infinity,
  'create indexes': 100_000,
  'rewrite documents': 2000,
  'record places': 2000,
  'compute attributes': 5000,
}

export type UpgradeCost = {
  /** Seconds, about. */
  readonly seconds: number
  /** The most bytes that the data takes more while it is upgraded. */
  readonly bytes: number
}

/** What an upgrade costs. Documents that are rewritten are there twice until the end, and a third time in the log. */
export const upgradeCost = (
  plan: readonly UpgradeStep[],
  { collections, bytes, copied }: ExaminedStore,
): UpgradeCost => {
  const all = collections.reduce(
    (sum, { documents }) => [...documents.values()].reduce((part, each) => part + each, sum),
    0,
  )
  const rewritten = plan.reduce(
    (sum, { step, documents }) => sum + (step === 'rewrite documents' ? documents : 0),
    0,
  )
  return {
    seconds: plan.reduce((sum, { step, documents }) => sum + documents / pace[step], copied / 200e6),
    bytes: Math.round(copied + (all === 0 ? 0 : (2 * bytes * rewritten) / all)),
  }
}

const phrases: Readonly<Record<UpgradeStep['step'], (documents: string, where: string) => string>> = {
  'create tables': (_, where) => `create the tables of ${where}`,
  'create indexes': (documents, where) => `create indexes of ${where}, ${documents}`,
  'rewrite documents': (documents, where) => `rewrite ${where}, ${documents}`,
  'record places': (documents, where) => `record the paths of ${where}, ${documents}`,
  'compute attributes': (documents, where) => `compute attributes in ${where}, ${documents}`,
}

const lineOf = ({ step, collection, instance, documents }: UpgradeStep): string =>
  `  ${phrases[step](counted(documents, 'document'), collection ?? `instance ${instance}`)}`

/** A line for each step that takes time, and one for all tables that stay empty. */
const linesOf = (plan: readonly UpgradeStep[]): readonly string[] => {
  const empty = plan.filter(({ documents }) => documents === 0)
  const tables =
    empty.length === 0 ? [] : [`  create the tables of ${counted(empty.length, 'empty collection')}`]
  return [...plan.filter(({ documents }) => documents > 0).map(lineOf), ...tables]
}

/** What an upgrade of the documents in a place does. `free` is the free space there in bytes, null if it is unknown. */
export const upgradeReport = (examined: ExaminedStore, place: string, free: number | null): CommandResult => {
  const plan = upgradePlan(examined)
  const cost = upgradeCost(plan, examined)
  const isEnough = free === null || free > cost.bytes
  const value = {
    release: apiVersion,
    up_to_date: plan.length === 0,
    steps: plan.map((each) => ({ ...each })),
    seconds: Math.ceil(cost.seconds),
    bytes: cost.bytes,
    free_bytes: free,
  }
  if (plan.length === 0)
    return { value, text: `The documents in ${place} are up to date with release ${apiVersion}.` }
  const text = [
    `The documents in ${place} (${bytesInWords(examined.bytes)}) are of an earlier release. Release ${apiVersion} will`,
    ...(examined.copied > 0
      ? [`  copy them to documents.sqlite-before-migration, ${bytesInWords(examined.copied)}`]
      : []),
    ...linesOf(plan),
    `That takes about ${durationInWords(cost.seconds)}, and up to ${bytesInWords(cost.bytes)} more of space` +
      `${free === null ? '' : `; ${bytesInWords(free)} are free`}. Nothing was changed.`,
    ...(isEnough ? [] : ['There is not enough space: make some, or move DATA_DIR to a larger disk.']),
  ].join('\n')
  return { value, text, code: isEnough ? exitCodes.done : exitCodes.refused }
}
