import { Alert, Button, Stack, Text } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import { ErrorMessage } from '../layout/messages.js'
import { isServiceError } from '../service/session.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'

/** Sends a change of rights; with `confirm` it is made although nobody could administer something any more. */
export type RightsChange = (query: { readonly confirm?: true }) => Promise<unknown>
type Failure = { readonly error: unknown; readonly again: () => void }

/** Why rights were not changed; a change that needs a confirmation can be confirmed. */
const RightsFailure = ({ error, again }: Failure) => {
  const { access } = useTexts()
  if (!isServiceError(error) || error.faults['confirm'] === undefined) return <ErrorMessage error={error} />
  return (
    <Alert color="red" role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{access.needsConfirmation}</Text>
        <Button size="xs" variant="default" onClick={again}>
          {access.anyway}
        </Button>
      </Stack>
    </Alert>
  )
}

/** Changes rights at once, and offers a confirmation where the service asks for one. */
export const useRightsChange = (): {
  readonly change: (run: RightsChange) => void
  readonly failure: ReactNode
} => {
  const { error, run } = useAction()
  const last = useRef<RightsChange>(async () => undefined)
  return {
    change: (send) => {
      last.current = send
      void run(() => send({}))
    },
    failure:
      error === null ? null : (
        <RightsFailure error={error} again={() => void run(() => last.current({ confirm: true }))} />
      ),
  }
}
