/** The cards of Ghost as HTML. Lexical and Mobiledoc have the same ones, with few differences in their names. */
import { escaped } from '../escaped.js'
import { excerpt, fieldsIn, flagIn, linked, listIn, textIn, wrapped, type Fields } from './html-text.js'
import { markdownHtml } from './markdown.js'

/** Says what is different from the card. */
export type NoteOfCard = (text: string) => void

type Card = (fields: Fields, note: NoteOfCard) => string

const figure = (content: string, caption: string): string =>
  content === '' ? wrapped('p', caption) : `<figure>${content}${wrapped('figcaption', caption)}</figure>`

const sizes = (fields: Fields, width: string, height: string): string =>
  [
    ['width', textIn(fields, width)],
    ['height', textIn(fields, height)],
  ]
    .map(([name, value]) => (value === '' ? '' : ` ${name}="${escaped(value ?? '')}"`))
    .join('')

const picture = (address: string, alt = '', size = ''): string =>
  address.trim() === '' ? '' : `<img src="${escaped(address)}" alt="${escaped(alt)}"${size}>`

/** A picture of a card, with a note about the link that it is. */
const pictureIn = (fields: Fields, note: NoteOfCard): string => {
  const href = textIn(fields, 'href')
  if (href !== '') note(`the picture was a link to ${href.slice(0, 300)}`)
  const alt = textIn(fields, 'alt') || textIn(fields, 'title')
  return picture(textIn(fields, 'src'), alt, sizes(fields, 'width', 'height'))
}

const paragraph = (html: string): string => wrapped('p', html)

/** HTML of a card that is one line or has paragraphs. */
const block = (html: string): string =>
  /<(?:p|h\d|ul|ol|div|blockquote)\b/i.test(html) ? html : paragraph(html)

const lines = (...parts: readonly string[]): string => parts.filter((each) => each.trim() !== '').join('<br>')

/** A button of a card: a link with a text. */
const button = (fields: Fields, text: string, address: string): string => {
  const label = escaped(textIn(fields, text))
  return label === '' ? '' : paragraph(linked(textIn(fields, address), label))
}

const bookmark: Card = (fields, note) => {
  const metadata = fieldsIn(fields['metadata'])
  const named = (name: string): string => escaped(textIn(metadata, name) || textIn(fields, name))
  const url = textIn(fields, 'url') || textIn(metadata, 'url')
  if (named('thumbnail') !== '') note('the picture of the linked page is left out')
  const source = [named('publisher'), named('author')].filter((each) => each !== '').join(' • ')
  const link = url === '' && named('title') === '' ? '' : linked(url, named('title') || escaped(url))
  return `${paragraph(lines(link, named('description'), source))}${block(textIn(fields, 'caption'))}`
}

const nft: Card = (fields) => {
  const metadata = fieldsIn(fields['metadata'])
  const named = (name: string): string => escaped(textIn(metadata, name))
  const creator = [named('author_name'), named('collection_name')].filter((each) => each !== '').join(' • ')
  const link = linked(textIn(fields, 'url'), named('title') || escaped(textIn(fields, 'url')))
  const text = lines(link, creator === '' ? '' : `Created by ${creator}`, named('description'))
  return `${figure(picture(textIn(metadata, 'image_url'), textIn(metadata, 'title')), '')}${paragraph(text)}${block(textIn(fields, 'caption'))}`
}

const embed: Card = (fields, note) => {
  if ((textIn(fields, 'embedType') || textIn(fields, 'type')) === 'nft') return nft(fields, note)
  const html = textIn(fields, 'html')
  const url = textIn(fields, 'url')
  const title = textIn(fieldsIn(fields['metadata']), 'title')
  const content = html.trim() === '' && url !== '' ? paragraph(linked(url, escaped(title || url))) : html
  return figure(content, textIn(fields, 'caption'))
}

const gallery: Card = (fields, note) =>
  figure(
    listIn(fields, 'images')
      .map((each) => pictureIn(fieldsIn(each), note))
      .join(''),
    textIn(fields, 'caption'),
  )

const audio: Card = (fields, note) => {
  const address = textIn(fields, 'src')
  if (textIn(fields, 'thumbnailSrc') !== '') note('the picture of the sound is left out')
  const player = address === '' ? '' : `<audio src="${escaped(address)}"></audio>`
  return figure(player, escaped(textIn(fields, 'title')))
}

const video: Card = (fields, note) => {
  const address = textIn(fields, 'src')
  if (textIn(fields, 'customThumbnailSrc') !== '') note('the picture of the video is left out')
  const player =
    address === '' ? '' : `<video src="${escaped(address)}"${sizes(fields, 'width', 'height')}></video>`
  return figure(player, textIn(fields, 'caption'))
}

const file: Card = (fields) => {
  const name = textIn(fields, 'fileName')
  const title = textIn(fields, 'fileTitle') || name
  const link = linked(textIn(fields, 'src'), escaped(title || textIn(fields, 'src')))
  return paragraph(lines(link, escaped(textIn(fields, 'fileCaption')), title === name ? '' : escaped(name)))
}

const code: Card = (fields) => {
  const text = textIn(fields, 'code')
  return text === '' ? '' : figure(`<pre><code>${escaped(text)}</code></pre>`, textIn(fields, 'caption'))
}

const callout: Card = (fields) => {
  const text = textIn(fields, 'calloutText')
  const emoji = escaped(textIn(fields, 'calloutEmoji'))
  return text === ''
    ? ''
    : `<aside>${block(emoji === '' ? text : /^\s*<p\b/i.test(text) ? `<p>${emoji}</p>${text}` : `${emoji} ${text}`)}</aside>`
}

