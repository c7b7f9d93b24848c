import { Alert, Button, Center, Group, Loader, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { RejectedFile } from '../library/upload-file.js'
import { isServiceError, NotSignedIn } from '../service/session.js'
import { NoPasskey } from '../sign-in/passkeys.js'
import { useTexts } from '../texts/texts.js'
import { useWindowTitle } from './page-title.js'

/** What went wrong, in the user’s words. */
export const useErrorText = () => {
  const { errors, form, library, signIn } = useTexts()
  return (error: unknown): string => {
    if (error instanceof RejectedFile) return library.rejected[error.fault]
    if (error instanceof NoPasskey) return signIn.noPasskey
    if (error instanceof NotSignedIn) return signIn.notDone
    if (!isServiceError(error)) return form.unreachable
    if (error.status === 404) return errors.notFound
    if (error.status === 403) return errors.forbidden
    if (error.status === 412) return errors.stale
    return error.message
  }
}

export const ErrorMessage = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => {
  const { errors } = useTexts()
  const text = useErrorText()
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={errors.title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text(error)}</Text>
        {retry !== undefined && (
          <Button size="xs" variant="default" onClick={retry}>
            {errors.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

type ChoiceProps = {
  readonly title: string
  readonly mine: string
  readonly theirs: string
  readonly onKeep: () => void
  readonly onTake: () => void
}

/** Somebody else has saved a list meanwhile: one of the two lists is chosen. */
export const ListConflict = ({ title, mine, theirs, onKeep, onTake }: ChoiceProps) => (
  <Alert color="yellow" role="alert" title={title}>
    <Group gap="xs">
      <Button size="xs" onClick={onKeep}>
        {mine}
      </Button>
      <Button size="xs" variant="default" onClick={onTake}>
        {theirs}
      </Button>
    </Group>
  </Alert>
)

export const NoSuchPage = () => {
  const { errors } = useTexts()
  useWindowTitle(errors.title)
  return (
    <Alert icon={<IconAlertTriangle aria-hidden />} role="alert">
      {errors.noSuchPage}
    </Alert>
  )
}

export const Loading = () => {
  const { list } = useTexts()
  return (
    <Center p="xl">
      <Loader aria-label={list.loading} />
    </Center>
  )
}

/** What a query returned, or its loader or error. */
export const Loaded = <D,>({
  query,
  children,
}: {
  readonly query: { readonly data: D | undefined; readonly error: unknown; readonly refetch: () => unknown }
  readonly children: (data: D) => ReactNode
}) => {
  if (query.data !== undefined) return children(query.data)
  return query.error === null ? (
    <Loading />
  ) : (
    <ErrorMessage error={query.error} retry={() => void query.refetch()} />
  )
}
