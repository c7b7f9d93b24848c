import { Node } from '@tiptap/core'
import { NodeViewWrapper, ReactNodeViewRenderer, type NodeViewProps } from '@tiptap/react'
import { createContext, use, type ComponentType } from 'react'

/** What a slot shows in the editor. */
export type SlotBlock = ComponentType<{ readonly id: string; readonly remove: () => void }>

const NoBlock: SlotBlock = ({ id }) => <div>{id}</div>

/** The component that shows slots in the editors below. */
export const SlotBlocks = createContext<SlotBlock>(NoBlock)

const idOf = (attrs: Readonly<Record<string, unknown>>): string =>
  (attrs['attributes'] as Readonly<Record<string, string>>)['id'] ?? ''

const SlotView = ({ node, deleteNode, selected }: NodeViewProps) => {
  const Block = use(SlotBlocks)
  const id = idOf(node.attrs)
  return (
    <NodeViewWrapper data-drag-handle data-selected={selected} className="slot-block">
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
      getAttrs: (element) => ({ attributes: { id: element.getAttribute('data-slot') } }),
    },
  ],
  renderHTML: ({ node }) => ['div', { 'data-slot': idOf(node.attrs) }],
  addNodeView: () => ReactNodeViewRenderer(SlotView),
})
