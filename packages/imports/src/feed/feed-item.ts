/** What feeds say, whatever their format is. */

export type FeedAttachment = { readonly address: string; readonly type: string }

export type FeedItem = {
  /** The id, the address, or another text that identifies the item. */
  readonly id: string
  readonly address: string
  /** HTML; empty if it has none. */
  readonly title: string
  readonly content: string
  readonly summary: string
  /** As they are written. */
  readonly published: string
  readonly modified: string
  readonly authors: readonly string[]
  readonly categories: readonly string[]
  readonly image: string
  readonly attachments: readonly FeedAttachment[]
  readonly notes: readonly string[]
  /** Null if the format has no lines. */
  readonly line: number | null
}

export type Feed = {
  /** The address of the website; empty if the feed does not say it. */
  readonly home: string
  readonly items: readonly FeedItem[]
}
