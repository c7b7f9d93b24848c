import { withComputed, type Change, type JsonObject, type Resource } from '@publishing-service/domain'
import type { Clock } from '@publishing-service/ports'

/** The state with the attributes whose computation takes long. Yields to the event loop between the steps. */
export const completeInSteps = async (
  { clock }: { readonly clock: Pick<Clock, 'turn'> },
  resource: Resource,
  state: JsonObject,
  at: Pick<Change, 'previous' | 'now' | 'settings'>,
): Promise<JsonObject> => {
  const steps = resource.completeInSteps?.(state, at)
  if (steps === undefined) return state
  for (;;) {
    const step = steps.next()
    if (step.done === true) return withComputed(resource, step.value, state)
    await clock.turn()
  }
}
