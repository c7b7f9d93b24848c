import { Accordion, Badge, Box, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JsonObject } from '@publishing-service/domain/json'
import { versionsIn, type Version } from '../../history/versions.js'
import { ChangeSentence } from '../layout/change-sentence.js'
import { UtcTime } from '../layout/date-time.js'
import { Loaded } from '../layout/messages.js'
import { useInstance } from '../service/place.js'
import { titleIn } from '../service/titles.js'
import { collectionName, labelOf, useTexts } from '../texts/texts.js'
import { Comparison, type ComparedObject } from './comparison.js'
import classes from './history.module.css'

type SummaryProps = { readonly version: Version; readonly title: string; readonly isCurrent: boolean }

/** When a version was written, by whom, and what that changed. */
const Summary = ({ version: { row, changed }, title, isCurrent }: SummaryProps) => {
  const texts = useTexts()
  const { history } = texts
  return (
    <Stack gap={2} className={classes['summary']}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          <UtcTime value={row['time'] ?? null} />
        </Text>
        {isCurrent && (
          <Badge variant="light" size="sm">
            {history.current}
          </Badge>
        )}
      </Group>
      {typeof row['name'] === 'string' ? (
        <ChangeSentence row={row}>{title}</ChangeSentence>
      ) : (
        <Text size="sm">{history.unrecorded}</Text>
      )}
      {changed.length > 0 && (
        <Text size="xs" c="dimmed">
          {changed.map((name) => labelOf(texts, name)).join(', ')}
        </Text>
      )}
    </Stack>
  )
}

type ListProps = ComparedObject & {
  /** The number of the version that is compared; null for none. */
  readonly opened: number | null
  readonly onOpen: (number: number | null) => void
  readonly onRestore: (version: Version, earlier: JsonObject) => void
}

/** The versions of an object, the newest first. Each but the current one can be compared and restored. */
export const VersionList = ({ opened, onOpen, onRestore, ...object }: ListProps) => {
  const { resource, uuid, present } = object
  const { audit, collections, history } = useTexts()
  const { api, iid } = useInstance()
  const query = useQuery({
    queryKey: [iid, resource.collection, uuid, 'versions'],
    queryFn: () => api.read(`${resource.segments}/${uuid}/versions?rpp=100`),
    staleTime: 0,
  })
  const title = titleIn(present)
  const named =
    title === null
      ? audit.unnamed({ collection: collectionName(collections, resource.collection) })
      : audit.quoted({ title })
  return (
    <Loaded query={query}>
      {({ value }) => {
        const versions = versionsIn(value)
        const [current] = versions
        if (current === undefined) return <Text c="dimmed">{history.none}</Text>
        return (
          <Accordion
            variant="separated"
            order={3}
            value={opened === null ? null : String(opened)}
            onChange={(next) => onOpen(next === null ? null : Number(next))}
          >
            {versions.map((version) => {
              const { number } = version
              const isCurrent = version === current
              const summary = <Summary version={version} title={named} isCurrent={isCurrent} />
              return (
                <Accordion.Item key={number} value={String(number)}>
                  {isCurrent ? (
                    <Box p="md">{summary}</Box>
                  ) : (
                    <>
                      <Accordion.Control>{summary}</Accordion.Control>
                      <Accordion.Panel>
                        {number === opened && (
                          <Comparison
                            {...object}
                            versions={versions}
                            number={number}
                            onRestore={(earlier) => onRestore(version, earlier)}
                          />
                        )}
                      </Accordion.Panel>
                    </>
                  )}
                </Accordion.Item>
              )
            })}
          </Accordion>
        )
      }}
    </Loaded>
  )
}
