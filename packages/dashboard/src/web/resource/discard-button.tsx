import { Button, Group, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { maxLostUnasked } from '../../content/lost-characters.js'
import { useTexts } from '../texts/texts.js'

type DiscardProps = {
  /** The characters that are lost. */
  readonly lost: number
  readonly disabled: boolean
  readonly onDiscard: () => void
}

/** Drops changes: at once if they are short, otherwise after a confirmation. */
export const DiscardButton = ({ lost, disabled, onDiscard }: DiscardProps) => {
  const { form } = useTexts()
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" disabled={disabled} onClick={lost > maxLostUnasked ? open : onDiscard}>
        {form.discard}
      </Button>
      <Modal opened={isOpen} onClose={close} title={form.discardTitle} centered>
        <Text mb="md">{form.discardText}</Text>
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => {
              close()
              onDiscard()
            }}
          >
            {form.discard}
          </Button>
          <Button data-autofocus onClick={close}>
            {form.keepEditing}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
