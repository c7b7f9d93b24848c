import { Fragment } from 'react'
import { highlightParts } from '../../content/search-text.js'

/** A passage of a text, in which the words that were searched are marked. */
export const Highlight = ({ html }: { readonly html: string }) =>
  highlightParts(html).map(({ text, isMarked }, index) =>
    // Parts have no identity other than their position.
    // oxlint-disable-next-line react/no-array-index-key
    isMarked ? <mark key={index}>{text}</mark> : <Fragment key={index}>{text}</Fragment>,
  )
