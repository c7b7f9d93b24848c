/** The attributes of every object, each with its type, rules and meaning. */
import { formats } from '@publishing-service/domain'
import { endpointsOn } from '@publishing-service/http-contract'
import {
  attributeId,
  describedObjects,
  schemaOf,
  operationHref,
  type DescribedObject,
  type VisibleAttribute,
} from '../described-objects.js'
import { html, nothing, prose, type Html } from '../html.js'
import { pageHref, type PageContent, type PageRequest } from '../page-layout.js'
import { formatNames, describeSchema } from '../describe-schema.js'

const isReadOnly = (attribute: VisibleAttribute): boolean =>
  attribute.kind === 'derived' || (attribute.kind === 'stored' && attribute.readOnly === true)

const initialOf = (attribute: VisibleAttribute): string | null =>
  attribute.kind === 'stored' && attribute.initial !== undefined ? JSON.stringify(attribute.initial) : null

const marksOf = (attribute: VisibleAttribute): readonly string[] => [
  ...(attribute.kind === 'stored' && attribute.required === true ? ['required'] : []),
  ...(isReadOnly(attribute) ? ['read only'] : []),
  ...(attribute.kind === 'stored' && attribute.fixed === true ? ['cannot be changed later'] : []),
  ...(attribute.addon === true ? ['directory add-on'] : []),
  ...(attribute.visibleTo === undefined ? [] : [`from \`${attribute.visibleTo}\``]),
]

const attributeEntry = (object: string, [name, attribute]: readonly [string, VisibleAttribute]): Html => {
  const id = attributeId(object, name)
  const initial = initialOf(attribute)
  const { only = [], deprecated } = attribute
  return html`<div class="attribute" id="${id}">
    <dt>
      <a class="anchor" href="#${id}"><code>${name}</code></a>
      <span class="type"
        >${prose(describeSchema(schemaOf(attribute)))}${initial === null ? nothing : html`, default <code>${initial}</code>`}</span
      >${marksOf(attribute).map((mark) => html` <span class="mark">${prose(mark)}</span>`)}${deprecated === undefined ? nothing : html` <span class="mark old">deprecated</span>`}
    </dt>
    <dd>
      ${prose(attribute.description)}${only.length === 0 ? nothing : html` <span class="only">Only for ${only.join(', ')}.</span>`}${deprecated === undefined ? nothing : html` <span class="only">${prose(deprecated)}</span>`}
    </dd>
  </div> `
}

const usesOf = ({ endpoints }: DescribedObject, root: string): Html =>
  html`<details>
    <summary>Operations (${endpoints.length})</summary>
    <ul>
      ${endpoints.map(
        (endpoint) =>
          html`<li>
            <a href="${pageHref(root, 'reference')}${operationHref(endpoint)}"
              ><code>${endpoint.method} ${endpoint.path}</code></a
            >
            ${endpoint.summary}
          </li>`,
      )}
    </ul>
  </details>`

const section = (object: DescribedObject, root: string): Html =>
  html`<section id="${object.name}">
    <h2><a class="anchor" href="#${object.name}">${object.name}</a></h2>
    <p>${prose(object.description)}</p>
    ${usesOf(object, root)}
    <dl class="attributes">${object.attributes.map((entry) => attributeEntry(object.name, entry))}</dl>
  </section> `

const formatEntries = (Object.entries(formats) as readonly (readonly [keyof typeof formats, string])[]).map(
  ([name, description]) =>
    html`<dt>${formatNames[name]}</dt>
      <dd>${prose(description)}</dd>`,
)

export const objectsPage = ({ root, facts }: PageRequest): PageContent => {
  const objects = describedObjects(endpointsOn(facts))
  return {
    page: 'objects',
    lead: html`<p>
        Each attribute with its type, its rules and its meaning. An attribute that is not
        <em>required</em> can be omitted or null. Responses contain all attributes; absent ones are null, or
        left out where the attribute says so. <em>Read only</em> attributes are ignored in requests.
      </p>
      <p>
        Date-times have no UTC offset and are in the time zone of the instance; values with an offset are
        converted. Lengths of texts are in characters, not bytes.
      </p>`,
    headings: [
      ...objects.map(({ name }) => ({ id: name, title: name })),
      { id: 'formats', title: 'Formats' },
    ],
    body: html`${objects.map((object) => section(object, root))}
      <section id="formats">
        <h2>Formats</h2>
        <dl class="pairs">${formatEntries}</dl>
      </section>`,
  }
}
