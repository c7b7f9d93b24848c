import { Fragment, Slice, type Schema } from '@tiptap/pm/model'
import type { Transaction } from '@tiptap/pm/state'
import { dropPoint } from '@tiptap/pm/transform'
import { slotIdOf } from './slot-node.js'

/** What is dragged while a slot is: the editor shows where it would be. */
export const draggedSlot = ({ nodes: { slot } }: Schema): Slice =>
  slot === undefined ? Slice.empty : new Slice(Fragment.from(slot.create()), 0, 0)

/** Inserts slots before or after the block at a position, whichever is nearer. No text is divided. */
export const insertSlots = (tr: Transaction, position: number, slots: Fragment): Transaction =>
  tr.insert(dropPoint(tr.doc, position, new Slice(slots, 0, 0)) ?? tr.doc.content.size, slots)

/** Whether a pasted slice has nothing but slots. */
export const isOnlySlots = ({ content }: Slice): boolean =>
  content.childCount > 0 && content.content.every(({ type }) => type.name === 'slot')

/** Removes slots that nobody has filled. That is no change that the user could undo. */
export const removeSlots = (tr: Transaction, ids: ReadonlySet<string>): Transaction => {
  tr.doc.descendants((node, position) => {
    if (node.type.name !== 'slot' || !ids.has(slotIdOf(node.attrs))) return
    const at = tr.mapping.map(position)
    tr.delete(at, at + node.nodeSize)
  })
  return tr.setMeta('addToHistory', false)
}
