/** The schema of the editor, from the elements that markup may contain. */
import { Extension, Mark, Node, type AnyExtension } from '@tiptap/core'
import { Dropcursor, Gapcursor, UndoRedo } from '@tiptap/extensions'
import type { ElementModel } from '../markup/element-kinds.js'
import type { Attributes } from '../markup/element-tree.js'
import { bareBlock, blockComment, emptyInline, inlineComment } from '../markup/editor-document.js'
import { breakText } from './list-commands.js'
import { attributesOf, isAttributes } from './node-attributes.js'

const linkScheme = /^(?:https?:|mailto:|tel:|\/|#)/i

/** Attributes that the editor shows. The others are stored in the document, and cannot change how the dashboard looks. */
const shown = new Set([
  'href',
  'src',
  'alt',
  'colspan',
  'rowspan',
  'start',
  'type',
  'lang',
  'dir',
  'width',
  'height',
])

const shownOf = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(
      ([name, value]) => shown.has(name) && (!['href', 'src'].includes(name) || linkScheme.test(value)),
    ),
  )

/** In copied text, all attributes. */
const copied = 'data-markup'

/** What is read of an element of the page. */
type PageElement = {
  readonly getAttribute: (name: string) => string | null
  readonly hasAttribute: (name: string) => boolean
}

/** The attributes of a pasted element: of one from this editor all, of others only those that the element needs. */
const pastedAttributes = (
  element: PageElement,
  { attributes: accepted }: ElementModel,
): Attributes | null => {
  const own = element.getAttribute(copied)
  if (own !== null) {
    try {
      const all: unknown = JSON.parse(own)
      return isAttributes(all) ? all : {}
    } catch {
      return {}
    }
  }
  const needed = accepted.filter((name) => shown.has(name) && element.hasAttribute(name))
  const attributes = Object.fromEntries(needed.map((name) => [name, element.getAttribute(name) ?? '']))
  const address = attributes['href'] ?? attributes['src']
  return address === undefined || linkScheme.test(address) ? attributes : null
}

/** How a pasted element becomes a node or a mark, which has these attributes too. */
const parsed = (model: ElementModel, further: Attributes = {}) => ({
  tag: model.name,
  getAttrs: (element: PageElement) => {
    const attributes = pastedAttributes(element, model)
    return attributes === null ? (false as const) : { ...further, attributes }
  },
})

const rendered = (attributes: Attributes): Attributes =>
  Object.keys(attributes).length === 0 ? {} : { ...shownOf(attributes), [copied]: JSON.stringify(attributes) }

/** What an element contains, as a ProseMirror expression. */
const contentOf = ({ content, parts, containsBlocks }: ElementModel): string => {
  if (content === 'empty') return ''
  if (content === 'inline') return 'inline*'
  return `(${[...(containsBlocks ? ['block'] : []), ...parts, blockComment].join(' | ')})*`
}

const attribute = (initial: unknown) => ({ default: initial, rendered: false, keepOnSplit: false })

const blockOf = (model: ElementModel): AnyExtension =>
  Node.create({
    name: model.name,
    // The first textblock of the group is what Enter creates.
    priority: model.name === 'p' ? 1000 : 100,
    ...(model.category === 'block' ? { group: 'block' } : {}),
    content: contentOf(model),
    defining: model.content === 'inline' && model.name !== 'p',
    isolating: ['td', 'th', 'caption', 'figcaption', 'summary'].includes(model.name),
    ...(model.name === 'pre' ? { whitespace: 'pre' as const, code: true } : {}),
    addAttributes: () => ({
      attributes: attribute({}),
      ...(model.name === 'p' ? { isParsed: attribute(false) } : {}),
    }),
    parseHTML: () => [
      { ...parsed(model), ...(model.name === 'pre' ? { preserveWhitespace: 'full' as const } : {}) },
    ],
    renderHTML: ({ node }) => {
      const attributes = rendered(attributesOf(node.attrs))
      return model.content === 'empty' ? [model.name, attributes] : [model.name, attributes, 0]
    },
  })

const markOf = (model: ElementModel): AnyExtension =>
  Mark.create({
    name: model.name,
    // An element may be within one of the same name.
    excludes: '',
    inclusive: model.name !== 'a',
    addAttributes: () => ({ attributes: attribute({}), key: attribute(null) }),
    parseHTML: () => [parsed(model)],
    renderHTML: ({ mark }) => [model.name, rendered(attributesOf(mark.attrs)), 0],
  })

/** Text that is in no paragraph. */
const bare = Node.create({
  name: bareBlock,
  group: 'block',
  content: 'inline*',
  addAttributes: () => ({ parsedIn: attribute(null) }),
  // Before the rule of `div`.
  parseHTML: () => [{ tag: `div[${copied}-bare]`, priority: 60 }],
  renderHTML: () => ['div', { [`${copied}-bare`]: '' }, 0],
})

/** Line breaks, images, and inline elements without text. */
const inlineElement = (models: readonly ElementModel[]) =>
  Node.create({
    name: emptyInline,
    group: 'inline',
    inline: true,
    atom: true,
    addAttributes: () => ({ name: attribute('br'), attributes: attribute({}), text: attribute('') }),
    parseHTML: () =>
      models
        .filter(({ category, content }) => category === 'inline' && content === 'empty')
        .map((model) => parsed(model, { name: model.name })),
    renderHTML: ({ node }) => [String(node.attrs['name']), rendered(attributesOf(node.attrs))],
    addKeyboardShortcuts() {
      const breakLine = () => this.editor.commands.insertContent({ type: emptyInline, attrs: { name: 'br' } })
      return { 'Shift-Enter': breakLine, 'Mod-Enter': breakLine }
    },
  })

const commentOf = (name: string, isInline: boolean): AnyExtension =>
  Node.create({
    name,
    ...(isInline ? { group: 'inline', inline: true } : { group: 'block' }),
    atom: true,
    addAttributes: () => ({ comment: attribute('') }),
    renderHTML: ({ node }) => [
      'span',
      { class: 'markup-comment' },
      `<!--${String(node.attrs['comment'])}-->`,
    ],
  })

const keys = Extension.create({
  name: 'keys',
  addKeyboardShortcuts() {
    const { editor } = this
    return {
      Enter: () => breakText(editor.state, editor.view.dispatch),
      Tab: () => editor.commands.sinkListItem('li'),
      'Shift-Tab': () => editor.commands.liftListItem('li'),
      'Mod-b': () => editor.commands.toggleMark('strong'),
      'Mod-i': () => editor.commands.toggleMark('em'),
      'Mod-u': () => editor.commands.toggleMark('u'),
    }
  },
})

/** `slot` is the node of media slots, if the markup may contain them. */
export const editorExtensions = (models: readonly ElementModel[], slot: AnyExtension | null) => {
  const blocks = models.filter(({ name, category }) => category !== 'inline' && name !== 'slot')
  const marks = models.filter(({ category, content }) => category === 'inline' && content === 'inline')
  return [
    Node.create({ name: 'doc', topNode: true, content: 'block*' }),
    Node.create({ name: 'text', group: 'inline' }),
    ...blocks.map(blockOf),
    bare,
    ...marks.map(markOf),
    inlineElement(models),
    commentOf(inlineComment, true),
    commentOf(blockComment, false),
    ...(slot === null ? [] : [slot]),
    keys,
    UndoRedo,
    Dropcursor,
    Gapcursor,
  ]
}
