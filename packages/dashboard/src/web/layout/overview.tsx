import { Card, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { ResourceModel } from '@publishing-service/dashboard'
import { model } from 'virtual:model'
import { ObjectsTable, tableQuery } from '../resource/objects-table.js'
import { mayAct, resourceNamed, useInstance, useSettings } from '../service/place.js'
import { useRows } from '../service/use-object.js'
import { useTexts } from '../texts/texts.js'
import { Loaded } from './messages.js'
import { PageTitle } from './page-title.js'

/** The content that was changed last. */
const Latest = ({ resource }: { readonly resource: ResourceModel }) => {
  const query = useRows(resource.segments, { ...tableQuery(resource), order: 'modified.desc', rpp: 10 })
  return <Loaded query={query}>{(found) => <ObjectsTable resource={resource} found={found} />}</Loaded>
}

/** The start page of an instance. */
export const Overview = () => {
  const { iid, role } = useInstance()
  const { collections, shell } = useTexts()
  const settings = useSettings()
  const content = resourceNamed('content')
  return (
    <Stack>
      <PageTitle windowTitle={shell.overview}>{settings?.title ?? ''}</PageTitle>
      <Card withBorder>
        <Title order={2} size="h4" mb="sm">
          {collections['content']}
        </Title>
        {content !== undefined && <Latest resource={content} />}
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
