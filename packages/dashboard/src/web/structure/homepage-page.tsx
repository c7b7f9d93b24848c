import { Group, NativeSelect, SimpleGrid, Stack } from '@mantine/core'
import { useState, type ComponentType } from 'react'
import { useSearchParams } from 'wouter'
import type { ResourceModel } from '@publishing-service/dashboard'
import type { HistoryProps } from '../history/history-button.js'
import { Loaded } from '../layout/messages.js'
import { useInstance, usePermission } from '../service/place.js'
import { navigate } from '../service/unsaved.js'
import { usePresence } from '../service/use-presence.js'
import { useObject, useRows } from '../service/use-object.js'
import { PageTitle } from '../layout/page-title.js'
import { PresenceNotice } from '../layout/presence-notice.js'
import { labelOf, useTexts } from '../texts/texts.js'
import { StoriesEditor } from './lists.js'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

type PageProps = {
  readonly resource: ResourceModel
  /** The button that opens the versions of a homepage. */
  readonly history: ComponentType<HistoryProps>
}

type ShownProps = PageProps & Omit<HistoryProps, 'loaded'>

const HomepageHistory = ({ resource, uuid, history: History, onRestored }: ShownProps) => {
  const { data } = useObject(resource.collection, uuid)
  const isAllowed = usePermission(resource.collection, 'history')
  return data === undefined || !isAllowed ? null : (
    <History resource={resource} uuid={uuid} loaded={data} onRestored={onRestored} />
  )
}

const HomepagePresence = ({ path }: { readonly path: string }) => {
  const isAllowed = usePermission('homepage', 'update')
  return <PresenceNotice others={usePresence(isAllowed ? path : null).others} />
}

/** The stories of the homepages: of the first one, and of the days of the week. */
export const HomepagePage = (props: PageProps) => {
  const texts = useTexts()
  const { structure, collections, locale } = texts
  const { iid } = useInstance()
  const [search] = useSearchParams()
  const id = search.get('day') ?? ''
  const [restorations, setRestorations] = useState(0)
  const first = useRows('homepage', { fields: ['uuid'], rpp: 1 })
  const dayName = (index: number): string =>
    // The first of January 2024 was a Monday.
    new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + index))
  return (
    <Stack>
      <PageTitle>{collections.homepage}</PageTitle>
      <Loaded query={first}>
        {({ rows: [row] }) => {
          const shown = id === '' ? String(row?.['uuid']) : id
          const path = `homepage/${shown}`
          return (
            <>
              <Group justify="space-between" align="flex-end">
                <NativeSelect
                  label={collections.homepage}
                  data={[
                    { value: '', label: structure.firstHomepage },
                    ...days.map((day, index) => ({ value: day, label: dayName(index) })),
                  ]}
                  value={id}
                  onChange={({ currentTarget: { value: day } }) =>
                    navigate(day === '' ? `/${iid}/homepage` : `/${iid}/homepage?day=${day}`)
                  }
                  maw={320}
                />
                <HomepageHistory
                  key={shown}
                  {...props}
                  uuid={shown}
                  onRestored={() => setRestorations((count) => count + 1)}
                />
              </Group>
              <HomepagePresence path={path} />
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
                {(['headline_stories', 'featured_stories'] as const).map((list) => (
                  <StoriesEditor
                    key={`${path}/${list}/${restorations}`}
                    path={`${path}/${list}`}
                    title={labelOf(texts, list)}
                  />
                ))}
              </SimpleGrid>
            </>
          )
        }}
      </Loaded>
    </Stack>
  )
}
