/** The attachments of a website: which of them an address in a post means. */
import { addressParts, decodedPath } from '../address-parts.js'
import type { WxrItem } from './wxr.js'
import { metaValue } from './wxr.js'

export type Attachment = {
  /** The id in the source, or the address of data that is no attachment there. */
  readonly id: string
  readonly line: number | null
  /** Of the original. */
  readonly address: string
  /** The address of the page that WordPress has for it; empty if there is none. */
  readonly page: string
  readonly kind: 'image' | 'audio' | 'other'
  /** The post that it was uploaded for; empty if there is none. */
  readonly parent: string
  readonly position: number
  readonly title: string
  readonly alt: string
  /** HTML. */
  readonly caption: string
  /** HTML. */
  readonly description: string
  readonly credits: string
  readonly date: string
  readonly dateGmt: string
}

const images = /\.(?:jpe?g|jpe|png|gif|webp|avif|svg|heic|heif|bmp|tiff?|ico|jxl)$/i
const sounds = /\.(?:mp3|m4a|m4b|ogg|oga|wav|flac|aac|opus|wma)$/i

const kindOf = (address: string): Attachment['kind'] => {
  const path = addressParts(address)?.path ?? address
  if (images.test(path)) return 'image'
  return sounds.test(path) ? 'audio' : 'other'
}

/** A text in the metadata of an image, which are serialized by PHP. */
const imageText = (metadata: string, name: string): string =>
  new RegExp(`"${name}";s:\\d{1,5}:"([^"]{1,1000})"`).exec(metadata)?.[1]?.trim() ?? ''

/** The original of a picture that WordPress has scaled down because it was large: its name is in the metadata. */
const originalOf = (address: string, metadata: string): string => {
  const original = imageText(metadata, 'original_image')
  return original === '' || /[/\\?#]/.test(original)
    ? address
    : address.replace(/[^/]*$/, encodeURIComponent(original))
}

export const attachmentOf = (item: WxrItem): Attachment => {
  const metadata = metaValue(item, '_wp_attachment_metadata')
  return {
    id: item.id,
    line: item.line,
    address: originalOf(item.attachment, metadata),
    page: item.link,
    kind: kindOf(item.attachment),
    parent: item.parent === '0' ? metaValue(item, '_attachment_original_parent_id') : item.parent,
    position: item.position,
    title: item.title,
    alt: metaValue(item, '_wp_attachment_image_alt'),
    caption: item.excerpt.trim(),
    description: item.content.trim(),
    credits: [imageText(metadata, 'credit'), imageText(metadata, 'copyright')]
      .filter((each, index, all) => each !== '' && all.indexOf(each) === index)
      .join(', '),
    date: item.date,
    dateGmt: item.dateGmt,
  }
}

const uploads = /\/wp-content\/uploads\/(.+)$/
const shrunken = /-\d{1,5}x\d{1,5}(?=\.\w+$)/
const edited = /-e\d{10,14}(?=\.\w+$)/
const scaled = /-scaled(?=\.\w+$)/

/** The servers of WordPress.com that scale pictures of others have the host of the original in the path. */
const scaledByServer = /^i\d\.wp\.com$/

/** Names of the data at an address, the most exact first: the same on every host, in every size. */
const keysOf = (address: string, base: string): readonly string[] => {
  const parts = addressParts(address, base)
  if (parts === null) return []
  const path = decodedPath(parts.path)
  const key =
    uploads.exec(path)?.[1] ?? (scaledByServer.test(parts.host) ? path.slice(1) : `${parts.host}${path}`)
  const whole = key.replace(shrunken, '').replace(edited, '')
  const original = whole.replace(scaled, '')
  return [...new Set([key, whole, original, original.replace(/(?=\.\w+$)/, '-scaled')])]
}

const pageKey = (address: string, base: string): string => {
  const { host = '', path = '', query = '' } = addressParts(address, base) ?? {}
  return `${host}${path.replace(/\/$/, '')}${query}`
}

const inUploads =
  /(?:https?:)?\/\/[^\s"'<>()\\]{1,300}\/wp-content\/uploads\/[^\s"'<>()\\]{1,500}|\/wp-content\/uploads\/[^\s"'<>()\\]{1,500}/g

/** The most addresses of pictures that are no attachments. */
const mostLoose = 100_000

export class Attachments {
  readonly #site: string
  readonly #byId = new Map<string, Attachment>()
  readonly #byKey = new Map<string, Attachment>()
  readonly #byParent = new Map<string, Attachment[]>()
  readonly #pages = new Set<string>()
  readonly #loose = new Set<string>()

  constructor(site: string) {
    this.#site = site
  }

  add(attachment: Attachment): void {
    this.#byId.set(attachment.id, attachment)
    const { parent, page } = attachment
    this.#pages.add(pageKey(page, this.#site))
    if (parent !== '' && parent !== '0') {
      const siblings = this.#byParent.get(parent) ?? []
      siblings.push(attachment)
      this.#byParent.set(parent, siblings)
    }
  }

  /** Remembers the addresses of uploads in a text, which may be those of data that is no attachment. */
  addText(content: string): void {
    for (const [address] of content.matchAll(inUploads))
      if (kindOf(address) !== 'other' && this.#loose.size < mostLoose) this.#loose.add(address)
  }

  /** Ends the additions: from now on addresses are found. Data in the folder of uploads that is no attachment is one too. */
  complete(): void {
    const attachments = [...this.#byId.values()]
    for (const each of attachments) this.#addKeys(each, keysOf(each.address, this.#site).slice(0, 1))
    for (const each of attachments) this.#addKeys(each, keysOf(each.address, this.#site))
    const scheme = /^https?:/.exec(this.#site)?.[0] ?? 'https:'
    const hostOf = (address: string): string =>
      addressParts(address, this.#site)?.host.replace(/^www\./, '') ?? ''
    // The original is the shortest of the addresses of a picture in several sizes.
    for (const address of [...this.#loose].toSorted((one, other) => one.length - other.length)) {
      const parts = addressParts(address, this.#site)
      if (parts === null || hostOf(address) !== hostOf(this.#site) || this.find(address) !== null) continue
      const original = `${scheme}//${parts.host}${parts.path}`
      const loose = {
        id: original,
        line: null,
        address: original,
        page: '',
        kind: kindOf(original),
        parent: '',
        position: 0,
        title: '',
        alt: '',
        caption: '',
        description: '',
        credits: '',
        date: '',
        dateGmt: '',
      }
      this.#byId.set(original, loose)
      this.#addKeys(loose, keysOf(original, this.#site))
    }
    this.#loose.clear()
  }

  #addKeys(attachment: Attachment, keys: readonly string[]): void {
    for (const key of keys) if (!this.#byKey.has(key)) this.#byKey.set(key, attachment)
  }

  get all(): readonly Attachment[] {
    return [...this.#byId.values()]
  }

  byId(id: string): Attachment | null {
    return this.#byId.get(id) ?? null
  }

  /** Whether an address is that of the page of an attachment. */
  isPage(address: string): boolean {
    return this.#pages.has(pageKey(address, this.#site))
  }

  /** The attachments of a post, in their order. */
  of(parent: string): readonly Attachment[] {
    return (this.#byParent.get(parent) ?? []).toSorted(
      (one, other) => one.position - other.position || Number(one.id) - Number(other.id),
    )
  }

  /** The attachment whose data, in any size, is at an address. */
  find(address: string): Attachment | null {
    for (const key of keysOf(address, this.#site)) {
      const found = this.#byKey.get(key)
      if (found !== undefined) return found
    }
    return null
  }
}
