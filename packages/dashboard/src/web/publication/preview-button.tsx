import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { ErrorMessage } from '../layout/messages.js'
import { useInstance, useSettings } from '../service/place.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'

/** Shows an object with its draft on the website, as it is saved, if the settings have an address for that. */
export const PreviewButton = ({ path }: { readonly path: string }) => {
  const { publication } = useTexts()
  const { api, iid } = useInstance()
  const { preview_url: template = null } = useSettings() ?? {}
  const { error, isRunning, run } = useAction({ queryKey: [iid, 'previews'] })
  if (template === null) return null
  const show = async (): Promise<void> => {
    // Browsers block pages that are opened later than the click.
    const page = window.open('', '_blank')
    const isShown = await run(async () => {
      const { value } = await api.create(`${path}/preview`, {})
      if (page === null) return
      // The website does not get the window of the dashboard.
      page.opener = null
      page.location.href = String(value['url'])
    })
    if (!isShown) page?.close()
  }
  return (
    <>
      <Button
        variant="subtle"
        flex="none"
        leftSection={<IconEye size={16} aria-hidden />}
        loading={isRunning}
        onClick={() => void show()}
      >
        {publication.preview}
      </Button>
      {error !== null && <ErrorMessage error={error} />}
    </>
  )
}
