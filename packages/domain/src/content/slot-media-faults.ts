/** Which media a slot accepts (docs/behaviour/slots-and-media.md#configuration). */
import { firstPerPath, type Fault } from '../fault.js'
import type { JsonObject } from '../json.js'
import type { ItemsDraft } from '../resource/draft-attributes.js'
import type { FoundObjects } from '../resource/read-plan.js'
import { draftFaults } from '../resource/decide-write.js'
import { placementFaults } from './slot.js'

/**
 * Every fault of media that are written to a slot: its tag is not in the body, a value is wrong, or a reference names
 * no file of its kind, such as an `image_uuid` that names an audio file. A slot of null is the deprecated single list.
 */
export const slotMediaFaults = (
  content: JsonObject,
  slotId: string | null,
  draft: ItemsDraft,
  found: FoundObjects,
): readonly Fault[] =>
  firstPerPath([...(slotId === null ? [] : placementFaults(content, slotId)), ...draftFaults(draft, found)])
