import { Anchor, Badge, Fieldset, Group, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from 'wouter'
import { model } from 'virtual:model'
import { ErrorMessage, Loading } from '../layout/messages.js'
import type { BesideProps } from '../resource/resource-editor.js'
import { useInstance } from '../service/instance-context.js'
import { titleFieldsOf, titleIn } from '../service/titles.js'
import { useTexts } from '../texts/texts.js'

const maxShown = 10

/** The resources whose objects can use files. */
const usingFiles = model.resources.filter(({ filters }) => filters.some(({ name }) => name === 'files'))

/** The objects that use a file. */
export const FileUses = ({ uuid }: BesideProps) => {
  const { library, collections } = useTexts()
  const { api, iid } = useInstance()
  const found = useQueries({
    queries: usingFiles.map(({ collection, segments }) => {
      const query = { fields: ['uuid', ...titleFieldsOf(collection)], files: uuid, rpp: maxShown }
      return {
        queryKey: [iid, collection, query],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => api.list(segments, query, signal),
      }
    }),
  })
  const failed = found.find(({ error }) => error !== null)
  const isLoading = found.some(({ isPending }) => isPending)
  const isUsed = found.some(({ data }) => data !== undefined && data.rows.length > 0)
  return (
    <Fieldset legend={library.uses}>
      <Stack gap="xs">
        {usingFiles.map(({ collection }, index) => {
          const { rows = [], hasMore = false } = found[index]?.data ?? {}
          const name = collections[collection] ?? collection
          return rows
            .map((row) => (
              <Group key={String(row['uuid'])} gap="xs" justify="space-between" wrap="nowrap">
                <Link href={`/${iid}/${collection}/${String(row['uuid'])}`} className="row-link">
                  {titleIn(row) ?? name}
                </Link>
                <Badge variant="light" color="gray" size="sm">
                  {name}
                </Badge>
              </Group>
            ))
            .concat(
              hasMore ? (
                <Anchor
                  key={collection}
                  component={Link}
                  href={`/${iid}/${collection}?files=${uuid}`}
                  size="sm"
                >
                  {library.moreUses(name)}
                </Anchor>
              ) : (
                []
              ),
            )
        })}
        {failed !== undefined && <ErrorMessage error={failed.error} />}
        {failed === undefined && isLoading && <Loading />}
        {failed === undefined && !isLoading && !isUsed && <Text size="sm">{library.noUses}</Text>}
      </Stack>
    </Fieldset>
  )
}
