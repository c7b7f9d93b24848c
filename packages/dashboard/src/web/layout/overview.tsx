import { Anchor, Badge, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { model } from 'virtual:model'
import { mayAct, useInstance, useSettings } from '../service/instance-context.js'
import { SiteIcon, useSiteAddress } from '../publication/site-link.js'
import { PageTitle } from './page-title.js'
import { useTexts, wordOf } from '../texts/texts.js'
import { DateTime } from './date-time.js'
import { Loaded } from './messages.js'

const latestFields = ['uuid', 'title', 'content_type', 'state', 'issued', 'modified', 'path']

const Latest = () => {
  const { api, iid } = useInstance()
  const texts = useTexts()
  const { list } = texts
  const addressOf = useSiteAddress()
  const query = useQuery({
    queryKey: [iid, 'content', 'latest'],
    queryFn: ({ signal }) =>
      api.list('content', { fields: latestFields, order: 'modified.desc', rpp: 10 }, signal),
  })
  return (
    <Loaded query={query}>
      {({ rows }) =>
        rows.length === 0 ? (
          <Text c="dimmed">{list.empty}</Text>
        ) : (
          <Stack gap={4}>
            {rows.map((row) => {
              const title = String(row['title'] ?? list.untitled)
              const address = addressOf(row)
              return (
                <Group key={String(row['uuid'])} justify="space-between" wrap="nowrap">
                  <Anchor component={Link} href={`/${iid}/content/${String(row['uuid'])}`} lineClamp={1}>
                    {title}
                  </Anchor>
                  <Group gap="xs" wrap="nowrap">
                    {address !== null && <SiteIcon address={address} title={title} />}
                    <Badge
                      size="sm"
                      variant="light"
                      tt="none"
                      miw="fit-content"
                      color={row['state'] === 'published' ? 'green' : 'gray'}
                    >
                      {wordOf(texts, String(row['state']))}
                    </Badge>
                    <Text size="sm" c="dimmed" visibleFrom="sm">
                      <DateTime value={row['modified'] ?? null} />
                    </Text>
                  </Group>
                </Group>
              )
            })}
          </Stack>
        )
      }
    </Loaded>
  )
}

/** The start page of an instance. */
export const Overview = () => {
  const { iid, role } = useInstance()
  const { collections, shell } = useTexts()
  const settings = useSettings()
  return (
    <Stack>
      <PageTitle windowTitle={shell.overview}>{settings?.title ?? ''}</PageTitle>
      <Card withBorder>
        <Title order={2} size="h4" mb="sm">
          {collections['content']}
        </Title>
        <Latest />
      </Card>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
        {model.resources
          .filter(({ collection }) => mayAct(role, collection, 'read'))
          .map(({ collection }) => (
            <Card key={collection} component={Link} href={`/${iid}/${collection}`} withBorder padding="sm">
              <Text fw={600}>{collections[collection] ?? collection}</Text>
            </Card>
          ))}
      </SimpleGrid>
    </Stack>
  )
}
