import { useState } from 'react'
import { model } from 'virtual:model'
import { DangerDialog } from '../layout/danger-dialog.js'
import { DangerOpener } from '../layout/dialog.js'
import type { Api } from '../service/api.js'
import { useInstance } from '../service/place.js'
import { isServiceError } from '../service/session.js'
import { useTexts } from '../texts/texts.js'

const mostAttempts = 10

/** Cancels a job. The same request would delete one that has ended meanwhile, with what belongs to it: that remains. */
const cancelJob = async (api: Api, path: string): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    const { value, tag } = await api.read(path)
    if (!model.openJobStates.some((state) => state === value['state'])) return
    try {
      return await api.remove(path, {}, tag)
    } catch (error) {
      // Its progress was written meanwhile.
      const isChanged = isServiceError(error) && error.status === 412
      if (!isChanged || attempt === mostAttempts) throw error
    }
  }
}

type EndProps = {
  readonly collection: 'imports' | 'exports'
  readonly uuid: string
  /** Whether it waits or runs. */
  readonly isOpen: boolean
  readonly title: string
  /** Whether the button says which one it is, because there are several. */
  readonly isNamed?: boolean
  readonly onRemoved?: () => void
}

/** The question whether to cancel a job or to delete it. It remains the same if the job ends meanwhile. */
const EndDialog = ({
  collection,
  uuid,
  isOpen,
  title,
  onRemoved,
  onClose,
}: EndProps & { readonly onClose: () => void }) => {
  const texts = useTexts()
  const { form, jobs } = texts
  const words = texts[collection]
  const { api, iid } = useInstance()
  const [wasOpen] = useState(isOpen)
  const path = `${collection}/${uuid}`
  return wasOpen ? (
    <DangerDialog
      title={words.cancelTitle}
      text={words.cancelText}
      label={words.cancel}
      cancel={jobs.continue}
      send={() => cancelJob(api, path)}
      queryKey={[iid, collection]}
      onClose={onClose}
    />
  ) : (
    <DangerDialog
      title={form.deleteTitle({ title })}
      text={words.deleteText}
      label={form.delete}
      send={() => api.remove(path)}
      queryKey={[iid, collection, 'list']}
      onDone={onRemoved}
      onClose={onClose}
    />
  )
}

/** The button that cancels a job while it waits or runs, and else deletes it. */
export const EndJob = (props: EndProps) => {
  const texts = useTexts()
  const { collection, isOpen, title, isNamed = false } = props
  return (
    <DangerOpener
      label={isOpen ? texts[collection].cancel : texts.form.delete}
      name={isNamed ? title : undefined}
    >
      {(close) => <EndDialog {...props} onClose={close} />}
    </DangerOpener>
  )
}
