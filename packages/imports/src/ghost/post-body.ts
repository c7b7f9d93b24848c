/** The text of a post as a body. */
import { slotLimits } from '@publishing-service/domain/content'
import { bodyNote } from '@publishing-service/domain/imports'
import type { Medium } from '@publishing-service/foreign-markup'
import { bodyOf, type ImportedBody, type MediumFile } from '../body-of.js'
import { derivedUuid } from '../derived-uuid.js'
import { withSite } from './content-addresses.js'
import type { GhostPost } from './ghost-export.js'
import { translateLexical } from './lexical.js'
import { markdownHtml } from './markdown.js'
import { translateMobiledoc } from './mobiledoc.js'
import type { Translated } from './translated.js'

type BodyContext = {
  readonly site: string
  readonly fileOf: (medium: Medium) => MediumFile | null
}

export type PostBody = Omit<ImportedBody, 'files'> & {
  /** Whether some of it is for members only. */
  readonly isForMembers: boolean
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const gatedBlock = '<!--kg-gated-block:begin'

const ofHtml = (html: string): Translated => ({
  parts: [html],
  notes: [],
  unknown: [],
  isForMembers: html.includes(gatedBlock),
})

type Source = { readonly translated: Translated; readonly notes: readonly string[] }

/**
 * What a post is translated from: the form in which it is edited, because that says what a card is, and the HTML that Ghost has
 * made of it contains controls of players. The HTML is used where there is nothing else, or where a card is unknown.
 */
const sourceOf = (post: GhostPost): Source => {
  const { lexical, mobiledoc, html, markdown } = post
  const notes: string[] = []
  for (const [name, text, translate] of [
    ['lexical', lexical, translateLexical],
    ['mobiledoc', mobiledoc, translateMobiledoc],
  ] as const) {
    if (text === '') continue
    const translated = translate(parsed(text))
    if (translated === null) notes.push(`its text in ${name} cannot be read`)
    else if (translated.unknown.length === 0) return { translated, notes }
    else {
      const names = translated.unknown.join(', ').slice(0, 200)
      if (html === '')
        return { translated, notes: [`unknown cards, of which only the texts are taken over: ${names}`] }
      notes.push(`unknown cards: ${names}; its body is made of the HTML that Ghost has made of it`)
    }
  }
  if (html === '' && markdown !== '') return { translated: ofHtml(markdownHtml(markdown)), notes }
  return { translated: ofHtml(html), notes }
}

/** Reads the text of a post, with the address of the website in place of its placeholder. */
const withAddresses = (post: GhostPost, site: string): GhostPost => ({
  ...post,
  lexical: withSite(post.lexical, site),
  mobiledoc: withSite(post.mobiledoc, site),
  html: withSite(post.html, site),
  markdown: withSite(post.markdown, site),
})

export const bodyOfPost = (post: GhostPost, { site, fileOf }: BodyContext): PostBody => {
  const { translated, notes } = sourceOf(withAddresses(post, site))
  const { parts, isForMembers } = translated

  const bodiesOf = (sources: readonly string[]): readonly ImportedBody[] => {
    let before = 0
    return sources.map((html) => {
      const slotId = (number: number): string => derivedUuid(site, 'slot', `${post.id} ${before + number}`)
      const made = bodyOf({ html, options: { base: `${site}/` }, fileOf, slotId })
      before += made.slots.length
      return made
    })
  }

  // What one part leaves open must not swallow the parts after it.
  const separate = bodiesOf(parts)
  const count = separate.reduce((sum, { slots }) => sum + slots.length, 0)
  const bodies = count > slotLimits.slots ? bodiesOf([parts.join('\n')]) : separate
  return {
    markup: bodies
      .map(({ markup }) => markup)
      .filter((markup) => markup !== '')
      .join('\n'),
    slots: bodies.flatMap(({ slots }) => slots),
    // The lines are those of a translation that nobody sees.
    notes: [
      ...[...notes, ...translated.notes].map((text) => bodyNote('card', text)),
      ...bodies.flatMap((each) => each.notes.map((note) => ({ ...note, line: null }))),
    ],
    isForMembers,
  }
}
