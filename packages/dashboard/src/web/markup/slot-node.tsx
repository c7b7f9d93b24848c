import { NodeViewWrapper, ReactNodeViewRenderer, type NodeViewProps } from '@tiptap/react'
import { use } from 'react'
import { slotIdOf, slotNode } from '../../editor/slot-node.js'
import { CurrentSlotEditing } from './slot-editing.js'

const SlotView = ({ node, deleteNode, selected }: NodeViewProps) => {
  const { Block } = use(CurrentSlotEditing)
  const id = slotIdOf(node.attrs)
  return (
    <NodeViewWrapper contentEditable={false} data-selected={selected}>
      <Block id={id} remove={deleteNode} />
    </NodeViewWrapper>
  )
}

/** A media slot as the editor shows it. */
export const shownSlot = slotNode.extend({
  addNodeView: () =>
    ReactNodeViewRenderer(SlotView, {
      // The inputs of a slot get their events, the editor those of the handle.
      stopEvent: ({ event }) =>
        event.target instanceof Element && event.target.closest('[data-drag-handle]') === null,
    }),
})
