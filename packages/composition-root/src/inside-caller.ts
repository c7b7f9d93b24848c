/** The service itself as a caller: admin of one instance, strict, without an address of its own. */
import { momentIn, type Caller, type UseCases } from '@publishing-service/application'
import type { Clock } from '@publishing-service/ports'
import { settled } from './settled.js'

const nowhere = () => ''

/** Somebody who may do everything on an instance. Throws an Error where there is no such instance. */
export const insideCaller = async (useCases: UseCases, clock: Clock, number: number): Promise<Caller> => {
  const instance = await settled(`reading instance ${number}`, useCases.instances.find(number))
  return {
    role: 'admin',
    client: { name: 'service', isAnonymous: false },
    user: null,
    instance,
    ...momentIn(instance, clock.now()),
    links: {
      collection: nowhere,
      object: nowhere,
      slot: nowhere,
      tagging: nowhere,
      download: nowhere,
      defaultThumbnail: nowhere,
    },
    strict: true,
  }
}
