import { Button, Group, Modal, Text } from '@mantine/core'
import { useLeaving } from '../service/unsaved.js'
import { useTexts } from '../texts/texts.js'

/** Confirms that a page with unsaved changes is left. */
export const LeaveDialog = () => {
  const leaving = useLeaving()
  const { form } = useTexts()
  return (
    <Modal opened={leaving !== null} onClose={() => leaving?.stay()} title={form.leaveTitle} centered>
      <Text mb="md">{form.leaveText}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => leaving?.proceed()}>
          {form.leave}
        </Button>
        <Button data-autofocus onClick={() => leaving?.stay()}>
          {form.stay}
        </Button>
      </Group>
    </Modal>
  )
}
