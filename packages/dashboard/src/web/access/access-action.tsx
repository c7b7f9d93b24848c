import { Button, Group, Modal, Stack, Text, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorMessage } from '../layout/messages.js'
import { isServiceError } from '../service/session.js'
import { useTexts } from '../texts/texts.js'

type ActionProps = ButtonProps & {
  readonly label: string
  readonly title: string
  readonly text: string
  /** With `confirm`, it is done although it removes the last admin key of an instance or the last operator key. */
  readonly run: (query: Readonly<Record<string, string>>) => Promise<unknown>
  readonly onDone?: () => void
}

/** A button for something that is confirmed first: once more if it would lock everybody out. */
export const AccessAction = ({ label, title, text, run, onDone, ...button }: ActionProps) => {
  const { form, access } = useTexts()
  const queries = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure(false)
  const [error, setError] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  const isLastKey = isServiceError(error) && error.faults['confirm'] !== undefined
  const proceed = async () => {
    setRunning(true)
    try {
      await run(isLastKey ? { confirm: 'true' } : {})
      setError(null)
      close()
      onDone?.()
      await queries.invalidateQueries()
    } catch (failure) {
      setError(failure)
    }
    setRunning(false)
  }
  return (
    <>
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
      <Modal
        opened={isOpen}
        onClose={() => {
          setError(null)
          close()
        }}
        title={title}
        centered
      >
        <Stack>
          <Text size="sm">{text}</Text>
          {isLastKey ? (
            <Text size="sm" c="red" role="alert">
              {access.lastKey}
            </Text>
          ) : (
            error !== null && <ErrorMessage error={error} />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {form.cancel}
            </Button>
            <Button color="red" loading={isRunning} onClick={() => void proceed()}>
              {isLastKey ? access.anyway : label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
