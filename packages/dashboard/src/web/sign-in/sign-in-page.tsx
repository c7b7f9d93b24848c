import { Alert, Button, Center, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { LanguageSelect } from '../layout/language-select.js'
import { useWindowTitle } from '../layout/page-title.js'
import { session } from '../service/session.js'
import { useHashSearch } from '../service/unsaved.js'
import { textNamed, useTexts } from '../texts/texts.js'
import { WaysIn } from './ways-in.js'

type FrameProps = { readonly title: string; readonly children: ReactNode }

/** The frame of the pages for people who are not signed in. */
export const VisitorFrame = ({ title, children }: FrameProps) => {
  const { appName } = useTexts()
  useWindowTitle(title)
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w={420} maw="100%">
        <Stack>
          <Group justify="space-between">
            <Text fw={700}>{appName}</Text>
            <LanguageSelect />
          </Group>
          <Title order={1} size="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  )
}

type SignInProps = {
  /** The session that was to end has not. */
  readonly isOpen: boolean
  /** Where the person signs out of the provider too. */
  readonly provider: string | null
}

/** The error with which the provider has led the browser back, if there is one. */
const useProviderError = (): string | null => new URLSearchParams(useHashSearch()).get('error')

export const SignInPage = ({ isOpen, provider }: SignInProps) => {
  const { signIn } = useTexts()
  const error = useProviderError()
  return (
    <VisitorFrame title={signIn.title}>
      {error !== null && (
        <Alert color="red" role="alert">
          {textNamed(signIn.providerErrors, error) ?? signIn.providerRefused}
        </Alert>
      )}
      {provider !== null && (
        <Button component="a" href={provider} variant="default">
          {signIn.signOutOfProvider}
        </Button>
      )}
      {isOpen && (
        <Alert color="red" role="alert">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{signIn.stillOpen}</Text>
            <Button size="xs" variant="default" onClick={() => void session.signOut()}>
              {signIn.signOut}
            </Button>
          </Stack>
        </Alert>
      )}
      <WaysIn />
      <Text size="sm" c="dimmed">
        {signIn.help}
      </Text>
    </VisitorFrame>
  )
}
