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

type PreviewProps = {
  readonly markup: string
  /** Links can be followed. Default: true. */
  readonly hasLinks?: boolean
}

type Options = { readonly Slot: SlotEditing['Preview']; readonly hasLinks: boolean }

const elementOf = (name: string, children: readonly MarkupNode[], { hasLinks }: Options): string => {
  if (name === 'a' && !hasLinks) return 'span'
  return name === 'p' && isAroundSlot(children) ? 'div' : name
}

const shown = (nodes: readonly MarkupNode[], options: Options): readonly ReactNode[] =>
  nodes.map((node, index) => {
    if (typeof node === 'string') return node
    if (!isElement(node)) return null
    const { name, attributes, children } = node
    const known = models.get(name)
    if (known === undefined) return null
    const { Slot } = options
    if (name === 'slot') return <Slot key={attributes['id']} id={attributes['id']?.toLowerCase() ?? ''} />
    const element = elementOf(name, children, options)
    const properties = { key: index, ...previewAttributes({ ...node, name: element }) }
    return known.content === 'empty'
      ? createElement(element, properties)
      : createElement(element, properties, ...shown(children, options))
  })

/**
 * Markup as readers see it. Elements are created from the vocabulary of markup, with some of their attributes: whatever
 * else the text contains, such as a script, does not become part of the page.
 */
export const MarkupPreview = ({ markup, hasLinks = true }: PreviewProps) => {
  const { Preview: Slot } = use(CurrentSlotEditing)
  return (
    <div className={classes['preview']}>{shown(parseMarkup(markup) ?? [markup], { Slot, hasLinks })}</div>
  )
}
