/**
 * The rules of markup as Markdown, from the schema, with an example of each element and fault. The markup checker
 * checks each example when the page is built.
 */
import { E } from '@publishing-service/domain/fp'
import {
  bodySchema,
  checkMarkup,
  dangerousElements,
  entityNames,
  globalAttributes,
  linkSchemes,
  type AttributeRule,
  type AttributeValue,
  type ContentModel,
  type ElementRule,
  type MarkupFault,
  type MarkupFaultKind,
} from '@publishing-service/domain/markup'
import { escaped, table } from './markdown.js'
import {
  completeExample,
  elementExamples,
  faultExamples,
  faultTitles,
  linkExamples,
} from './markup-examples.js'

const faultsOf = (text: string): readonly MarkupFault[] => {
  const checked = checkMarkup(text, { slots: true })
  return E.isRight(checked) ? [] : checked.left
}

const block = (text: string): string => `\`\`\`html\n${text}\n\`\`\``

/** The example if it is valid. */
const validBlock = (text: string): string => {
  const [fault] = faultsOf(text)
  if (fault !== undefined) throw new Error(`an example of the markup is invalid: ${fault.message}`)
  return block(text)
}

/** The example with the message about its fault. Control characters are shown as a symbol. */
const faultyBlock = (text: string, kind: MarkupFaultKind): string => {
  const [fault] = faultsOf(text)
  if (fault?.kind !== kind)
    throw new Error(`an example of the fault «${kind}» has another fault, or none: ${text}`)
  return `${block(text.replaceAll(/(?!\n)\p{Cc}/gu, '␣'))}\n\n> ${escaped(fault.message)}`
}

const codes = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

const links = (names: readonly string[]): string => names.map((name) => `[\`${name}\`](#${name})`).join(' ')

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

const inCategory = (category: ElementRule['category']): readonly string[] =>
  bodySchema.elements.filter((each) => each.category === category).map(({ name }) => name)

const categories = [
  { words: '[inline elements](#inline)', names: inCategory('inline') },
  { words: '[blocks](#blocks)', names: inCategory('block') },
]

/** A list of elements, with the names of complete categories instead of their elements. */
const elementWords = (elements: readonly string[]): readonly string[] => {
  const whole = categories.filter(({ names }) => names.every((name) => elements.includes(name)))
  const rest = elements.filter((name) => !whole.some(({ names }) => names.includes(name)))
  return [...whole.map(({ words }) => words), ...(rest.length === 0 ? [] : [links(rest)])]
}

const contentWords = (content: ContentModel): string => {
  if (content.kind === 'empty') return 'nothing'
  if (content.kind === 'elements') return joined(elementWords(content.elements))
  const alone = content.alone.length === 0 ? '' : `, or one ${links(content.alone)} and nothing else`
  return `${joined(['text', ...elementWords(content.elements)])}${alone}`
}

const elementsWith = (test: (content: ContentModel) => boolean): string =>
  links(bodySchema.elements.filter(({ content }) => test(content)).map(({ name }) => name))

const accepts =
  (name: string) =>
  ({ elements, alone }: ContentModel): boolean =>
    elements.includes(name) || alone.includes(name)

/** The elements that may contain every element of a category. */
const elementsContaining = (category: ElementRule['category']): string =>
  elementsWith(
    (content) =>
      content.kind === 'mixed' && inCategory(category).every((name) => content.elements.includes(name)),
  )

const parentWords = ({ name, category, notWithin }: ElementRule): string => {
  const places = {
    inline: 'any element that accepts inline elements',
    block: `any element that accepts blocks${name === 'slot' ? `, or alone in ${links(['p'])}` : ''}`,
    part: elementsWith(accepts(name)),
  }
  return `${places[category]}${notWithin.length === 0 ? '' : `, but not within ${links(notWithin)}`}`
}

const valueWords = (value: AttributeValue): string => {
  switch (value.kind) {
    case 'text':
    case 'ignored':
    case 'slot id':
      return ''
    case 'link':
      return ' ([address](#addresses))'
    case 'image candidates':
      return ' ([addresses](#addresses), each with a width or a density)'
    case 'word':
      return ` (${joined(value.words.map((word) => `\`"${word}"\``))})`
    case 'integer':
      return ` (${value.minimum} to ${value.maximum}${value.percentage ? ', or a percentage' : ''})`
  }
}

const attributeLine = ({ name, required, value, description }: AttributeRule): string =>
  `- \`${name}\`${required ? ', required' : ''}: ${description}${valueWords(value)}`

const elementPart = (element: ElementRule): string => {
  const { name, content, description } = element
  const own = element.attributes.filter((attribute) => !globalAttributes.includes(attribute))
  return [
    `### \`<${name}>\` {#${name}}`,
    `${description.charAt(0).toUpperCase()}${description.slice(1)}. In ${parentWords(element)}. Contains ${contentWords(content)}.`,
    ...(own.length === 0 ? [] : [own.map(attributeLine).join('\n')]),
    ...(elementExamples[name] ?? []).map(validBlock),
  ].join('\n\n')
}

const linkRow = (address: string): readonly string[] => {
  const [fault] = faultsOf(`<p><a href="${address}">x</a></p>`)
  const outcome = fault === undefined ? '**accepted**' : escaped(fault.allowed.join(', '))
  return [address === '' ? '*empty*' : `\`${address}\``, outcome]
}

const faultKinds = Object.keys(faultExamples) as MarkupFaultKind[]

const faultPart = (kind: MarkupFaultKind): string =>
  [
    `### ${faultTitles[kind]} {#fault-${kind.replaceAll(' ', '-')}}`,
    ...faultExamples[kind].map((text) => faultyBlock(text, kind)),
  ].join('\n\n')

export const markupParts = (): Readonly<Record<string, string>> => ({
  example: validBlock(completeExample),
  top: contentWords(bodySchema.top),
  blocks: links(inCategory('block')),
  'parents of blocks': elementsContaining('block'),
  inline: links(inCategory('inline')),
  'parents of inline': elementsContaining('inline'),
  depth: String(bodySchema.maximumDepth),
  entities: codes(entityNames.map((name) => `&${name};`)),
  elements: bodySchema.elements.map(elementPart).join('\n\n'),
  attributes: globalAttributes.map(attributeLine).join('\n'),
  dangerous: codes(Object.keys(dangerousElements)),
  schemes: codes(linkSchemes.map((scheme) => `${scheme}:`)),
  addresses: table(['Address', 'What is accepted'], linkExamples.map(linkRow)),
  faults: faultKinds.map(faultPart).join('\n\n'),
})
