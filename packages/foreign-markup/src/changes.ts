import type { Place } from './html-tree.js'

export type ChangeKind =
  /** An element was replaced by another one, or left out; its text remains. */
  | 'element'
  /** Attributes were left out, or their values changed. */
  | 'attribute'
  /** An address was left out, because no body has it. */
  | 'address'
  /** A picture, sound, video or frame is not in the markup. */
  | 'medium'
  /** A script, a style sheet or another instruction to a browser was left out. */
  | 'code'
  | 'comment'
  /** Text that readers do not see, or that is metadata, was left out. */
  | 'hidden text'
  /** Characters that markup does not have were left out. */
  | 'character'
  /** Elements within too many others were left out; their text remains. */
  | 'depth'

/** What is different from the source. `text` says it in English. */
export type Change = Place & { readonly kind: ChangeKind; readonly text: string }

export type Note = (kind: ChangeKind, place: Place, text: string) => void
