import type { MarkupElement } from './element-tree.js'

type Property = { readonly name: string; readonly isFlag?: true }

/** The attributes that a preview shows, as properties of elements. Ids, classes and data belong to the website. */
const properties: Readonly<Record<string, Property>> = {
  lang: { name: 'lang' },
  dir: { name: 'dir' },
  title: { name: 'title' },
  alt: { name: 'alt' },
  width: { name: 'width' },
  height: { name: 'height' },
  colspan: { name: 'colSpan' },
  rowspan: { name: 'rowSpan' },
  datetime: { name: 'dateTime' },
  start: { name: 'start' },
  type: { name: 'type' },
  value: { name: 'value' },
  reversed: { name: 'reversed', isFlag: true },
  open: { name: 'open', isFlag: true },
}

/** Paths and fragments are those of the website, not of the page with the preview. */
const isWebAddress = (address: string | undefined): address is string => /^https?:\/\//i.test(address ?? '')

const linkProperties = ({ href }: MarkupElement['attributes']): Readonly<Record<string, string>> =>
  isWebAddress(href) ? { href, target: '_blank', rel: 'noopener noreferrer' } : {}

const imageProperties = ({ src }: MarkupElement['attributes']): Readonly<Record<string, string>> =>
  isWebAddress(src) ? { src, loading: 'lazy', referrerPolicy: 'no-referrer' } : {}

/** What a preview shows of the attributes of an element. Nothing else of them is used. */
export const previewAttributes = ({
  name,
  attributes,
}: MarkupElement): Readonly<Record<string, string | true>> => ({
  ...Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]) => {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined
      return property === undefined ? [] : [[property.name, property.isFlag ?? value]]
    }),
  ),
  ...(name === 'a' ? linkProperties(attributes) : {}),
  ...(name === 'img' ? imageProperties(attributes) : {}),
})