const toggle: Card = (fields) => {
  const heading = textIn(fields, 'heading')
  const content = block(textIn(fields, 'content'))
  return heading === '' && content === '' ? '' : `<details>${wrapped('summary', heading)}${content}</details>`
}

const stars = (rating: number): string => {
  const full = Math.min(5, Math.max(0, Math.round(rating)))
  return `${'★'.repeat(full)}${'☆'.repeat(5 - full)}`
}

const product: Card = (fields) => {
  const image = picture(
    textIn(fields, 'productImageSrc'),
    excerpt(textIn(fields, 'productTitle')),
    sizes(fields, 'productImageWidth', 'productImageHeight'),
  )
  const rating = flagIn(fields, 'productRatingEnabled')
    ? paragraph(stars(Number(textIn(fields, 'productStarRating'))))
    : ''
  const link = flagIn(fields, 'productButtonEnabled') ? button(fields, 'productButton', 'productUrl') : ''
  return `${figure(image, '')}${wrapped('h4', textIn(fields, 'productTitle'))}${rating}${block(textIn(fields, 'productDescription'))}${link}`
}

const header: Card = (fields) => {
  const image = figure(picture(textIn(fields, 'backgroundImageSrc')), '')
  const link = flagIn(fields, 'buttonEnabled') ? button(fields, 'buttonText', 'buttonUrl') : ''
  return `${image}${wrapped('h2', textIn(fields, 'header'))}${block(textIn(fields, 'subheader'))}${link}`
}

const signup: Card = (fields, note) => {
  note('the form is left out, but not its texts')
  return `${figure(picture(textIn(fields, 'backgroundImageSrc')), '')}${wrapped('h2', textIn(fields, 'header'))}${block(textIn(fields, 'subheader'))}${block(textIn(fields, 'disclaimer'))}`
}

const callToAction: Card = (fields) => {
  const label = flagIn(fields, 'hasSponsorLabel') ? block(textIn(fields, 'sponsorLabel')) : ''
  const image = picture(textIn(fields, 'imageUrl'), '', sizes(fields, 'imageWidth', 'imageHeight'))
  const link = flagIn(fields, 'showButton') ? button(fields, 'buttonText', 'buttonUrl') : ''
  return `${label}${figure(image, '')}${block(textIn(fields, 'textValue'))}${link}`
}

const beforeAfter: Card = (fields, note) =>
  figure(
    ['beforeImage', 'afterImage'].map((name) => pictureIn(fieldsIn(fields[name]), note)).join(''),
    textIn(fields, 'caption'),
  )

/** What only mails contain. */
const email: Card = (fields, note) => {
  const text = excerpt(`${textIn(fields, 'html')} ${textIn(fields, 'buttonText')}`)
  note(`it is left out, because only mails contain it: “${text}”`)
  return ''
}

const cards: ReadonlyMap<string, Card> = new Map<string, Card>([
  ['image', (fields, note) => figure(pictureIn(fields, note), textIn(fields, 'caption'))],
  ['gallery', gallery],
  ['before-after', beforeAfter],
  ['bookmark', bookmark],
  ['embed', embed],
  ['nft', nft],
  ['html', (fields) => textIn(fields, 'html')],
  ['markdown', (fields) => markdownHtml(textIn(fields, 'markdown'))],
  ['card-markdown', (fields) => markdownHtml(textIn(fields, 'markdown'))],
  ['code', code],
  ['codeblock', code],
  ['callout', callout],
  ['toggle', toggle],
  ['button', (fields) => button(fields, 'buttonText', 'buttonUrl')],
  ['product', product],
  ['header', header],
  ['audio', audio],
  ['video', video],
  ['file', file],
  ['signup', signup],
  ['call-to-action', callToAction],
  ['email', email],
  ['email-cta', email],
  ['hr', () => '<hr>'],
  ['horizontalrule', () => '<hr>'],
  [
    'paywall',
    (_fields, note) => {
      note('it is left out: what follows it was for members, unless the post was public')
      return ''
    },
  ],
  [
    'transistor',
    (_fields, note) => {
      note('the player of podcasts for members is left out')
      return ''
    },
  ],
])

const allMembers = 'status:free,status:-free'

type Audience = 'everybody' | 'members' | 'nobody'

/** Who sees a card on the website. */
const audienceOf = (fields: Fields): Audience => {
  if (!Object.hasOwn(fields, 'visibility')) return 'everybody'
  const visibility = fieldsIn(fields['visibility'])
  if (flagIn(visibility, 'emailOnly') || visibility['showOnWeb'] === false) return 'nobody'
  const web = fieldsIn(visibility['web'])
  const segment = Object.hasOwn(web, 'memberSegment') ? textIn(web, 'memberSegment') : allMembers
  if (web['nonMember'] !== false) return 'everybody'
  return segment === '' ? 'nobody' : 'members'
}

export type RenderedCard = {
  readonly html: string
  /** Whether only members see it. */
  readonly isForMembers: boolean
}

/** A card as HTML; null if it is unknown. */
export const renderCard = (name: string, fields: Fields, note: NoteOfCard): RenderedCard | null => {
  const card = cards.get(name)
  if (card === undefined) return null
  const say: NoteOfCard = (text) => note(`the card ${name}: ${text}`)
  const audience = audienceOf(fields)
  if (audience === 'nobody') {
    email(fields, say)
    return { html: '', isForMembers: false }
  }
  return { html: card(fields, say), isForMembers: audience === 'members' }
}
