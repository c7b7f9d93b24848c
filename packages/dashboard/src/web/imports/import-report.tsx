import { Button, List, NativeSelect, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { model } from 'virtual:model'
import {
  allOutcomes,
  importLine,
  lineFields,
  objectPath,
  refusedFirst,
  shownOutcome,
  type ImportLine,
} from '../../imports/import-line.js'
import { isOpen, refreshEvery } from '../jobs/job-state.js'
import { PagedTable } from '../layout/rows-table.js'
import { TitledCard } from '../layout/titled-card.js'
import { useListState } from '../service/list-state.js'
import { useInstance } from '../service/place.js'
import { labelOf, textNamed, useTexts } from '../texts/texts.js'
import type { Import } from './import-state.js'

const collections = model.resources.map(({ collection }) => collection)
const outcomes = refusedFirst(model.imports.outcomes)

type LineProps = {
  readonly line: ImportLine
  /** Whether nothing was written. */
  readonly isTrial: boolean
}

/** The record of a line, with a link to its object if there is one. */
const Record = ({ line, isTrial }: LineProps) => {
  const { imports } = useTexts()
  const { iid } = useInstance()
  const { source, title, line: number } = line
  const path = isTrial ? null : objectPath(line, collections)
  const name = title ?? source
  return (
    <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
      {path === null ? (
        <Text size="sm" fw={600}>
          {name}
        </Text>
      ) : (
        <Link href={`/${iid}/${path}`} className="row-link">
          {name}
        </Link>
      )}
      <Text size="xs" c="dimmed">
        {[source, ...(number === null ? [] : [imports.line({ line: number })])].join(' · ')}
      </Text>
    </Stack>
  )
}

/** Faults and notes that are shown at first. */
const fewRemarks = 5

/** Why a record is refused, and what is different from the source. */
const Remarks = ({ line: { faults, notes } }: Pick<LineProps, 'line'>) => {
  const texts = useTexts()
  const { imports } = texts
  const [isWhole, setWhole] = useState(false)
  const remarks: readonly ReactNode[] = [
    ...faults.map(({ path, message }) => (
      <>
        {path !== '' && <strong>{path.includes('.') ? path : labelOf(texts, path)}: </strong>}
        <span className="fault">{message}</span>
      </>
    )),
    ...notes.map(({ line, isInBody, text }) => (
      <>
        {text}
        {line !== null && (
          <Text span size="xs" c="dimmed">
            {' '}
            ({(isInBody ? imports.bodyLine : imports.line)({ line })})
          </Text>
        )}
      </>
    )),
  ]
  const further = isWhole ? 0 : Math.max(0, remarks.length - fewRemarks)
  return (
    <Stack gap={4} align="flex-start">
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {remarks.slice(0, remarks.length - further).map((remark, index) => (
          // A line does not change.
          // oxlint-disable-next-line react/no-array-index-key
          <List.Item key={index}>{remark}</List.Item>
        ))}
      </List>
      {further > 0 && (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
          {imports.more(further)}
        </Button>
      )}
    </Stack>
  )
}

/** The report of an import: what was refused, and what is different from the source. */
export const ImportReport = ({ of }: { readonly of: Import }) => {
  const { imports, list } = useTexts()
  const { api, background, iid } = useInstance()
  const { params, set } = useListState()
  const { uuid, state, counts, dry_run: isTrial } = of
  const outcome = shownOutcome(params.get('outcome'), outcomes, counts.refused)
  const isAll = outcome === allOutcomes
  return (
    <TitledCard title={imports.report}>
      <Stack>
        <Text size="sm" c="dimmed">
          {imports.reportText}
        </Text>
        <NativeSelect
          label={imports.outcome}
          maw={240}
          data={[
            { value: allOutcomes, label: list.any },
            ...outcomes.map((value) => ({ value, label: imports.outcomes[value] })),
          ]}
          value={outcome}
          onChange={(event) => set({ outcome: event.currentTarget.value })}
        />
        <PagedTable
          // The last lines are written with the last state.
          queryKey={[iid, 'imports', uuid, 'report', outcome, state]}
          refreshEvery={refreshEvery}
          read={async (page, signal, isAgain) => {
            const query = { fields: lineFields, ...(isAll ? {} : { outcome }), ...page }
            const path = `imports/${uuid}/report`
            const { rows, more } = await (isAgain ? background : api).list(path, query, signal)
            return { rows: rows.map(importLine), more }
          }}
          // Lines are only added, at the end.
          isChanging={({ more }) => !more && isOpen(of)}
          keyOf={({ number }) => number}
          head={[imports.record, imports.outcome, imports.remarks]}
          empty={isOpen(of) ? list.empty : isAll ? imports.noLines : list.emptyFiltered}
          minWidth={640}
        >
          {(line) => [
            <Record key="record" line={line} isTrial={isTrial} />,
            <Text key="outcome" size="sm" c={line.outcome === 'refused' ? 'red' : undefined}>
              {textNamed(imports.outcomes, line.outcome) ?? line.outcome}
            </Text>,
            <Remarks key="remarks" line={line} />,
          ]}
        </PagedTable>
      </Stack>
    </TitledCard>
  )
}
