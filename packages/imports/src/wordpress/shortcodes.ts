/** Shortcodes in the text of a post: `[gallery ids="1,2"]`, `[caption]…[/caption]`. */

type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'open'
      readonly text: string
      readonly name: string
      readonly attributes: string
      readonly isSelfClosing: boolean
    }
  | { readonly kind: 'close'; readonly text: string; readonly name: string }

/** In characters. */
const longestShortcode = 3000

const namePattern = /\[(\/?)([a-z][a-z0-9_-]{0,60})(?=[\s\]/])/iy

/** The index after the bracket that ends the shortcode at `from`; -1 if there is none. Brackets in quotes do not count. */
const endOfShortcode = (html: string, from: number): number => {
  let quote = ''
  const most = Math.min(html.length, from + longestShortcode)
  for (let index = from; index < most; index += 1) {
    const character = html.charAt(index)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === ']') return index + 1
    else if (character === '[' || character === '<') return -1
    else if ((character === '"' || character === "'") && /[=\s]/.test(html.charAt(index - 1)))
      quote = character
  }
  return -1
}

/** The index after a tag or a comment that begins at `from`. */
const endOfTag = (html: string, from: number, commentEnd: number): number => {
  if (html.startsWith('<!--', from)) return commentEnd === -1 ? html.length : commentEnd + 3
  const end = html.slice(from + 1, from + 10_000).search(/[<>]/)
  return end !== -1 && html.charAt(from + 1 + end) === '>' ? from + end + 2 : from + 1
}

const shortcodeAt = (html: string, from: number): Piece | null => {
  namePattern.lastIndex = from
  const [start, slash, name] = namePattern.exec(html) ?? []
  if (start === undefined || name === undefined) return null
  const end = endOfShortcode(html, from + start.length)
  if (end === -1) return null
  const text = html.slice(from, end)
  if (slash === '/') return { kind: 'close', text, name: name.toLowerCase() }
  const rest = html.slice(from + start.length, end - 1)
  const isSelfClosing = rest.endsWith('/')
  const attributes = isSelfClosing ? rest.slice(0, -1) : rest
  return { kind: 'open', text, name: name.toLowerCase(), attributes, isSelfClosing }
}

/** Divides HTML, without shortcodes in tags and comments. `[[name]]` is the text `[name]`. */
const piecesOf = (html: string): readonly Piece[] => {
  const pieces: Piece[] = []
  let [copied, at] = [0, 0]
  // Where the comment at the moment ends; looked for again only behind it, so that the time is linear.
  let commentEnd = html.indexOf('-->')
  const addText = (until: number): void => {
    if (until > copied) pieces.push({ kind: 'text', text: html.slice(copied, until) })
  }
  const scan = /[<[]/g
  for (;;) {
    scan.lastIndex = at
    const match = scan.exec(html)
    if (match === null) break
    const { index } = match
    if (match[0] === '<') {
      while (commentEnd !== -1 && commentEnd < index + 4) commentEnd = html.indexOf('-->', commentEnd + 1)
      at = endOfTag(html, index, commentEnd)
      continue
    }
    const isEscaped = html.charAt(index + 1) === '['
    const shortcode = shortcodeAt(html, isEscaped ? index + 1 : index)
    if (shortcode === null) {
      at = index + 1
      continue
    }
    addText(index)
    const end = (isEscaped ? index + 1 : index) + shortcode.text.length
    const isText = isEscaped && html.charAt(end) === ']'
    pieces.push(isText ? { kind: 'text', text: shortcode.text } : shortcode)
    if (isEscaped && !isText) pieces.splice(-1, 0, { kind: 'text', text: '[' })
    at = isText ? end + 1 : end
    copied = at
  }
  addText(html.length)
  return pieces
}

/** The index of the piece that closes each piece that opens. */
const closingPieces = (pieces: readonly Piece[]): ReadonlyMap<number, number> => {
  const open = new Map<string, number[]>()
  const closing = new Map<number, number>()
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'open' && !piece.isSelfClosing) {
      const indexes = open.get(piece.name) ?? []
      indexes.push(index)
      open.set(piece.name, indexes)
    } else if (piece.kind === 'close') {
      const opening = open.get(piece.name)?.pop()
      if (opening !== undefined) closing.set(opening, index)
    }
  }
  return closing
}

