import { Button, Text } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAction } from '../service/use-action.js'
import { Dialog } from './dialog.js'
import { ErrorMessage } from './messages.js'

type QuestionProps = {
  readonly title: string
  /** What it means. */
  readonly text: string
  /** What the button says that does it. */
  readonly label: string
  /** What the button says that does not. */
  readonly cancel?: string | undefined
  readonly onClose: () => void
}

type DangerQuestionProps = QuestionProps & {
  readonly isRunning: boolean
  readonly onConfirm: () => void
  /** Why it was not done; null if nothing has failed. */
  readonly failure: ReactNode
}

/** The question whether something is to be done that is not easily undone. */
export const DangerQuestion = ({
  title,
  text,
  label,
  cancel,
  isRunning,
  onConfirm,
  failure,
  onClose,
}: DangerQuestionProps) => (
  <Dialog
    title={title}
    onClose={onClose}
    isCautious
    cancel={cancel}
    buttons={
      <Button color="red" loading={isRunning} onClick={onConfirm}>
        {label}
      </Button>
    }
  >
    <Text size="sm">{text}</Text>
    {failure}
  </Dialog>
)

type DangerDialogProps = QuestionProps & {
  readonly send: () => Promise<unknown>
  /** What is read again afterwards. */
  readonly queryKey: QueryKey
  readonly onDone?: (() => void) | undefined
}

/** The question whether something is to be ended or deleted. It closes when that is done. */
export const DangerDialog = ({ send, queryKey, onDone, ...question }: DangerDialogProps) => {
  const { error, isRunning, run } = useAction({ queryKey })
  const confirm = async () => {
    if (!(await run(send))) return
    question.onClose()
    onDone?.()
  }
  return (
    <DangerQuestion
      {...question}
      isRunning={isRunning}
      onConfirm={() => void confirm()}
      failure={error !== null && <ErrorMessage error={error} />}
    />
  )
}
