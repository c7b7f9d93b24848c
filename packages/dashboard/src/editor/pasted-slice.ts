import { Fragment, Slice, type Node, type ResolvedPos } from '@tiptap/pm/model'
import { Selection, type Transaction } from '@tiptap/pm/state'
import { isList } from './list-commands.js'
import { insertSlots, isOnlySlots } from './slot-place.js'

/** Whether there is only one text in a slice, such as a word of an item. */
const isOneText = ({ content }: Slice): boolean => {
  let texts = 0
  content.descendants(({ isTextblock }) => {
    if (isTextblock) texts += 1
    return !isTextblock
  })
  return texts === 1
}

/** Whether a position is within a block like this one, and in the same cell if it is in one. */
const isWithin = ($pos: ResolvedPos, block: Node): boolean => {
  for (let depth = $pos.depth; depth > 0; depth -= 1) {
    const around = $pos.node(depth)
    if (around.type === block.type || (isList(around) && isList(block))) return true
    if (around.type.spec.isolating === true) return false
  }
  return false
}

/**
 * What is pasted at a caret, with the blocks around its first and its last text: by itself the editor would add the first
 * item of a list to the text at the caret, without its bullet. Within a list, its items are pasted. What was copied within
 * one text of an editor (`isCopied`) remains text.
 */
export const pastedSlice = (slice: Slice, $caret: ResolvedPos, isCopied: boolean): Slice => {
  const { content, openStart, openEnd } = slice
  if (isCopied && isOneText(slice)) return slice
  const blocks = content.content.flatMap((block, index) =>
    (index === 0 || index === content.childCount - 1) && !block.isTextblock && isWithin($caret, block)
      ? block.children
      : [block],
  )
  return new Slice(
    Fragment.from(blocks),
    content.firstChild?.isTextblock === true ? openStart : 0,
    content.lastChild?.isTextblock === true ? openEnd : 0,
  )
}

/**
 * Pastes blocks in place of the selection, with the caret at the end of their text; slots are inserted between blocks. Null
 * for a slice that ends with text, which the editor pastes.
 */
export const pasteBlocks = (tr: Transaction, slice: Slice): Transaction | null => {
  const { content, openStart, openEnd } = slice
  const { to } = tr.selection
  if (isOnlySlots(slice)) return insertSlots(tr, to, content)
  if (openEnd > 0 || content.lastChild?.isBlock !== true || content.lastChild.isTextblock) return null
  const sizeAfter = tr.doc.content.size - to
  const [only] = content.childCount === 1 && openStart === 0 ? content.content : []
  if (only === undefined) tr.replaceSelection(slice)
  else tr.replaceSelectionWith(only)
  const $after = tr.doc.resolve(tr.doc.content.size - sizeAfter)
  const end = $after.parent.isTextblock && $after.parentOffset === 0 ? $after.before() : $after.pos
  return tr.setSelection(Selection.findFrom(tr.doc.resolve(end), -1, true) ?? tr.selection)
}
