import { itemsIn } from '../../json.js'
import { Anchor, Fieldset, List, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { Loading } from '../layout/messages.js'
import type { SidePanelProps } from '../resource/resource-editor.js'
import { useInstance } from '../service/place.js'
import { labelOf, useTexts } from '../texts/texts.js'

/** Loaded with the library for dragging. */
const RelatedLinks = lazy(async () => ({ default: (await import('./related-links.js')).RelatedLinks }))

/** The public paths that content had; they lead to its present one. */
const EarlierPaths = ({ uuid }: { readonly uuid: string }) => {
  const { content } = useTexts()
  const { api, iid } = useInstance()
  const { data } = useQuery({
    queryKey: [iid, 'content', uuid, 'path_history'],
    queryFn: () => api.read(`content/${uuid}/path_history`),
  })
  const paths = itemsIn(data?.value ?? {})
  if (paths.length === 0) return null
  return (
    <Fieldset legend={content.earlierPaths}>
      <List size="sm" className="version">
        {paths.map(({ path }) => (
          <List.Item key={String(path)}>{String(path)}</List.Item>
        ))}
      </List>
    </Fieldset>
  )
}

/** What belongs to content and is stored next to it: its related links, comments and earlier paths. */
export const ContentPanels = ({ uuid, partsOf, value, isAllowed }: SidePanelProps) => {
  const texts = useTexts()
  const { iid } = useInstance()
  const { comments_count: count } = value
  return (
    <Stack>
      <Fieldset legend={labelOf(texts, 'related_links')}>
        <Suspense fallback={<Loading />}>
          <RelatedLinks partsOf={partsOf} isAllowed={isAllowed} />
        </Suspense>
      </Fieldset>
      <Anchor component={Link} href={`/${iid}/comments?content=${uuid}&order=tree`} size="sm">
        {texts.content.comments(typeof count === 'number' ? count : 0)}
      </Anchor>
      <EarlierPaths uuid={uuid} />
    </Stack>
  )
}
