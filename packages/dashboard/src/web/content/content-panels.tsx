import { Anchor, Fieldset, Stack } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { Loading } from '../layout/messages.js'
import type { BesideProps } from '../resource/resource-editor.js'
import { useInstance } from '../service/instance-context.js'
import { useTexts } from '../texts/texts.js'

/** Loaded with the library for dragging. */
const RelatedLinks = lazy(async () => ({ default: (await import('./related-links.js')).RelatedLinks }))

/** What belongs to content and is stored next to it: its related links and its comments. */
export const ContentPanels = ({ uuid, value, isAllowed }: BesideProps) => {
  const { content } = useTexts()
  const { iid } = useInstance()
  const { comments_count: count } = value
  return (
    <Stack>
      <Fieldset legend={content.relatedLinks}>
        <Suspense fallback={<Loading />}>
          <RelatedLinks uuid={uuid} isAllowed={isAllowed} />
        </Suspense>
      </Fieldset>
      <Anchor component={Link} href={`/${iid}/comments?content=${uuid}`} size="sm">
        {content.comments(typeof count === 'number' ? count : 0)}
      </Anchor>
    </Stack>
  )
}
