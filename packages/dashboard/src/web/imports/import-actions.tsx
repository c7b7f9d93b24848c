import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { model } from 'virtual:model'
import { requestAfterTrial } from '../../imports/import-request.js'
import { EndJob } from '../jobs/end-job.js'
import { isOpen } from '../jobs/job-state.js'
import { ErrorMessage } from '../layout/messages.js'
import { listPath } from '../service/list-state.js'
import { useInstance } from '../service/place.js'
import { navigateSaved } from '../service/unsaved.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'
import type { Import } from './import-state.js'

type ImportProps = { readonly of: Import }

/** Imports what a dry run has tried. */
const ImportNow = ({ of: tried }: ImportProps) => {
  const { imports } = useTexts()
  const { api, iid } = useInstance()
  const { error, isRunning, run } = useAction({ queryKey: [iid, 'imports', 'list'] })
  const begin = () =>
    run(async () => {
      const { value } = await api.create('imports', requestAfterTrial(model.imports, tried))
      navigateSaved(`/${iid}/imports/${String(value['uuid'])}`)
    })
  return (
    <Alert>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{imports.tried}</Text>
        <Button loading={isRunning} onClick={() => void begin()}>
          {imports.now}
        </Button>
        {error !== null && <ErrorMessage error={error} />}
      </Stack>
    </Alert>
  )
}

/** What can be done with an import: cancel it while it waits or runs, else delete it; import what a dry run has tried. */
export const ImportActions = ({ of, title }: ImportProps & { readonly title: string }) => {
  const { iid } = useInstance()
  return (
    <>
      {of.dry_run && of.state === 'finished' && <ImportNow of={of} />}
      <Group>
        <EndJob
          collection="imports"
          uuid={of.uuid}
          isOpen={isOpen(of)}
          title={title}
          onRemoved={() => navigateSaved(listPath(`/${iid}/imports`))}
        />
      </Group>
    </>
  )
}
