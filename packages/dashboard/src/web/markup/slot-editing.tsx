import { createContext, type ComponentType } from 'react'
import { useTexts } from '../texts/texts.js'

/** What a slot shows in the editor. */
export type SlotBlock = ComponentType<{ readonly id: string; readonly remove: () => void }>

/** What readers see of a slot. */
export type SlotPreview = ComponentType<{ readonly id: string }>

/** The uploads of pictures that failed and have no slot any more, and a way to repeat them in a new slot. */
export type FailedUploads = ComponentType<{ readonly insertSlot: (id: string) => void }>

const NoBlock = () => <div>{useTexts().content.slot}</div>

/** How the editors below show slots, and how they make the id of a new one. */
export type SlotEditing = {
  readonly Block: SlotBlock
  readonly Preview: SlotPreview
  /** Pictures are uploaded, and become its media. */
  readonly createSlot: ((pictures?: readonly File[]) => string) | null
  /** Whether the user may upload pictures. */
  readonly canUpload: boolean
  /** The slots for pictures, if none of these could be uploaded. They do not remain in the text. */
  readonly failedSlots: ReadonlySet<string>
  readonly Failed: FailedUploads
}

export const CurrentSlotEditing = createContext<SlotEditing>({
  Block: NoBlock,
  Preview: NoBlock,
  createSlot: null,
  canUpload: false,
  failedSlots: new Set(),
  Failed: () => null,
})
