import { content, E, nowIn, TE, pipe, type Filter } from '@publishing-service/domain'
import { unreadable, type Document, type DocumentStore } from '@publishing-service/ports'
import { instanceOf, isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import type { Instance } from '../caller.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { documentsIn } from '../instance-documents.js'
import { completeInSteps } from '../objects/complete-in-steps.js'
import { forEachPage } from '../objects/for-each-page.js'
import { targetOf } from '../objects/update-document.js'
import { orThrow } from '../or-throw.js'
import type { Ports } from '../ports.js'

const batchSize = 200
const target = targetOf(content)

/**
 * Renews the lists of occurrences that are due (docs/behaviour/content.md#occurrences), and returns their number. Throws a
 * PortFailure if the store fails. `lenient` is a store that returns damaged documents, which are skipped.
 */
export const createRenewOccurrences = (
  { documents, clock }: Pick<Ports, 'documents' | 'clock'>,
  lenient: DocumentStore,
) => {
  const idsOf = async (
    instance: number,
    collection: string,
    where: readonly Filter[],
  ): Promise<readonly string[]> => {
    const ids: string[] = []
    const scan = { documents: documentsIn(lenient, instance), collection, where, limit: batchSize }
    await orThrow(
      forEachPage(scan, (page) =>
        ids.push(...page.flatMap(({ id, value }) => (value === unreadable ? [] : id))),
      ),
    )
    return ids
  }

  /** False if the event was written or removed concurrently. */
  const renew = async (
    { number, settings }: Instance,
    { id, version, value }: Document,
  ): Promise<boolean> => {
    const now = nowIn(settings.timezone, clock.now())
    const renewed = await completeInSteps({ clock }, content, value, { previous: value, now, settings })
    const written = await documents.replace(content.collection, number, {
      id,
      version,
      unique: target.unique(renewed),
      value: renewed,
    })()
    if (E.isLeft(written) && written.left._tag === 'PortFailure') throw written.left
    return E.isRight(written)
  }

  const liveInstance = (number: string) =>
    orThrow(
      pipe(
        documents.get(systemCollections.instances.name, systemInstance, number),
        TE.map((document) => {
          const stored = document === null ? null : decodeStored(StoredInstance, document)
          return stored === null || !isLiveInstance(stored) ? null : instanceOf(Number(number), stored)
        }),
      ),
    )

  return async (): Promise<number> => {
    let renewed = 0
    for (const number of await idsOf(systemInstance, systemCollections.instances.name, [])) {
      const instance = await liveInstance(number)
      if (instance === null) continue
      const due = await idsOf(instance.number, content.collection, [
        { key: 'content_type', equals: 'event' },
        { key: 'occurrences_due', atMost: nowIn(instance.settings.timezone, clock.now()) },
      ])
      for (const id of due) {
        const event = await orThrow(lenient.get(content.collection, instance.number, id))
        if (event !== null && (await renew(instance, event))) renewed += 1
      }
    }
    return renewed
  }
}
