import { Badge, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { IconDownload, IconPackageExport } from '@tabler/icons-react'
import { useState } from 'react'
import { dataOf, type components } from '@publishing-service/client'
import { EndJob } from '../jobs/end-job.js'
import { isOpen, JobProgress, JobState, refreshEvery, type Progressing } from '../jobs/job-state.js'
import { useUtcText, UtcTime } from '../layout/date-time.js'
import { Dialog, DialogOpener } from '../layout/dialog.js'
import { ErrorMessage } from '../layout/messages.js'
import { PageTitle } from '../layout/page-title.js'
import { PagedTable } from '../layout/rows-table.js'
import { useByteText } from '../library/library-page.js'
import { saveData } from '../library/save-data.js'
import { useInstance } from '../service/place.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'

type Export = components['schemas']['Export']

const fields = [
  'uuid',
  'history',
  'state',
  'problem',
  'created',
  'step',
  'done',
  'total',
  'seconds_left',
  'documents',
  'without_data',
  'bytes',
] as const satisfies readonly (keyof Export)[]

type Row = Pick<Export, (typeof fields)[number]>

const useExportAction = () => {
  const { iid } = useInstance()
  return useAction({ queryKey: [iid, 'exports', 'list'] })
}

const NewExport = ({ onClose }: { readonly onClose: () => void }) => {
  const { exports } = useTexts()
  const { api } = useInstance()
  const { error, isRunning, run } = useExportAction()
  const [history, setHistory] = useState(false)
  const begin = async () => {
    if (await run(() => api.create('exports', { history }))) onClose()
  }
  return (
    <Dialog
      title={exports.newTitle}
      onClose={onClose}
      buttons={
        <Button loading={isRunning} onClick={() => void begin()}>
          {exports.begin}
        </Button>
      }
    >
      <Switch
        label={exports.history}
        description={exports.historyHelp}
        checked={history}
        onChange={({ currentTarget: { checked } }) => setHistory(checked)}
      />
      {error !== null && <ErrorMessage error={error} />}
    </Dialog>
  )
}

/** How far an export is that runs: in documents, and then in bytes of files. */
const ExportProgress = ({ of, step }: { readonly of: Progressing; readonly step: string | null }) => {
  const { exports, locale } = useTexts()
  const bytes = useByteText()
  const numbers = new Intl.NumberFormat(locale)
  return (
    <JobProgress
      of={of}
      begins={exports.begins}
      doneOf={(done, total) =>
        step === 'copy blobs'
          ? exports.data({ done: bytes(done), total: bytes(total) })
          : exports.documents({ done: numbers.format(done), total: numbers.format(total) })
      }
    />
  )
}

type FileProps = { readonly of: Row; readonly title: string }

/** The file of an export that is finished. */
const ExportFile = ({ of: { uuid, created, documents, bytes, without_data: lost }, title }: FileProps) => {
  const { exports, locale } = useTexts()
  const { api, iid } = useInstance()
  const size = useByteText()
  const { error, isRunning, run } = useExportAction()
  const download = () =>
    run(async () => {
      const request = { params: { path: { iid, uuid } }, parseAs: 'blob' } as const
      const data = dataOf(await api.client.GET('/{iid}/exports/{uuid}/download', request))
      saveData(data, `export-${iid}-${created.slice(0, 10)}.zip`)
    })
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        {exports.made({ documents: new Intl.NumberFormat(locale).format(documents ?? 0), size: size(bytes) })}
      </Text>
      {lost !== null && lost > 0 && (
        <Text size="sm" c="red">
          {exports.withoutData(lost)}
        </Text>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={14} aria-hidden />}
        loading={isRunning}
        onClick={() => void download()}
        aria-label={`${exports.download}: ${title}`}
      >
        {exports.download}
      </Button>
      {error !== null && <ErrorMessage error={error} />}
    </Stack>
  )
}

/** The exports of an instance, the newest first. */
export const ExportsPage = () => {
  const { collections, exports, jobs } = useTexts()
  const { api, background, iid } = useInstance()
  const timeText = useUtcText()
  const titleOf = ({ created }: Pick<Row, 'created'>): string => exports.of({ time: timeText(created) })
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{collections.exports}</PageTitle>
        <DialogOpener
          button={(open) => (
            <Button onClick={open} leftSection={<IconPackageExport size={16} aria-hidden />}>
              {exports.new}
            </Button>
          )}
        >
          {(close) => <NewExport onClose={close} />}
        </DialogOpener>
      </Group>
      <Text size="sm" c="dimmed" maw={720}>
        {exports.text}
      </Text>
      <PagedTable
        queryKey={[iid, 'exports', 'list']}
        refreshEvery={refreshEvery}
        read={(page, signal, isAgain) =>
          (isAgain ? background : api).client.page('/{iid}/exports', {
            path: { iid },
            query: { fields, ...page },
            signal,
          })
        }
        isChanging={({ rows }) => rows.some(isOpen)}
        keyOf={({ uuid }) => uuid}
        head={[exports.export, jobs.state, exports.result, '']}
        empty={exports.none}
        minWidth={640}
      >
        {(row) => [
          <Stack key="export" gap={4} align="flex-start">
            <UtcTime value={row.created} />
            {row.history && (
              <Badge color="gray" variant="outline">
                {exports.history}
              </Badge>
            )}
          </Stack>,
          <Stack key="state" gap={4} align="flex-start">
            <JobState name={titleOf(row)} state={row.state} />
            <ExportProgress of={row} step={row.step} />
            {row.problem !== null && (
              <Text size="sm" className="fault">
                {row.problem}
              </Text>
            )}
          </Stack>,
          row.state === 'finished' ? <ExportFile key="file" of={row} title={titleOf(row)} /> : '–',
          <EndJob
            key="end"
            collection="exports"
            uuid={row.uuid}
            isOpen={isOpen(row)}
            title={titleOf(row)}
            isNamed
          />,
        ]}
      </PagedTable>
    </Stack>
  )
}
