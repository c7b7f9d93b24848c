/**
 * What may stand in a body. The tables are the schema’s own; each example goes through the checker as the page is
 * made, so that none says what isn’t so.
 */
import {
  bodySchema,
  checkMarkup,
  E,
  entityNames,
  linkSchemes,
  type ContentModel,
  type ElementRule,
  type MarkupFault,
  type MarkupFaultKind,
} from '@publishing-service/domain'
import { html, nothing, type Html } from '../html.js'
import {
  elementExamples,
  faultExamples,
  faultTitles,
  linkExamples,
  wholeExample,
} from '../markup-examples.js'
import type { PageContent } from '../page-layout.js'
import { codeBlock } from '../sample.js'

/** The example itself, where it is legal. */
const legal = (text: string): string => {
  const checked = checkMarkup(text, { slots: true })
  if (E.isLeft(checked)) throw new Error(`an example of the markup is not legal: ${checked.left.message}`)
  return text
}

const faultOf = (text: string, kind: MarkupFaultKind): MarkupFault => {
  const checked = checkMarkup(text, { slots: true })
  if (E.isRight(checked) || checked.left.kind !== kind)
    throw new Error(`an example of the fault «${kind}» has another, or none: ${text}`)
  return checked.left
}

const names = (elements: readonly string[]): Html =>
  html`${elements.map((name, index) => html`${index === 0 ? nothing : html``}<a href="#${name}"><code>${name}</code></a>`)}`

const contentWords = (content: ContentModel): Html => {
  if (content.kind === 'empty') return html`nothing`
  return content.kind === 'mixed'
    ? html`text and ${names(content.elements)}`
    : html`${names(content.elements)}`
}

const parentsOf = (name: string): readonly string[] =>
  bodySchema.elements
    .filter(({ content }) => content.kind !== 'empty' && content.elements.includes(name))
    .map((element) => element.name)

const atTop = (name: string): boolean =>
  bodySchema.top.kind !== 'empty' && bodySchema.top.elements.includes(name)

const placesWords = ({ name, notWithin }: ElementRule): Html => {
  const parents = parentsOf(name)
  const places = [
    ...(atTop(name) ? [html`at the top`] : []),
    ...(parents.length > 0 ? [html`in ${names(parents)}`] : []),
  ]
  const within = notWithin.length === 0 ? nothing : html`, but not within ${names(notWithin)}`
  return html`${places.map((place, index) => html`${index === 0 ? nothing : html` and `}${place}`)}${within}`
}

const attributeLine = ({ name, required, value, description }: ElementRule['attributes'][number]): Html =>
  html`<li>
    <code>${name}</code>${required ? html`, required` : nothing}:
    ${description}${value === 'link' ? html` (<a href="#addresses">addresses</a>)` : nothing}
  </li>`

const elementSection = (element: ElementRule): Html => {
  const { name, content, attributes, description } = element
  return html`<section class="element" id="${name}">
    <h3>
      <a class="anchor" href="#${name}"><code>&lt;${name}&gt;</code></a>
      <span class="type">${description}</span>
    </h3>
    <p>Stands ${placesWords(element)}. Holds ${contentWords(content)}.</p>
    ${
      attributes.length === 0
        ? nothing
        : html`<ul>
            ${attributes.map(attributeLine)}
          </ul>`
    }
    ${(elementExamples[name] ?? []).map((text) => codeBlock(legal(text)))}
  </section> `
}

/** What can’t be seen, or can’t stand in a page at all, as a sign. */
const printable = (text: string): string => text.replaceAll(/(?!\n)\p{Cc}/gu, '␣')

const faultEntry = (text: string, kind: MarkupFaultKind): Html =>
  html`<div class="fault">
    ${codeBlock(printable(text))}
    <p class="told">${faultOf(text, kind).message}</p>
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
        <td class="right">right</td>
      </tr>`
    : html`<tr>
        <td>${shown}</td>
        <td>${checked.left.allowed.join(', ')}</td>
      </tr>`
}

export const markupPage = (): PageContent => ({
  page: 'markup',
  lead: html`<p>
      The <code>content</code> of a content object is XML-compliant HTML: a fragment, parsed as if it stood
      within one element, stored and returned to the letter. The <code>content</code> of media, locations and
      tags follows the same rules, without <code>slot</code>.
    </p>
    <p>
      The first fault of a text is told with its line, its column, what was found and what is allowed there.
    </p>`,
  headings: [
    { id: 'whole', title: 'A whole body' },
    { id: 'rules', title: 'Rules' },
    { id: 'elements', title: 'Elements' },
    { id: 'addresses', title: 'Addresses' },
    { id: 'faults', title: 'Faults' },
  ],
  body: html`<section id="whole">
      <h2>A whole body</h2>
      ${codeBlock(legal(wholeExample))}
    </section>
    <section id="rules">
      <h2>Rules</h2>
      <ul>
        <li>At the top stand only ${contentWords(bodySchema.top)}; white space may stand between them.</li>
        <li>What isn’t listed here is not legal: no other element, no other attribute.</li>
        <li>
          Every element is closed: <code>&lt;hr/&gt;</code>, not <code>&lt;hr&gt;</code>. Names are in lower
          case, values in quotes.
        </li>
        <li>At most ${bodySchema.maximumDepth} elements are open at once.</li>
        <li>
          By name there are ${entityNames.map((name) => html`<code>&amp;${name};</code> `)}; every other
          character stands for itself, or by its number: <code>&amp;#160;</code>.
        </li>
        <li>No comments, processing instructions, CDATA sections or document types.</li>
        <li>Each slot stands once in a body.</li>
      </ul>
    </section>
    <section id="elements">
      <h2>Elements</h2>
      ${bodySchema.elements.map(elementSection)}
    </section>
    <section id="addresses">
      <h2>Addresses</h2>
      <p>
        The <code>href</code> of a link starts with
        ${linkSchemes.map((scheme) => html`<code>${scheme}:</code> `)}or is a path, a query or a fragment. An
        address that isn’t right is answered with what would be:
      </p>
      <table>
        <thead>
          <tr>
            <th>Address</th>
            <th>What would be right</th>
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
