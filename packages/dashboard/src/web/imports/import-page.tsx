import { Alert, Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { dataOf } from '@publishing-service/client'
import { isJsonObject, type Json } from '@publishing-service/domain/json'
import type { Field } from '@publishing-service/dashboard'
import { model } from 'virtual:model'
import { optionsOf } from '../../imports/import-request.js'
import { useTitle } from '../fields/reference-input.js'
import { isOpen, refreshEvery } from '../jobs/job-state.js'
import { UtcTime } from '../layout/date-time.js'
import { Loaded } from '../layout/messages.js'
import { PageTitle } from '../layout/page-title.js'
import { TitledCard } from '../layout/titled-card.js'
import { ShownValue } from '../resource/shown-value.js'
import classes from '../resource/shown-value.module.css'
import { listPath } from '../service/list-state.js'
import { useInstance } from '../service/place.js'
import { isServiceError, NotSignedIn } from '../service/session.js'
import { useTexts, wordOf } from '../texts/texts.js'
import { ImportActions } from './import-actions.js'
import { ImportReport } from './import-report.js'
import { ImportCounts, ImportProgress, ImportState, type Import } from './import-state.js'
import { useImportLabel } from './use-import-label.js'

type ImportProps = { readonly of: Import }

const FileLink = ({ uuid }: { readonly uuid: string }) => {
  const { iid } = useInstance()
  const title = useTitle('files', uuid)
  return (
    <Anchor component={Link} href={`/${iid}/files/${uuid}`} inherit>
      {title ?? uuid}
    </Anchor>
  )
}

type Row = readonly [label: string, value: ReactNode]

const times = ['created', 'started', 'ended'] as const

/** What the import was begun with, and when. */
const Details = ({ of }: ImportProps) => {
  const { imports, jobs } = useTexts()
  const labelOf = useImportLabel()
  const { kind, file_uuid: file, options, replace, fetch } = of
  /** An attribute, or each part of one that has parts. */
  const rowsOf = (from: readonly Field[], [name, value]: readonly [string, Json]): readonly Row[] => {
    const type = from.find((field) => field.name === name)?.value
    if (type?.kind === 'object' && isJsonObject(value))
      return Object.entries(value).flatMap((part) => rowsOf(type.fields, part))
    return [[labelOf(name), <ShownValue key={name} type={type} value={value} />]]
  }
  const rows: readonly Row[] = [
    [labelOf('file_uuid'), <FileLink key="file" uuid={file} />],
    ...Object.entries(isJsonObject(options) ? options : {}).flatMap((option) =>
      rowsOf(optionsOf(model.imports, kind), option),
    ),
    ...Object.entries({ replace, fetch }).flatMap((attribute) => rowsOf(model.imports.fields, attribute)),
    ...times
      .filter((name) => of[name] !== null)
      .map((name) => [jobs.times[name], <UtcTime key={name} value={of[name]} />] as const),
  ]
  return (
    <TitledCard title={imports.details}>
      <Text component="dl" size="sm" className={classes['parts']}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </Text>
    </TitledCard>
  )
}

const Shown = ({ of }: ImportProps) => {
  const texts = useTexts()
  const { form, imports } = texts
  const { iid } = useInstance()
  const title = imports.ofKind({ kind: wordOf(texts, of.kind) })
  return (
    <Stack maw={980}>
      <Anchor component={Link} href={listPath(`/${iid}/imports`)} size="sm">
        {form.back}
      </Anchor>
      <Group>
        <PageTitle>{title}</PageTitle>
        <ImportState {...of} />
      </Group>
      {of.problem !== null && (
        <Alert color="red">
          <Text size="sm" className="fault">
            {of.problem}
          </Text>
        </Alert>
      )}
      <ImportProgress of={of} />
      <TitledCard title={imports.result}>
        <ImportCounts counts={of.counts} />
      </TitledCard>
      <ImportActions of={of} title={title} />
      <Details of={of} />
      <ImportReport of={of} />
    </Stack>
  )
}

/** Whether a further request would fail in the same way. */
const isFinal = (error: unknown): boolean =>
  error instanceof NotSignedIn || (isServiceError(error) && error.status < 500)

/** One import: its state, what became of the records, and its report. It is read again until it ends. */
export const ImportPage = ({ uuid }: { readonly uuid: string }) => {
  const { api, background, iid } = useInstance()
  const queries = useQueryClient()
  const queryKey = [iid, 'imports', uuid]
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      const { client } = queries.getQueryData(queryKey) === undefined ? api : background
      const params = { path: { iid, uuid } }
      return dataOf(await client.GET('/{iid}/imports/{uuid}', { params, cache: 'no-cache' }))
    },
    staleTime: 0,
    refetchInterval: ({ state: { data, error } }) =>
      data !== undefined && isOpen(data) && !isFinal(error) && refreshEvery,
  })
  return <Loaded query={query}>{(found) => <Shown of={found} />}</Loaded>
}
