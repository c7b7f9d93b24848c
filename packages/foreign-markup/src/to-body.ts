/** Makes a body of the HTML that other programs write. */
import { defaultStreamingHosts, type StreamingHost } from '@publishing-service/domain/declare'
import type { Change, Note } from './changes.js'
import { converted } from './converter.js'
import { htmlTree } from './html-tree.js'
import { writtenMarkup } from './markup-tree.js'
import type { Medium, Placement } from './media.js'

export type BodyOptions = {
  /** The address of the page, from which relative addresses lead. By default they remain relative. */
  readonly base?: string
  /** The hosts of videos and sounds that are known; by default those of the domain. */
  readonly streamingHosts?: readonly StreamingHost[]
  /** The default is `element`. */
  readonly placeMedia?: (media: readonly Medium[]) => Placement
  /** Other names for elements of a body, such as `h2` for `h1`. Only headings and inline elements can be renamed. */
  readonly rename?: Readonly<Record<string, string>>
  /** Whether an empty line divides paragraphs and a line break is shown, as in texts of WordPress without blocks. */
  readonly hasTextLines?: boolean
  /**
   * Whether it was copied from a document. What its readers do not see is left out then: comments, deletions and hidden
   * text. So are the ids, languages and notes of its elements.
   */
  readonly isCopied?: boolean
}

export type FoundMedium = Medium & {
  /** Where it is, or would be: an index in the markup. */
  readonly index: number
}

export type Body = {
  /** It is accepted as a body. */
  readonly markup: string
  /** In the order of the source. */
  readonly media: readonly FoundMedium[]
  readonly changes: readonly Change[]
}

/**
 * Makes a body of HTML: of a fragment or of a document. It accepts every text. The words of the text remain, except for
 * the title of a document, and for what `isCopied` leaves out.
 */
export const toBody = (html: string, options: BodyOptions = {}): Body => {
  const changes: Change[] = []
  const note: Note = (kind, { line, column }, text) => changes.push({ kind, line, column, text })
  const { content, media } = converted(
    htmlTree(html),
    {
      base: options.base ?? null,
      hosts: options.streamingHosts ?? defaultStreamingHosts,
      placeMedia: options.placeMedia ?? (() => 'element'),
      rename: options.rename ?? {},
      hasTextLines: options.hasTextLines === true,
      isCopied: options.isCopied === true,
    },
    note,
  )
  const { markup, places } = writtenMarkup(content, '\n')
  return {
    markup,
    media: media.map((each, index) => ({ ...each, index: places.get(index) ?? markup.length })),
    changes,
  }
}
