import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPackageImport } from '@tabler/icons-react'
import { Link } from 'wouter'
import { isOpen, refreshEvery } from '../jobs/job-state.js'
import { UtcTime } from '../layout/date-time.js'
import { PageTitle } from '../layout/page-title.js'
import { PagedTable } from '../layout/rows-table.js'
import { useInstance } from '../service/place.js'
import { useTexts, wordOf } from '../texts/texts.js'
import { ImportCounts, ImportProgress, ImportState } from './import-state.js'

const fields = [
  'uuid',
  'kind',
  'dry_run',
  'state',
  'created',
  'done',
  'total',
  'seconds_left',
  'counts',
] as const

/** The imports of an instance, the newest first. */
export const ImportsPage = () => {
  const texts = useTexts()
  const { collections, imports, jobs } = texts
  const { api, background, iid } = useInstance()
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{collections.imports}</PageTitle>
        <Button
          component={Link}
          href={`/${iid}/imports/new`}
          leftSection={<IconPackageImport size={16} aria-hidden />}
        >
          {imports.new}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" maw={720}>
        {imports.text}
      </Text>
      <PagedTable
        queryKey={[iid, 'imports', 'list']}
        refreshEvery={refreshEvery}
        read={(page, signal, isAgain) =>
          (isAgain ? background : api).client.page('/{iid}/imports', {
            path: { iid },
            query: { fields, ...page },
            signal,
          })
        }
        isChanging={({ rows }) => rows.some(isOpen)}
        keyOf={({ uuid }) => uuid}
        head={[imports.import, jobs.state, imports.result]}
        empty={imports.none}
        minWidth={560}
      >
        {(row) => [
          <Link key="import" href={`/${iid}/imports/${row.uuid}`} className="row-link">
            {wordOf(texts, row.kind)}, <UtcTime value={row.created} />
          </Link>,
          <Stack key="state" gap={4}>
            <ImportState {...row} />
            <ImportProgress of={row} />
          </Stack>,
          <ImportCounts key="counts" counts={row.counts} />,
        ]}
      </PagedTable>
    </Stack>
  )
}
