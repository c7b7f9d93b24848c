import { NativeSelect, SimpleGrid, Stack } from '@mantine/core'
import { useSearchParams } from 'wouter'
import { Loaded } from '../layout/messages.js'
import { useInstance } from '../service/place.js'
import { navigate } from '../service/unsaved.js'
import { useRows } from '../service/use-object.js'
import { PageTitle } from '../layout/page-title.js'
import { labelOf, useTexts } from '../texts/texts.js'
import { StoriesEditor } from './lists.js'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** The stories of the homepages: of the first one, and of the days of the week. */
export const HomepagePage = () => {
  const texts = useTexts()
  const { structure, collections, locale } = texts
  const { iid } = useInstance()
  const [search] = useSearchParams()
  const id = search.get('day') ?? ''
  const first = useRows('homepage', { fields: ['uuid'], rpp: 1 })
  const dayName = (index: number): string =>
    // The first of January 2024 was a Monday.
    new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + index))
  return (
    <Stack>
      <PageTitle>{collections['homepage']}</PageTitle>
      <Loaded query={first}>
        {({ rows: [row] }) => {
          const firstId = String(row?.['uuid'])
          const path = `homepage/${id === '' ? firstId : id}`
          return (
            <>
              <NativeSelect
                label={collections['homepage']}
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
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
                {(['headline_stories', 'featured_stories'] as const).map((list) => (
                  <StoriesEditor
                    key={`${path}/${list}`}
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
