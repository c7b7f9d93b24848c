import {
  Alert,
  Button,
  Center,
  Group,
  Modal,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { isServiceError, OtherUser, type SignIn } from '../service/session.js'
import { unsavedText } from '../service/unsaved.js'
import { useTexts } from '../texts/texts.js'
import { CopyText } from './copy-text.js'
import { useWindowTitle } from './page-title.js'
import { LanguageSelect } from './language-select.js'

type FormProps = {
  readonly signIn: (values: SignIn) => Promise<void>
  /** The last key, when a session continues. */
  readonly userKey?: string
  /** The name of the user whose session continues. */
  readonly userName?: string
}

const SignInForm = ({ signIn, userKey, userName = '' }: FormProps) => {
  const { signIn: texts, form } = useTexts()
  const [key, setKey] = useState(userKey ?? '')
  const [secret, setSecret] = useState('')
  const [message, setMessage] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setSending(true)
    setMessage(null)
    try {
      await signIn({ key: key.trim(), secret: secret.trim() })
    } catch (error) {
      if (error instanceof OtherUser) setMessage(texts.otherUser(userName))
      else if (!isServiceError(error)) setMessage(form.unreachable)
      else setMessage(error.status === 429 ? texts.busy : texts.wrong)
      setSending(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <TextInput
          label={texts.key}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="username"
          required
          autoFocus={userKey === undefined}
          spellCheck={false}
        />
        <PasswordInput
          label={texts.secret}
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
          autoComplete="current-password"
          required
          autoFocus={userKey !== undefined}
        />
        {message !== null && (
          <Alert color="red" role="alert">
            {message}
          </Alert>
        )}
        <Button type="submit" loading={isSending}>
          {texts.title}
        </Button>
      </Stack>
    </form>
  )
}

export const SignInPage = ({ signIn }: FormProps) => {
  const { appName, signIn: texts } = useTexts()
  useWindowTitle(texts.title)
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w={420} maw="100%">
        <Stack>
          <Group justify="space-between">
            <Title order={1} size="h3">
              {appName}
            </Title>
            <LanguageSelect />
          </Group>
          <Text size="sm" c="dimmed">
            {texts.intro}
          </Text>
          <SignInForm signIn={signIn} />
        </Stack>
      </Paper>
    </Center>
  )
}

/** Over the current page, which stays as it is. */
export const SignInAgain = ({
  signIn,
  userKey,
  userName,
  signOut,
}: Required<FormProps> & { readonly signOut: () => void }) => {
  const { signIn: texts } = useTexts()
  const text = unsavedText()
  return (
    <Modal opened onClose={() => undefined} withCloseButton={false} title={texts.expiredTitle} centered>
      <Stack>
        <Text size="sm">{texts.expiredIntro}</Text>
        <SignInForm signIn={signIn} userKey={userKey} userName={userName} />
        {text !== '' && <CopyText label={texts.copyText} text={text} />}
        <Button variant="subtle" color="gray" onClick={signOut}>
          {texts.signOut}
        </Button>
      </Stack>
    </Modal>
  )
}
