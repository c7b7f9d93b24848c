/**
 * What Enter and the list buttons do in lists: Enter makes an item of the list, a button makes a list of the selected
 * blocks, another kind of list of a list, and paragraphs of a list that has its kind.
 */
import { autoJoin } from '@tiptap/pm/commands'
import { NodeRange, type Node, type NodeType, type ResolvedPos } from '@tiptap/pm/model'
import { liftListItem } from '@tiptap/pm/schema-list'
import { EditorState, TextSelection, type Command, type Transaction } from '@tiptap/pm/state'
import { bareBlock } from '../markup/editor-document.js'
import type { ElementModel } from '../markup/element-kinds.js'
import { attributesOf } from './node-attributes.js'

export type ListKind = 'ul' | 'ol'

/** Whether a node is a list with items. */
export const isList = ({ type }: Node): boolean => type.name === 'ul' || type.name === 'ol'
const isItem = ({ type }: Node): boolean => type.name === 'li'

/** Whether two adjacent lists are one for the reader. */
const isContinued = (before: Node, after: Node): boolean => isList(before) && before.type === after.type

/** Lifts the item at a position by one level, as a part of the transaction. Returns whether that was possible. */
const liftItem = (tr: Transaction, position: number): boolean => {
  const item = tr.doc.type.schema.nodes['li']
  const state = EditorState.create({ doc: tr.doc, selection: TextSelection.create(tr.doc, position) })
  return (
    item !== undefined &&
    liftListItem(item)(state, ({ steps }) => {
      for (const step of steps) tr.step(step)
    })
  )
}

/**
 * Enter in an item of a list: another item at the caret. An empty item leaves the list that it is in. Other text without an
 * element is divided into paragraphs. False where Enter does what it does in every text.
 */
export const breakText: Command = autoJoin((state, dispatch) => {
  const { tr, selection, storedMarks } = state
  const { p, [bareBlock]: bare } = tr.doc.type.schema.nodes
  if (!(selection instanceof TextSelection) || p === undefined || bare === undefined) return false
  const marks = storedMarks ?? selection.$from.marks()
  tr.deleteSelection()
  const { $from: $caret } = tr.selection
  const { parent: text, pos } = $caret
  const isEmpty = text.content.size === 0
  const item = $caret.depth < 2 ? null : $caret.node(-1)
  if (!text.isTextblock || text.type.spec.code === true) return false
  if (item === null || !isItem(item)) {
    if (text.type !== bare || isEmpty) return false
    tr.setNodeMarkup($caret.before(), p).split(pos, 1, [{ type: p }])
  } else if (isEmpty && $caret.index(-1) === 0) {
    if (!liftItem(tr, pos)) return false
  } else {
    const isHeading = text.type.spec.defining === true && pos === $caret.end()
    tr.split(pos, 2, [{ type: item.type }, { type: isHeading ? bare : text.type }])
  }
  dispatch?.(tr.ensureMarks(marks).scrollIntoView())
  return true
}, isContinued)

/** The innermost list around a position, unless something that has a text apart, such as a table cell, is in between. */
const listAround = ($pos: ResolvedPos): { readonly list: Node; readonly position: number } | null => {
  for (let depth = $pos.depth; depth > 0; depth -= 1) {
    const node = $pos.node(depth)
    if (isList(node)) return { list: node, position: $pos.before(depth) }
    if (node.type.spec.isolating === true) return null
  }
  return null
}

/** The positions in the selected texts, at their starts. */
const selectedTexts = ({ doc, selection: { from, to } }: Transaction): readonly ResolvedPos[] => {
  const found: ResolvedPos[] = []
  doc.nodesBetween(from, to, (node, position) => {
    if (node.isTextblock) found.push(doc.resolve(position + 1))
    return !node.isTextblock
  })
  return found
}

/** Takes all selected texts out of their lists. */
const leaveLists = (tr: Transaction): void => {
  for (;;) {
    const $text = selectedTexts(tr).find(($each) => listAround($each) !== null)
    if ($text === undefined || !liftItem(tr, $text.pos)) return
  }
}

/** The attributes of a list without those that only its former kind has. */
const attributesAs = (list: Node, kind: ListKind, models: readonly ElementModel[]) => {
  const namesOf = (name: string): ReadonlySet<string> =>
    new Set(models.find((model) => model.name === name)?.attributes)
  const [former, next] = [namesOf(list.type.name), namesOf(kind)]
  return Object.fromEntries(
    Object.entries(attributesOf(list.attrs)).filter(([name]) => !former.has(name) || next.has(name)),
  )
}

/** Adjacent texts that are in no list, as ranges of blocks. */
const rangesOf = (texts: readonly ResolvedPos[]): readonly NodeRange[] => {
  const ranges: NodeRange[] = []
  for (const $text of texts) {
    const last = ranges.at(-1)
    const isNext = last?.end === $text.before()
    if (isNext) ranges.pop()
    ranges.push(new NodeRange(isNext ? last.$from : $text, $text, $text.depth - 1))
  }
  return ranges
}

/** Makes an item of each block of the range, where a list can be. */
const wrapInList = (tr: Transaction, range: NodeRange, list: NodeType): void => {
  const { li, [bareBlock]: bare } = list.schema.nodes
  const { parent, start, end, startIndex, endIndex } = range
  if (li === undefined || bare === undefined || !parent.canReplaceWith(startIndex, endIndex, list)) return
  tr.setBlockType(start, end, bare)
  tr.wrap(range, [{ type: list }, { type: li }])
  // All are in one item now: another begins after each but the last.
  let after = start + 2
  for (const { nodeSize } of parent.children.slice(startIndex, endIndex - 1)) {
    after += nodeSize
    tr.split(after)
    after += 2
  }
}

/**
 * A button of lists. If all selected texts are in lists of the kind, they leave them and are paragraphs. Else the lists
 * around them get the kind and keep their items, and texts outside of lists become items.
 */
export const toggleList = (kind: ListKind, models: readonly ElementModel[]): Command =>
  autoJoin((state, dispatch) => {
    const { tr } = state
    const type = tr.doc.type.schema.nodes[kind]
    const texts = selectedTexts(tr)
    if (type === undefined || texts.length === 0) return false
    const places = texts.map(($text) => ({ $text, around: listAround($text) }))
    if (places.every(({ around }) => around?.list.type === type)) leaveLists(tr)
    else {
      for (const { around } of places)
        if (around !== null && around.list.type !== type)
          tr.setNodeMarkup(around.position, type, { attributes: attributesAs(around.list, kind, models) })
      const outside = places.flatMap(({ $text, around }) => (around === null ? [$text] : []))
      for (const range of rangesOf(outside).toReversed()) wrapInList(tr, range, type)
    }
    dispatch?.(tr.scrollIntoView())
    return true
  }, isContinued)
