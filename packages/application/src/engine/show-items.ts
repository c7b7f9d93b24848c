import type { ViewContext } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { IncludePath } from '@publishing-service/domain/lists'
import { readPlan } from '@publishing-service/domain/engine'
import type { ItemShape } from '@publishing-service/domain/declare'
import type { Session } from '../session.js'
import { includedBy } from './load-included.js'

/** Items as the role sees them, and the objects that `include` names; null without `include`. */
export type ShownItems = { readonly items: readonly JsonObject[]; readonly included: JsonObject | null }

/** The items of which the role sees something; what they refer to is in their views. */
export const showItems = async (
  session: Session,
  shape: Pick<ItemShape, 'attributes' | 'variant' | 'isReturned'>,
  stored: readonly { readonly state: JsonObject; readonly view: ViewContext }[],
  paths: readonly IncludePath[] = [],
): Promise<ShownItems> => {
  const plan = readPlan(shape, session)
  const shown = stored
    .map(({ state, view }) => ({ state, item: plan.object(state, view) }))
    .filter(({ item }) => shape.isReturned?.(item) ?? true)
  const states = shown.map(({ state }) => state)
  const included = paths.length === 0 ? null : await includedBy(session, shape, states, paths)
  return { items: shown.map(({ item }) => item), included }
}
