/** What the next start does with the data of an earlier release (docs/run-in-production.md#update). */
import { resources } from '@publishing-service/domain'
import type { ExaminedStore } from '@publishing-service/ports'
import { isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { lacksComputed } from './complete-computed.js'
import { lacksPlaces, ownerCollections } from './complete-places.js'

/** One thing that is done with all documents of a collection, or with all of an instance. */
export type UpgradeStep = {
  readonly step:
    'create tables' | 'create indexes' | 'rewrite documents' | 'record places' | 'compute attributes'
  /** Null if the step concerns an instance. */
  readonly collection: string | null
  readonly instance: number | null
  readonly documents: number
}

const steps = { create: 'create tables', index: 'create indexes', rewrite: 'rewrite documents' } as const

/** The collection whose documents the plan is made of. */
export const plannedBy = systemCollections.instances.name

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, each) => sum + each, 0)

/** The steps in their order; empty if the data is as this release writes it. */
export const upgradePlan = ({ collections, read }: ExaminedStore): readonly UpgradeStep[] => {
  const counts = new Map(collections.map(({ name, documents }) => [name, documents]))
  const inCollections = (instance: number, names: readonly string[]): number =>
    sumOf(names.map((name) => counts.get(name)?.get(instance) ?? 0))
  const instances = read.map((document) => decodeStored(StoredInstance, document)).filter(isLiveInstance)
  const ofStore = collections.flatMap(({ name, work, documents }): readonly UpgradeStep[] =>
    work === null
      ? []
      : [{ step: steps[work], collection: name, instance: null, documents: sumOf(documents.values()) }],
  )
  const ofInstances = (
    step: UpgradeStep['step'],
    lacks: (stored: StoredInstance) => boolean,
    names: readonly string[],
  ): readonly UpgradeStep[] =>
    instances.filter(lacks).map(({ number }) => ({
      step,
      collection: null,
      instance: number,
      documents: inCollections(number, names),
    }))
  return [
    ...ofStore,
    ...ofInstances('record places', lacksPlaces, ownerCollections),
    ...ofInstances(
      'compute attributes',
      lacksComputed,
      resources.map(({ collection }) => collection),
    ),
  ]
}

/** Whether a store has data of the service. */
export const hasData = ({ collections }: ExaminedStore): boolean =>
  collections.some(({ name, documents }) => name === plannedBy && documents.has(systemInstance))
