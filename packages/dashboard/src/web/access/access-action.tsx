import { Button, Text, type ButtonProps } from '@mantine/core'
import { Dialog, DialogOpener } from '../layout/dialog.js'
import { ErrorMessage } from '../layout/messages.js'
import { isServiceError } from '../service/session.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'
import type { RightsChange } from './use-rights-change.js'

type ConfirmationProps = {
  readonly label: string
  readonly title: string
  readonly text: string
  readonly run: RightsChange
  readonly onDone?: (() => void) | undefined
}

const Confirmation = ({
  label,
  title,
  text,
  run,
  onDone,
  onClose,
}: ConfirmationProps & { readonly onClose: () => void }) => {
  const { access } = useTexts()
  const { error, isRunning, run: send } = useAction()
  const isLastKey = isServiceError(error) && error.faults['confirm'] !== undefined
  const proceed = async () => {
    const isDone = await send(async () => {
      await run(isLastKey ? { confirm: true } : {})
      onDone?.()
    })
    if (isDone) onClose()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isCautious
      buttons={
        <Button color="red" loading={isRunning} onClick={() => void proceed()}>
          {isLastKey ? access.anyway : label}
        </Button>
      }
    >
      <Text size="sm">{text}</Text>
      {isLastKey ? (
        <Text size="sm" c="red" role="alert">
          {access.lastKey}
        </Text>
      ) : (
        error !== null && <ErrorMessage error={error} />
      )}
    </Dialog>
  )
}

/** A button for something that is confirmed first: once more if it would lock everybody out. */
export const AccessAction = ({
  label,
  title,
  text,
  run,
  onDone,
  ...button
}: ConfirmationProps & ButtonProps) => (
  <DialogOpener
    button={(open) => (
      <Button
        variant="subtle"
        color="red"
        size="xs"
        {...button}
        onClick={open}
        aria-label={`${label}: ${title}`}
      >
        {label}
      </Button>
    )}
  >
    {(close) => <Confirmation {...{ label, title, text, run, onDone }} onClose={close} />}
  </DialogOpener>
)
