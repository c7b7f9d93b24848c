import { Box } from '@mantine/core'
import { createElement, use, type ReactNode } from 'react'
import { model } from 'virtual:model'
import { isElement, isVoid, type MarkupElement, type MarkupNode } from '../../markup/element-tree.js'
import { CurrentSlotEditing } from './slot-editing.js'
import classes from './markup-editor.module.css'

const attributesOf = new Map(model.elements.map(({ name, attributes }) => [name, new Set(attributes)]))

/** The attributes that are shown, by their names in React. Addresses of images and scripts are not among them. */
const shown: Readonly<Record<string, string>> = {
  href: 'href',
  title: 'title',
  lang: 'lang',
  dir: 'dir',
  class: 'className',
  cite: 'cite',
  datetime: 'dateTime',
  colspan: 'colSpan',
  rowspan: 'rowSpan',
  start: 'start',
  open: 'open',
}

const harmless = /^(?:https?:|mailto:|tel:|[/#?]|[^:]*$)/i

const propsOf = ({ name, attributes }: MarkupElement): Readonly<Record<string, string>> => {
  const accepted = attributesOf.get(name)
  const entries = Object.entries(attributes).flatMap(([key, value]) => {
    const property = accepted?.has(key) === true ? shown[key] : undefined
    return property === undefined || (key === 'href' && !harmless.test(value)) ? [] : [[property, value]]
  })
  return {
    ...Object.fromEntries(entries),
    ...(name === 'a' ? { target: '_blank', rel: 'noopener noreferrer' } : {}),
  }
}

/** Elements between whose children white space has no meaning. */
const structural = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'ul', 'ol', 'dl'])

const render = (nodes: readonly MarkupNode[], slotOf: (id: string) => ReactNode): readonly ReactNode[] =>
  nodes.map((node, index) => {
    if (typeof node === 'string') return node
    if (!isElement(node)) return null
    if (node.name === 'slot') return createElement('div', { key: index }, slotOf(node.attributes['id'] ?? ''))
    // Only declared elements are made: a script is not one of them.
    if (!attributesOf.has(node.name)) return null
    if (node.name === 'img') return createElement('em', { key: index }, node.attributes['alt'] ?? '')
    const children = structural.has(node.name) ? node.children.filter(isElement) : node.children
    return createElement(
      node.name,
      { key: index, ...propsOf(node) },
      ...(isVoid(node.name) ? [] : render(children, slotOf)),
    )
  })

/** Markup as a reader sees it, made element by element: nothing in it is executed or loaded. */
export const MarkupView = ({ nodes }: { readonly nodes: readonly MarkupNode[] }) => {
  const { Preview } = use(CurrentSlotEditing)
  return (
    <Box p="sm" className={`${classes['frame'] ?? ''} ${classes['content'] ?? ''}`}>
      {render(nodes, (id) => (
        <Preview id={id} />
      ))}
    </Box>
  )
}
