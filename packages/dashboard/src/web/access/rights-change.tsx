import { Alert, Button, Stack, Text, type ButtonProps } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import { DangerQuestion } from '../layout/danger-dialog.js'
import { DangerOpener } from '../layout/dialog.js'
import { ErrorMessage } from '../layout/messages.js'
import { isServiceError } from '../service/session.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'

/** Sends a change of rights; with `confirm` it is made although nobody could administer something any more. */
export type RightsChange = (query: { readonly confirm?: true }) => Promise<unknown>

/** Changes rights at once, and offers a confirmation where the service asks for one. */
export const useRightsChange = (onDone?: () => void) => {
  const { access } = useTexts()
  const { error, isRunning, run } = useAction()
  const last = useRef<RightsChange>(async () => undefined)
  const send = (query: Parameters<RightsChange>[0]) =>
    run(async () => {
      await last.current(query)
      // Before everything is read again, because the page may be of what was deleted.
      onDone?.()
    })
  const failure: ReactNode =
    isServiceError(error) && error.faults['confirm'] !== undefined ? (
      <Alert color="red" role="alert">
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{access.needsConfirmation}</Text>
          <Button size="xs" variant="default" onClick={() => void send({ confirm: true })}>
            {access.anyway}
          </Button>
        </Stack>
      </Alert>
    ) : (
      error !== null && <ErrorMessage error={error} />
    )
  return {
    change: (change: RightsChange): void => {
      last.current = change
      void send({})
    },
    isRunning,
    /** Why rights were not changed. */
    failure,
  }
}

type ConfirmationProps = {
  readonly label: string
  readonly title: string
  readonly text: string
  readonly run: RightsChange
  readonly onDone?: () => void
}

const Confirmation = ({
  label,
  title,
  text,
  run,
  onDone,
  onClose,
}: ConfirmationProps & { readonly onClose: () => void }) => {
  const { change, isRunning, failure } = useRightsChange(() => {
    onClose()
    onDone?.()
  })
  return (
    <DangerQuestion
      title={title}
      text={text}
      label={label}
      isRunning={isRunning}
      onConfirm={() => change(run)}
      failure={failure}
      onClose={onClose}
    />
  )
}

/** A button for a change of rights that is confirmed first. `name` says of what, where there are several such buttons. */
export const AccessAction = ({
  label,
  name,
  title,
  text,
  run,
  onDone,
  ...button
}: ConfirmationProps & Omit<ButtonProps, 'children'> & { readonly name?: string | undefined }) => (
  <DangerOpener label={label} name={name} size="xs" {...button}>
    {(close) => <Confirmation {...{ label, title, text, run, onDone }} onClose={close} />}
  </DangerOpener>
)
