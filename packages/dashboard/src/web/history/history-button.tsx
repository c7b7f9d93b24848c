import { Alert, Button, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import type { ResourceModel } from '@publishing-service/dashboard'
import type { Version } from '../../history/versions.js'
import { isLive } from '../../structure/uses.js'
import { UtcTime } from '../layout/date-time.js'
import { Dialog, DialogOpener } from '../layout/dialog.js'
import { Loading } from '../layout/messages.js'
import { useInstanceTime } from '../publication/publication-status.js'
import { SaveErrors } from '../resource/save-bar.js'
import type { Versioned } from '../service/api.js'
import { useInstance } from '../service/place.js'
import { hasUnsaved } from '../service/unsaved.js'
import { useSave } from '../service/use-save.js'
import { useTexts } from '../texts/texts.js'

/** Loaded with the comparison of texts. */
const VersionList = lazy(async () => ({ default: (await import('./version-list.js')).VersionList }))

export type HistoryProps = {
  readonly resource: ResourceModel
  readonly uuid: string
  /** The object as the page has loaded it. */
  readonly loaded: Versioned
  /** Shows the object again, which has been read. */
  readonly onRestored: () => void
}

/** A version with the object as it was. */
type Chosen = { readonly version: Version; readonly earlier: JsonObject }

type RestoreProps = HistoryProps & Chosen & { readonly onClose: () => void }

/** Asks before a version is restored, and again if somebody else has saved another one. */
const RestoreDialog = ({ resource, uuid, loaded, version, earlier, onRestored, onClose }: RestoreProps) => {
  const { conflict: conflictTexts, history } = useTexts()
  const { api } = useInstance()
  const path = `${resource.segments}/${uuid}`
  const saving = useSave(
    (_changes, tag) => api.restore(`${path}/versions/${version.number}`, tag),
    () => api.read(path),
  )
  const { conflict, isSaving } = saving
  const present = conflict ?? loaded
  const now = useInstanceTime()
  const willBeLive = isLive(earlier, now)
  const restore = async () => {
    if ((await saving.save({}, present.tag)) !== null) onRestored()
  }
  return (
    <Dialog
      title={history.restoreTitle}
      onClose={onClose}
      isCautious
      buttons={
        <Button loading={isSaving} onClick={() => void restore()}>
          {conflict === null ? history.restore : history.restoreAnyway}
        </Button>
      }
    >
      <Text size="sm" fw={600}>
        <UtcTime value={version.row['time'] ?? null} />
      </Text>
      <Text size="sm">{history.restoreText}</Text>
      {willBeLive !== isLive(present.value, now) && (
        <Text size="sm" fw={600}>
          {willBeLive ? history.publishes : history.withdraws}
        </Text>
      )}
      {hasUnsaved() && (
        <Text size="sm" fw={600}>
          {history.unsaved}
        </Text>
      )}
      {conflict !== null && (
        <Alert color="yellow" role="alert" title={conflictTexts.title}>
          {history.stale}
        </Alert>
      )}
      <SaveErrors {...saving} />
    </Dialog>
  )
}

const HistoryDialog = ({ onClose, ...object }: HistoryProps & { readonly onClose: () => void }) => {
  const { form, history } = useTexts()
  const [opened, setOpened] = useState<number | null>(null)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  if (chosen !== null) return <RestoreDialog {...object} {...chosen} onClose={() => setChosen(null)} />
  return (
    <Dialog
      title={history.title}
      size="xl"
      centered={false}
      onClose={onClose}
      cancel={form.close}
      buttons={null}
    >
      <Suspense fallback={<Loading />}>
        <VersionList
          resource={object.resource}
          uuid={object.uuid}
          present={object.loaded.value}
          opened={opened}
          onOpen={setOpened}
          onRestore={(version, earlier) => setChosen({ version, earlier })}
        />
      </Suspense>
    </Dialog>
  )
}

/** Opens the versions of an object. */
export const HistoryButton = (object: HistoryProps) => {
  const { history } = useTexts()
  return (
    <DialogOpener
      button={(open) => (
        <Button
          variant="subtle"
          flex="none"
          leftSection={<IconHistory size={16} aria-hidden />}
          onClick={open}
        >
          {history.title}
        </Button>
      )}
    >
      {(close) => <HistoryDialog {...object} onClose={close} />}
    </DialogOpener>
  )
}
