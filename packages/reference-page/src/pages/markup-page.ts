/**
 * The rules of markup. The page is generated from the schema, and the markup checker validates each example when the
 * page is rendered.
 */
import {
  bodySchema,
  checkMarkup,
  E,
  entityNames,
  linkSchemes,
  dangerousElements,
  globalAttributes,
  type AttributeRule,
  type AttributeValue,
  type ContentModel,
  type ElementRule,
  type MarkupFault,
  type MarkupFaultKind,
} from '@publishing-service/domain'
import { html, nothing, codeBlock, type Html } from '../html.js'
import {
  elementExamples,
  faultExamples,
  faultTitles,
  linkExamples,
  completeExample,
} from '../markup-examples.js'
import type { PageContent } from '../page-layout.js'

/** Returns the example if it is valid. */
const validExample = (text: string): string => {
  const checked = checkMarkup(text, { slots: true })
  if (E.isLeft(checked)) throw new Error(`an example of the markup is invalid: ${checked.left.message}`)
  return text
}

const faultOf = (text: string, kind: MarkupFaultKind): MarkupFault => {
  const checked = checkMarkup(text, { slots: true })
  if (E.isRight(checked) || checked.left.kind !== kind)
    throw new Error(`an example of the fault «${kind}» has another fault, or none: ${text}`)
  return checked.left
}

const names = (elements: readonly string[]): Html =>
  html`${elements.map((name, index) => html`${index === 0 ? nothing : html``}<a href="#${name}"><code>${name}</code></a>`)}`

const inCategory = (category: ElementRule['category']): readonly string[] =>
  bodySchema.elements.filter((each) => each.category === category).map(({ name }) => name)

const categories = [
  { words: html`<a href="#inline">inline elements</a>`, names: inCategory('inline') },
  { words: html`<a href="#blocks">blocks</a>`, names: inCategory('block') },
]

const joined = (parts: readonly Html[]): Html =>
  html`${parts.map((part, index) => html`${index === 0 ? nothing : index === parts.length - 1 ? html` and ` : html`, `}${part}`)}`

/** A list of elements, with the names of complete categories instead of their elements. */
const elementWords = (elements: readonly string[]): readonly Html[] => {
  const whole = categories.filter((category) => category.names.every((name) => elements.includes(name)))
  const rest = elements.filter((name) => !whole.some((category) => category.names.includes(name)))
  return [...whole.map(({ words }) => words), ...(rest.length === 0 ? [] : [names(rest)])]
}

const contentWords = (content: ContentModel): Html => {
  if (content.kind === 'empty') return html`nothing`
  if (content.kind === 'elements') return joined(elementWords(content.elements))
  const alone = content.alone.length === 0 ? nothing : html`, or one ${names(content.alone)} and nothing else`
  return html`${joined([html`text`, ...elementWords(content.elements)])}${alone}`
}

const parentsOf = (name: string): readonly string[] =>
  bodySchema.elements
    .filter(
      ({ content }) =>
        content.kind !== 'empty' &&
        (content.elements.includes(name) || (content.kind === 'mixed' && content.alone.includes(name))),
    )
    .map((element) => element.name)

const parentsText = ({ name, category, notWithin }: ElementRule): Html => {
  const places =
    category === 'inline'
      ? html`any element that accepts inline elements`
      : category === 'block'
        ? html`any element that accepts
          blocks${name === 'slot' ? html`, or alone in ${names(['p'])}` : nothing}`
        : names(parentsOf(name))
  const within = notWithin.length === 0 ? nothing : html`, but not within ${names(notWithin)}`
  return html`${places}${within}`
}

const valueWords = (value: AttributeValue): Html => {
  switch (value.kind) {
    case 'text':
    case 'ignored':
    case 'slot id':
      return nothing
    case 'link':
      return html` (<a href="#addresses">address</a>)`
    case 'image candidates':
      return html` (<a href="#addresses">addresses</a>, each with a width or a density)`
    case 'word':
      return html` (${joined(value.words.map((word) => html`<code>"${word}"</code>`))})`
    case 'integer':
      return html` (${value.minimum} to
      ${value.maximum}${value.percentage ? html`, or a percentage` : nothing})`
  }
}

const attributeLine = ({ name, required, value, description }: AttributeRule): Html =>
  html`<li>
    <code>${name}</code>${required ? html`, required` : nothing}: ${description}${valueWords(value)}
  </li>`

const elementSection = (element: ElementRule): Html => {
  const { name, content, description } = element
  const own = element.attributes.filter((attribute) => !globalAttributes.includes(attribute))
  return html`<section class="element" id="${name}">
    <h3>
      <a class="anchor" href="#${name}"><code>&lt;${name}&gt;</code></a>
      <span class="type">${description}</span>
    </h3>
    <p>In ${parentsText(element)}. Contains ${contentWords(content)}.</p>
    ${
      own.length === 0
        ? nothing
        : html`<ul>
            ${own.map(attributeLine)}
          </ul>`
    }
    ${(elementExamples[name] ?? []).map((text) => codeBlock(validExample(text)))}
  </section> `
}

/** The elements that may contain every element of a category. */
const elementsContaining = (category: ElementRule['category']): Html =>
  names(
    bodySchema.elements
      .filter(({ content }) =>
        inCategory(category).every((name) => content.kind === 'mixed' && content.elements.includes(name)),
      )
      .map(({ name }) => name),
  )

/** Shows control characters as a symbol. */
const printable = (text: string): string => text.replaceAll(/(?!\n)\p{Cc}/gu, '␣')

const faultEntry = (text: string, kind: MarkupFaultKind): Html =>
  html`<div class="fault">
    ${codeBlock(printable(text))}
    <p class="message">${faultOf(text, kind).message}</p>
  </div>`

