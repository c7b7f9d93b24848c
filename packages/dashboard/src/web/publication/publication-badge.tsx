import { Badge } from '@mantine/core'
import type { JsonObject } from '@publishing-service/domain'
import { publicationOf } from '../../publication/zone-time.js'
import { useTexts, wordOf } from '../texts/texts.js'
import { useInstanceTime } from './publication-panel.js'

const colors = { draft: 'gray', live: 'green', scheduled: 'blue' } as const

/** Whether the public sees an object. Other states, such as those of tags, are shown as their word. */
export const PublicationBadge = ({ row: { state, issued } }: { readonly row: JsonObject }) => {
  const texts = useTexts()
  const now = useInstanceTime()
  const isPublication = state === 'draft' || state === 'published'
  const current = publicationOf(state, issued, now)
  return (
    <Badge variant="light" color={isPublication ? colors[current] : 'gray'} miw="max-content">
      {isPublication ? texts.publication.badges[current] : wordOf(texts, String(state))}
    </Badge>
  )
}
