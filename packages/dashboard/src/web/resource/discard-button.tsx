import { Button, Text } from '@mantine/core'
import { maxLostUnasked } from '../../content/lost-characters.js'
import { Dialog, DialogOpener } from '../layout/dialog.js'
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
  return (
    <DialogOpener
      button={(open) => (
        <Button variant="default" disabled={disabled} onClick={lost > maxLostUnasked ? open : onDiscard}>
          {form.discard}
        </Button>
      )}
    >
      {(close) => (
        <Dialog
          title={form.discardTitle}
          onClose={close}
          cancel={form.keepEditing}
          isCautious
          buttons={
            <Button
              variant="default"
              onClick={() => {
                close()
                onDiscard()
              }}
            >
              {form.discard}
            </Button>
          }
        >
          <Text>{form.discardText}</Text>
        </Dialog>
      )}
    </DialogOpener>
  )
}
