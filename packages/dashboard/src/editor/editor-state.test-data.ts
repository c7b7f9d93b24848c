/** The state of the editor for tests of its commands, from markup and back. */
import { getSchema } from '@tiptap/core'
import { Node, Slice } from '@tiptap/pm/model'
import { EditorState, TextSelection, type Command } from '@tiptap/pm/state'
import { SaxesParser } from 'saxes'
import { describeModel } from '../describe-model.js'
import { documentFrom, markupNodesOf, type EditorNode } from '../markup/editor-document.js'
import { editorExtensions } from './editor-extensions.js'
import { elementKinds } from '../markup/element-kinds.js'
import { markupOf, type MarkupElement, type MarkupNode } from '../markup/element-tree.js'
import { slotNode } from './slot-node.js'

/** A parser in place of the browser's. */
export const parse = (text: string): readonly MarkupNode[] => {
  type Open = Omit<MarkupElement, 'children'> & { readonly children: MarkupNode[] }
  const parser = new SaxesParser()
  const open: Open[] = []
  const add = (node: MarkupNode): void => void open.at(-1)?.children.push(node)
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, children: [] }
    add(element)
    open.push(element)
  })
  let root: Open | undefined
  parser.on('closetag', () => {
    root = open.pop()
  })
  parser.on('text', add)
  parser.on('comment', (comment) => add({ comment }))
  parser.on('error', (error) => {
    throw error
  })
  parser.write(`<root>${text}</root>`).close()
  return root?.children ?? []
}

const { elements } = describeModel()
const kinds = elementKinds(elements)
const schema = getSchema(editorExtensions(elements, slotNode))

/** The document of markup. `|` is a text in it. */
const documentOf = (nodes: readonly MarkupNode[]): Node => Node.fromJSON(schema, documentFrom(nodes, kinds))

/** The position of the first caret at or after this one; null if there is none. */
const caretAfter = (doc: Node, from: number): number | null => {
  let found: number | null = null
  doc.nodesBetween(from, doc.content.size, ({ text }, position) => {
    const index = text?.indexOf('|', Math.max(0, from - position)) ?? -1
    if (found === null && index !== -1) found = position + index
  })
  return found
}

/** A state with the caret at `|`, or with the text between two of them selected. */
export const stateOf = (markup: string): EditorState => {
  const state = EditorState.create({ schema, doc: documentOf(parse(markup)) })
  const { tr } = state
  const carets: number[] = []
  for (let at = caretAfter(tr.doc, 0); at !== null; at = caretAfter(tr.doc, at)) {
    tr.delete(at, at + 1)
    carets.push(at)
  }
  const [anchor = 0, head = anchor] = carets
  return state.apply(tr.setSelection(TextSelection.create(tr.doc, anchor, head)))
}

/** The markup of a state, with `|` at the sides of the selection. */
export const markupIn = ({ tr, selection: { from, to, empty } }: EditorState): string => {
  if (!empty) tr.insertText('|', to)
  return markupOf(markupNodesOf(tr.insertText('|', from).doc.toJSON() as EditorNode))
}

/** What a command makes of markup; null if it does not apply. */
export const afterCommand = (markup: string, command: Command): string | null => {
  let state = stateOf(markup)
  return command(state, (tr) => {
    state = state.apply(tr)
  })
    ? markupIn(state)
    : null
}

/** What the editor reads of pasted markup: its ends are as open as they can be. */
export const sliceOf = (nodes: readonly MarkupNode[]): Slice => Slice.maxOpen(documentOf(nodes).content)
