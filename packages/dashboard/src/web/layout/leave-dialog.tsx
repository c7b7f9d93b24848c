import { Button, Text } from '@mantine/core'
import { useLeaving } from '../service/unsaved.js'
import { useTexts } from '../texts/texts.js'
import { Dialog } from './dialog.js'

/** Confirms that a page with unsaved changes is left. */
export const LeaveDialog = () => {
  const leaving = useLeaving()
  const { form } = useTexts()
  if (leaving === null) return null
  return (
    <Dialog
      title={form.leaveTitle}
      onClose={leaving.stay}
      cancel={form.stay}
      isCautious
      buttons={
        <Button variant="default" onClick={leaving.proceed}>
          {form.leave}
        </Button>
      }
    >
      <Text>{form.leaveText}</Text>
    </Dialog>
  )
}
