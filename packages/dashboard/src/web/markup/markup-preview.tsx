import { createElement, use, type ReactNode } from 'react'
import { model } from 'virtual:model'
import { isElement, type MarkupNode } from '../../markup/element-tree.js'
import { previewAttributes } from '../../markup/preview-attributes.js'
import classes from './markup-editor.module.css'
import { parseMarkup } from './parse-markup.js'
import { CurrentSlotEditing, type SlotEditing } from './slot-editing.js'

const models = new Map(model.elements.map((each) => [each.name, each]))

/** A paragraph may have one slot as its only element. */
const isAroundSlot = (children: readonly MarkupNode[]): boolean =>
  children.some((node) => isElement(node) && node.name === 'slot')

const shown = (nodes: readonly MarkupNode[], Slot: SlotEditing['Preview']): readonly ReactNode[] =>
  nodes.map((node, index) => {
    if (typeof node === 'string') return node
    if (!isElement(node)) return null
    const { name, attributes, children } = node
    const known = models.get(name)
    if (known === undefined) return null
    if (name === 'slot') return <Slot key={attributes['id']} id={attributes['id']?.toLowerCase() ?? ''} />
    const properties = { key: index, ...previewAttributes(node) }
    if (known.content === 'empty') return createElement(name, properties)
    const isDivision = name === 'p' && isAroundSlot(children)
    return createElement(isDivision ? 'div' : name, properties, ...shown(children, Slot))
  })

/**
 * Markup as readers see it. Elements are created from the vocabulary of markup, with some of their attributes: whatever
 * else the text contains, such as a script, does not become part of the page.
 */
export const MarkupPreview = ({ markup }: { readonly markup: string }) => {
  const { Preview } = use(CurrentSlotEditing)
  return <div className={classes['preview']}>{shown(parseMarkup(markup) ?? [markup], Preview)}</div>
}