const attribute = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s'"]+))|"([^"]*)"|'([^']*)'|([^\s'"]+)/g

const quotes = /&quot;|&#(?:34|8220|8221|8243|822[12]);|[\u201c\u201d\u2033]/g

/** The attributes of a shortcode; those without a name have their number, from 0. */
const attributesOf = (written: string): ReadonlyMap<string, string> => {
  const attributes = new Map<string, string>()
  let unnamed = 0
  for (const [, name, double, single, bare, ...values] of written
    .replaceAll(quotes, '"')
    .matchAll(attribute)) {
    if (name !== undefined) attributes.set(name.toLowerCase(), double ?? single ?? bare ?? '')
    else {
      attributes.set(String(unnamed), values.find((each) => each !== undefined) ?? '')
      unnamed += 1
    }
  }
  return attributes
}

export type Shortcode = {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** Returns what is between it and the shortcode that closes it; the empty text if nothing closes it. */
  readonly inner: () => string
}

/** Of a page builder or another plug-in: what it shows is not in the text. */
const ofPlugins = new RegExp(
  `^(?:${[
    '(?:vc|et_pb|fusion|su|wpb|mk|cs|av|sc|fl|elementor|nectar|bt_bb|td|tdc|ux|us|themify|woocommerce|rev|ninja|qode|edgtf|mkdf|ultimate|dt|gdlr|wpv|wp_rss|siteorigin|tribe|fusebox|mailpoet|metaslider|envira|mc4wp|jetpack|soliloquy|smartslider|wpdatatable|table)[_-].*',
    'contact-form(?:-7)?|contact-field|wpforms|gravityforms?|ninja_forms?|formidable|caldera_form|forminator_form|fluentform|mailerlite_form|mailpoet_form',
    'rev_slider|layerslider|metaslider|smartslider3|masterslider|slider|nggallery|ngg_images|ngg|foogallery|envira-gallery|modula|slideshow|portfolio',
    'products?|product_page|product_category|product_categories|add_to_cart|sale_products|recent_products|featured_products|best_selling_products|purchase_link|downloads|edd_.*',
    'toc|ez-toc|sitemap|wp_sitemap_page|recent-posts|display-posts|catlist|archives|breadcrumb|social_share|addtoany|ssba|shareaholic|related_posts|post_views|printfriendly|tablepress',
    'button|columns?|row|section|container|one_half|one_third|two_third|one_fourth|three_fourth|one_half_last|one_third_last|two_third_last|clear|divider|spacer|tabs?|tabgroup|accordion(?:-item)?|toggle|box|highlight|dropcap|pullquote|icon|lightbox|tooltip|alert|col|span\\d+|heading|testimonials?|pricing_table|counter|progress_bar|map|googlemaps?|wpgmza|instagram-feed|facebook|twitter-timeline|polldaddy|poll|slideshare|scribd|gist|donate|paypal|members_only|restrict|adrotate|ad|ads|adsense',
  ].join('|')})$`,
)

export type FoundShortcodes = {
  readonly html: string
  /** Names of shortcodes that are left out, and of those that remain as text. */
  readonly leftOut: ReadonlySet<string>
  readonly unknown: ReadonlySet<string>
}

/** Shortcodes within those that have HTML are read up to this depth. */
const deepest = 3

/**
 * HTML in place of the shortcodes for which `htmlOf` returns some. Shortcodes of usual plug-ins are left out, but not what they
 * contain. All others remain as text.
 */
export const withoutShortcodes = (
  source: string,
  htmlOf: (shortcode: Shortcode) => string | null,
): FoundShortcodes => {
  const leftOut = new Set<string>()
  const unknown = new Set<string>()
  const read = (html: string, depth: number): string => {
    const pieces = piecesOf(html)
    if (pieces.length < 2 && pieces[0]?.kind !== 'open') return pieces.map(({ text }) => text).join('')
    const closing = closingPieces(pieces)
    const result: string[] = []
    for (let index = 0; index < pieces.length; index += 1) {
      const piece = pieces[index]
      if (piece === undefined) break
      if (piece.kind === 'text') {
        result.push(piece.text)
        continue
      }
      const { name, text } = piece
      const isOfPlugin = ofPlugins.test(name)
      if (piece.kind === 'close') {
        if (isOfPlugin) leftOut.add(name)
        else result.push(text)
        continue
      }
      const end = closing.get(index)
      const inner = (): string =>
        pieces
          .slice(index + 1, end ?? index + 1)
          .map((each) => each.text)
          .join('')
      const own = depth < deepest ? htmlOf({ name, attributes: attributesOf(piece.attributes), inner }) : null
      if (own !== null) {
        result.push(read(own, depth + 1))
        index = end ?? index
      } else if (isOfPlugin) leftOut.add(name)
      else {
        // A word in brackets is no shortcode.
        const isShortcode = /=\s*["'\w]/.test(piece.attributes) || piece.isSelfClosing || end !== undefined
        if (isShortcode) unknown.add(name)
        result.push(text)
      }
    }
    return result.join('')
  }
  return { html: read(source, 0), leftOut, unknown }
}
