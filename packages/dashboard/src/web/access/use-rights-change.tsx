import { Alert, Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ErrorMessage } from '../layout/messages.js'
import { isServiceError } from '../service/session.js'
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
  const queries = useQueryClient()
  const [failed, setFailed] = useState<Failure | null>(null)
  const change = async (run: RightsChange, query: { readonly confirm?: true } = {}): Promise<void> => {
    setFailed(null)
    try {
      await run(query)
    } catch (error) {
      setFailed({ error, again: () => void change(run, { confirm: true }) })
    }
    await queries.invalidateQueries()
  }
  return {
    change: (run) => void change(run),
    failure: failed === null ? null : <RightsFailure {...failed} />,
  }
}