const faultSection = ([kind, examples]: readonly [MarkupFaultKind, readonly string[]]): Html =>
  html`<section id="fault-${kind.replaceAll(' ', '-')}">
    <h3>${faultTitles[kind]}</h3>
    ${examples.map((text) => faultEntry(text, kind))}
  </section> `

const linkBody = (address: string): string => `<p><a href="${address}">x</a></p>`

const linkRow = (address: string): Html => {
  const checked = checkMarkup(linkBody(address), { slots: true })
  const shown = address === '' ? html`<em>empty</em>` : html`<code>${address}</code>`
  return E.isRight(checked)
    ? html`<tr>
        <td>${shown}</td>
        <td class="right">accepted</td>
      </tr>`
    : html`<tr>
        <td>${shown}</td>
        <td>${checked.left.allowed.join(', ')}</td>
      </tr>`
}

export const markupPage = (): PageContent => ({
  page: 'markup',
  lead: html`<p>
      The <code>content</code> of a content object is HTML in XML syntax: a fragment without an enclosing
      element, stored and returned unchanged. The <code>content</code> of media, locations and tags follows
      the same rules, without <code>slot</code>. The <code>content</code> of locations and tags may also be
      plain text: a text without <code>&lt;</code> is stored unchanged.
    </p>
    <p>
      The message about the first fault of a text states line, column, what was found and what is allowed
      there.
    </p>`,
  headings: [
    { id: 'whole', title: 'A complete body' },
    { id: 'rules', title: 'Rules' },
    { id: 'elements', title: 'Elements' },
    { id: 'attributes', title: 'Attributes' },
    { id: 'safety', title: 'Safety for pages' },
    { id: 'addresses', title: 'Addresses' },
    { id: 'faults', title: 'Faults' },
  ],
  body: html`<section id="whole">
      <h2>A complete body</h2>
      ${codeBlock(validExample(completeExample))}
    </section>
    <section id="rules">
      <h2>Rules</h2>
      <ul>
        <li>At the top: ${contentWords(bodySchema.top)}.</li>
        <li id="blocks">
          Blocks are ${names(inCategory('block'))}. They are accepted at the top and in
          ${elementsContaining('block')}.
        </li>
        <li id="inline">
          Inline elements are ${names(inCategory('inline'))}. They are accepted at the top and in
          ${elementsContaining('inline')}.
        </li>
        <li>The order and number of the parts of a table, a figure or details is not checked.</li>
        <li>Elements and attributes that are not listed here are rejected.</li>
        <li>
          Every element must be closed: <code>&lt;hr/&gt;</code>, not <code>&lt;hr&gt;</code>. Names are in
          lower case, values in quotes.
        </li>
        <li>At most ${bodySchema.maximumDepth} elements are open at once.</li>
        <li>
          The named entities are ${entityNames.map((name) => html`<code>&amp;${name};</code> `)}; write every
          other character directly, or by its number: <code>&amp;#160;</code>. Other names of HTML, such as
          <code>&amp;nbsp;</code>, are accepted unless handling is strict, and stored as the characters.
        </li>
        <li>
          Comments are stored, except those that an HTML parser would end elsewhere. Processing instructions,
          CDATA sections and document types are rejected.
        </li>
        <li>
          A body contains each slot once. The service ignores attributes of <code>slot</code> other than
          <code>id</code>.
        </li>
      </ul>
    </section>
    <section id="elements">
      <h2>Elements</h2>
      ${bodySchema.elements.map(elementSection)}
    </section>
    <section id="attributes">
      <h2>Attributes</h2>
      <p>Every element accepts these, in addition to its own:</p>
      <ul>
        ${globalAttributes.map(attributeLine)}
      </ul>
    </section>
    <section id="safety">
      <h2>Safety for pages</h2>
      <p>
        Stored markup runs no script when a browser shows it as HTML or XHTML. These are never accepted:
        ${joined(Object.keys(dangerousElements).map((name) => html`<code>${name}</code>`))}, event handlers
        such as <code>onclick</code>, <code>style</code>, and addresses such as <code>javascript:</code> and
        <code>data:</code>.
      </p>
      <ul>
        <li>
          An <code>id</code> becomes a property of <code>window</code> and <code>document</code>. Scripts of
          the page that read a global variable of the same name get the element: declare variables, or prefix
          ids when you insert the text.
        </li>
        <li>
          Libraries that run code from <code>data-*</code> attributes or from braces in text, as some
          front-end frameworks do, must not process the inserted text.
        </li>
        <li>
          An HTML parser reads <code>&lt;p/&gt;</code> and <code>&lt;slot id="…"/&gt;</code> as start tags
          without an end. Write <code>&lt;p&gt;&lt;/p&gt;</code>, and replace slots before you insert the
          text.
        </li>
        <li>Images load from the address in the text.</li>
        <li>
          Plain text (no <code>&lt;</code>) may contain <code>&amp;</code>: escape it before you insert it
          into XHTML.
        </li>
      </ul>
    </section>
    <section id="addresses">
      <h2>Addresses</h2>
      <p>
        <code>href</code>, <code>src</code>, <code>cite</code> and each address of <code>srcset</code> start
        with ${linkSchemes.map((scheme) => html`<code>${scheme}:</code> `)}or are a path, a query or a
        fragment. The message about any other address states what is accepted:
      </p>
      <table>
        <thead>
          <tr>
            <th>Address</th>
            <th>What is accepted</th>
          </tr>
        </thead>
        <tbody>
          ${linkExamples.map(linkRow)}
        </tbody>
      </table>
    </section>
    <section id="faults">
      <h2>Faults</h2>
      ${(Object.entries(faultExamples) as readonly (readonly [MarkupFaultKind, readonly string[]])[]).map(faultSection)}
    </section>`,
})
