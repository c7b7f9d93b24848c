/**
 * Creates the sample publication and an admin key for it in empty stores. Each step can be the last before a crash: the
 * next start determines which steps are missing and runs them.
 */
import { content } from '@publishing-service/domain'
import { type InstanceRoles, userOf } from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import {
  changeSettings,
  readObject,
  attempt,
  unrecorded,
  type InstanceRow,
  type IssuedKey,
  type IssuedLink,
  type KeyRow,
  type UseCases,
} from '@publishing-service/application'
import { readSample, type SampleOutline } from '@publishing-service/sample'
import { asService } from './as-service.js'
import type { Configuration } from './configuration.js'
import { stepOrThrow } from './error-messages.js'
import { seedSample } from './seed-sample.js'

/** The instances and keys that start-up found, after it created or completed the sample if needed. */
export type SeededInstances = {
  /** The lowest instance; null where there is none. */
  readonly firstInstance: number | null
  /** The instance of the sample publication; null where there is none. */
  readonly sample: number | null
  /** Whether no key was ever created, revoked ones included. */
  readonly hasNoKeys: boolean
  /** The name in BOOTSTRAP_API_KEY if the data has other keys; null if it is not set or names a valid key. */
  readonly idleKey: 'unknown' | 'revoked' | null
}

/** What start-up found or created. */
export type BootstrapResult = Omit<SeededInstances, 'hasNoKeys'> & {
  /** The admin key that this start created because there was none; else null. */
  readonly issued: IssuedKey | null
  /** The link with which the first person sets up their account; null if this start made none. */
  readonly setUp: IssuedLink | null
}

/** The instance that is created on empty stores. */
export const sampleInstance = 1

/** The instance's title until it has all of the sample: an unfinished sample is recognised by it. */
const unfinishedTitle = ({ settings }: SampleOutline): string => `${settings.title}, being seeded`

/** The parts of the service that start-up works with. */
export type BootstrapParts = {
  readonly useCases: UseCases
  readonly configuration: Configuration
  readonly sample: SampleOutline
}

const hasSample = async ({ useCases, sample }: BootstrapParts, number: number): Promise<boolean> =>
  E.isRight(
    await asService(useCases, number)(readObject(content), { id: sample.introduction, parameters: {} })(),
  )

/** Creates instance 1, unless another service that starts or the admin command has created it in the meantime. */
const createInstance = async ({ useCases, sample }: BootstrapParts): Promise<void> => {
  const create = useCases.administerInstances.create({
    number: sampleInstance,
    ...sample.settings,
    title: unfinishedTitle(sample),
  })
  const made = await create()
  if (E.isLeft(made) && made.left._tag !== 'BadParameters')
    await stepOrThrow('creating the sample’s instance', async () => made)
}

const listInstances = ({ useCases }: BootstrapParts): Promise<readonly InstanceRow[]> =>
  stepOrThrow('reading the instances', useCases.administerInstances.list())

const listKeys = ({ useCases }: BootstrapParts): Promise<readonly KeyRow[]> =>
  stepOrThrow('reading the keys', useCases.administerKeys.list())

const idleKeyAmong = (keys: readonly KeyRow[], apiKey: string | null): SeededInstances['idleKey'] => {
  if (apiKey === null || keys.length === 0) return null
  const found = keys.find(({ api_key: key }) => key === apiKey)
  if (found === undefined) return 'unknown'
  return found.revoked === null ? null : 'revoked'
}

/** Writes the sample to empty stores, or completes it. Throws an Error for the operator. */
export const seedInstances = async (parts: BootstrapParts): Promise<SeededInstances> => {
  const keys = await listKeys(parts)
  const found = await listInstances(parts)
  if (found.length === 0 && keys.length === 0) await createInstance(parts)
  const instances = found.length === 0 ? await listInstances(parts) : found
  const begun = instances.find(({ settings }) => settings['title'] === unfinishedTitle(parts.sample))
  if (begun !== undefined) {
    const run = asService(parts.useCases, begun.id)
    await seedSample(run, await readSample())
    const body = { title: parts.sample.settings.title }
    await stepOrThrow(`naming instance ${begun.id}`, run(changeSettings, { body }))
  }
  const firstInstance = instances[0]?.id ?? null
  const candidate = begun?.id ?? firstInstance
  return {
    firstInstance,
    sample: candidate !== null && (await hasSample(parts, candidate)) ? candidate : null,
    hasNoKeys: keys.length === 0,
    idleKey: idleKeyAmong(keys, parts.configuration.BOOTSTRAP_API_KEY),
  }
}

/** Whether the configuration sets the first key. */
export const isKeyChosen = ({ BOOTSTRAP_API_KEY, BOOTSTRAP_API_SECRET }: Configuration): boolean =>
  BOOTSTRAP_API_KEY !== null && BOOTSTRAP_API_SECRET !== null

/**
 * Creates the first key: for the sample, or, if key and secret are configured, for the first instance. Null if there
 * is a key, or another service that starts at the same time creates it. Throws an Error like seeding.
 */
export const issueFirstKey = async (
  parts: BootstrapParts,
  ground: SeededInstances,
): Promise<IssuedKey | null> => {
  const { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_API_SECRET: apiSecret } = parts.configuration
  // An instance that was created by a command gets its keys by a command, unless the configuration sets one.
  const instance = ground.sample ?? (isKeyChosen(parts.configuration) ? ground.firstInstance : null)
  if (!ground.hasNoKeys || instance === null) return null
  const issued = await parts.useCases.administerKeys.create({
    instance,
    role: 'admin',
    operator: true,
    name: 'bootstrap',
    purpose: 'bootstrap',
    ...(apiKey === null ? {} : { apiKey }),
    ...(apiSecret === null ? {} : { apiSecret }),
  })()
  if (E.isLeft(issued) && (await listKeys(parts)).length > 0) return null
  return stepOrThrow('creating the admin key', async () => issued)
}

/** Makes the first person, with the rights of the first key, and the link with which they set up their account. */
export const inviteFirstPerson = async (
  { useCases }: BootstrapParts,
  { sample, firstInstance }: SeededInstances,
): Promise<IssuedLink> => {
  const instance = sample ?? firstInstance
  const roles: InstanceRoles[] = instance === null ? [] : [{ instance, roles: ['admin'] }]
  const { id } = await stepOrThrow('creating the first person', () =>
    attempt(() =>
      useCases.administerUsers.create(
        { operator: true, roles: [] },
        userOf({ name: 'Operator', operator: true, roles }),
        unrecorded.write,
      ),
    ),
  )
  return useCases.signInLinks.create(id, 'set-up')
}
