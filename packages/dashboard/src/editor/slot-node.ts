import { Node } from '@tiptap/core'
import { attributesOf } from './node-attributes.js'

/** The id of the slot that a node shows. */
export const slotIdOf = (attrs: Readonly<Record<string, unknown>>): string => attributesOf(attrs)['id'] ?? ''

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
  renderHTML: ({ node }) => ['div', { 'data-slot': slotIdOf(node.attrs) }],
})
