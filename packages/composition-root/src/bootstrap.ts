/**
 * Gives empty stores the sample publication and an admin key for it. Each step can be the last before a crash: the
 * next start finds out which steps are missing and takes them.
 */
import { content, E } from '@publishing-service/domain'
import type { InstanceRow, IssuedKey, UseCases } from '@publishing-service/application'
import type { Clock } from '@publishing-service/ports'
import type { Configuration } from './configuration-table.js'
import { insideCaller } from './inside-caller.js'
import { plantSample } from './sample/plant-sample.js'
import { threePhotographs } from './sample/stories/three-photographs.js'
import { settled } from './settled.js'

/** What start-up found or made. */
export type BootstrapResult = {
  /** The admin key that this start made, on stores without a key; null on others. */
  readonly issued: IssuedKey | null
  /** The lowest instance; null where there is none. */
  readonly firstInstance: number | null
  /** Where the sample publication stands; null where it doesn't. */
  readonly sample: number | null
}

const finishedTitle = 'Demo'
/** The instance's title until all of the sample is there: it tells a sample cut short from any other instance. */
const unfinishedTitle = 'Demo, being planted'
const timezone = 'Europe/Vienna'

/** The parts of the service that start-up works with. */
type Parts = { readonly useCases: UseCases; readonly clock: Clock; readonly configuration: Configuration }

const holdsSample = async ({ useCases, clock }: Parts, number: number): Promise<boolean> => {
  const caller = await insideCaller(useCases, clock, number)
  return E.isRight(await useCases.readObject(content, caller, threePhotographs.id)())
}

const finish = async ({ useCases, clock }: Parts, number: number): Promise<void> => {
  const caller = await insideCaller(useCases, clock, number)
  await plantSample(useCases, caller)
  await settled(`naming instance ${number}`, useCases.instances.change(caller, { title: finishedTitle }))
}

/** The instance to plant in: a new one on empty stores, or one that a start before this one has left unfinished. */
const unfinished = async (
  { useCases }: Parts,
  instances: readonly InstanceRow[],
  hasKeys: boolean,
): Promise<number | null> => {
  const begun = instances.find(({ settings }) => settings['title'] === unfinishedTitle)
  if (begun !== undefined) return begun.id
  if (instances.length > 0 || hasKeys) return null
  const create = useCases.administerInstances.create({ title: unfinishedTitle, timezone })
  return (await settled('creating the sample’s instance', create)).id
}

const issueKey = async ({ useCases, configuration }: Parts, instance: number): Promise<IssuedKey | null> => {
  const { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_API_SECRET: apiSecret } = configuration
  const issued = await useCases.administerKeys.create({
    instance,
    role: 'admin',
    name: 'bootstrap',
    ...(apiKey === null ? {} : { apiKey }),
    ...(apiSecret === null ? {} : { apiSecret }),
  })()
  if (E.isRight(issued)) return issued.right
  // A service that was started at the same moment has made it.
  const keys = await settled('reading the keys', useCases.administerKeys.list())
  if (keys.some(({ api_key: key }) => key === apiKey)) return null
  return settled('creating the admin key', async () => issued)
}

/** Plants and issues what is missing; throws an Error with words for whoever starts the service. */
export const bootstrap = async (parts: Parts): Promise<BootstrapResult> => {
  const { administerInstances, administerKeys } = parts.useCases
  const hasKeys = (await settled('reading the keys', administerKeys.list())).length > 0
  const instances = await settled('reading the instances', administerInstances.list())
  const planted = await unfinished(parts, instances, hasKeys)
  if (planted !== null) await finish(parts, planted)
  const first = instances[0]?.id ?? planted
  const candidate = planted ?? first
  const sample = candidate !== null && (await holdsSample(parts, candidate)) ? candidate : null
  // An instance that somebody made before the first start gets keys from the same hand.
  const issued = hasKeys || sample === null ? null : await issueKey(parts, sample)
  return { issued, firstInstance: first, sample }
}
