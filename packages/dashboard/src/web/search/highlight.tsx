import { Text } from '@mantine/core'
import { Fragment } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { highlightParts } from '../../content/search-text.js'

/** A passage of the text of a row, in which the words that were searched are marked. */
export const Highlight = ({ row: { highlight } }: { readonly row: JsonObject }) =>
  typeof highlight === 'string' && (
    <Text size="sm" c="dimmed" lineClamp={2}>
      {highlightParts(highlight).map(({ text, isMarked }, index) =>
        // Parts have no identity other than their position.
        // oxlint-disable-next-line react/no-array-index-key
        isMarked ? <mark key={index}>{text}</mark> : <Fragment key={index}>{text}</Fragment>,
      )}
    </Text>
  )
