import { Node } from '@tiptap/core'
import { NodeViewWrapper, ReactNodeViewRenderer, type NodeViewProps } from '@tiptap/react'
import { use } from 'react'
import { attributesOf } from './attributes.js'
import { CurrentSlotEditing } from './slot-editing.js'

const idOf = (attrs: Readonly<Record<string, unknown>>): string => attributesOf(attrs)['id'] ?? ''

const SlotView = ({ node, deleteNode, selected }: NodeViewProps) => {
  const { Block } = use(CurrentSlotEditing)
  const id = idOf(node.attrs)
  return (
    <NodeViewWrapper contentEditable={false} data-selected={selected}>
      <Block id={id} remove={deleteNode} />
    </NodeViewWrapper>
  )
}

/** A media slot in the body. Its media are not part of the markup. */
export const slotNode = Node.create({
  name: 'slot',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    attributes: { default: {}, rendered: false },
    /** The attributes of the paragraph around it, if there is one. */
    paragraph: { default: null, rendered: false },
  }),
  parseHTML: () => [
    {
      tag: 'div[data-slot]',
      // Before the rule of `div`.
      priority: 60,
      getAttrs: (element) => ({ attributes: { id: element.getAttribute('data-slot') } }),
    },
  ],
  renderHTML: ({ node }) => ['div', { 'data-slot': idOf(node.attrs) }],
  addNodeView: () =>
    ReactNodeViewRenderer(SlotView, {
      // The inputs of a slot get their events, the editor those of the handle.
      stopEvent: ({ event }) =>
        event.target instanceof Element && event.target.closest('[data-drag-handle]') === null,
    }),
})
