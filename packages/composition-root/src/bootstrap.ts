import { E, nowIn } from '@publishing-service/domain'
import type { Caller, Failure, IssuedKey, Outcome, UseCases } from '@publishing-service/application'
import type { Clock } from '@publishing-service/ports'
import type { Configuration } from './configuration-table.js'
import { plantSample } from './sample/plant-sample.js'

/** What start-up found or made. */
export type BootstrapResult = {
  /** The admin key that was made on empty stores; null on others. */
  readonly issued: IssuedKey | null
}

const sample = { instance: 1, title: 'Demo', timezone: 'Europe/Vienna' } as const

const failureText = (failure: Failure): string => {
  if (failure._tag === 'PortFailure') return `${failure.part}: ${failure.reason}`
  return failure._tag === 'BadParameters'
    ? failure.faults.map(({ path, message }) => `${path} ${message}`).join('; ')
    : failure._tag
}

/** The result of a step of start-up; a failure ends it with words for whoever starts the service. */
export const settled = async <A>(what: string, outcome: Outcome<A>): Promise<A> => {
  const result = await outcome()
  if (E.isLeft(result)) throw new Error(`${what} failed: ${failureText(result.left)}`)
  return result.right
}

/** The service itself, as somebody who may do everything on an instance. */
const insideCaller = async (useCases: UseCases, clock: Clock, number: number): Promise<Caller> => {
  const instance = await settled(`reading instance ${number}`, useCases.instances.find(number))
  const nowhere = () => ''
  return {
    role: 'admin',
    instance,
    now: nowIn(instance.settings.timezone, clock.now()),
    links: { website: '', collection: nowhere, object: nowhere, slot: nowhere, download: nowhere },
    strict: true,
  }
}

/**
 * Gives empty stores the sample publication as instance 1 and an admin key for it. The key comes last: a start that
 * was cut short before it is taken up again by the next one.
 */
export const bootstrap = async (useCases: UseCases, clock: Clock, configuration: Configuration): Promise<BootstrapResult> => {
  const { administerInstances, administerKeys } = useCases
  const keys = await settled('reading the keys', administerKeys.list())
  if (keys.length > 0) return { issued: null }
  const instances = await settled('reading the instances', administerInstances.list())
  const first = instances[0]
  if (first !== undefined && first.settings['title'] !== sample.title) return { issued: null }
  if (first === undefined)
    await settled('creating instance 1', administerInstances.create({ title: sample.title, timezone: sample.timezone }))
  await plantSample(useCases, await insideCaller(useCases, clock, sample.instance))
  const issued = await settled(
    'creating the admin key',
    administerKeys.create({
      instance: sample.instance,
      role: 'admin',
      name: 'bootstrap',
      ...(configuration.BOOTSTRAP_API_KEY === null ? {} : { apiKey: configuration.BOOTSTRAP_API_KEY }),
      ...(configuration.BOOTSTRAP_API_SECRET === null ? {} : { apiSecret: configuration.BOOTSTRAP_API_SECRET }),
    }),
  )
  return { issued }
}
