import { Button, Modal, Stack, Text } from '@mantine/core'
import { CopyText } from '../layout/copy-text.js'
import { session } from '../service/session.js'
import { unsavedText } from '../service/unsaved.js'
import { useTexts } from '../texts/texts.js'
import { WaysIn } from './ways-in.js'

type AgainProps = {
  /** Whether the session has ended, or the sign-in is too old for a change. */
  readonly reason: 'ended' | 'old'
  readonly person: string
  readonly email: string
}

/** Over the current page, which stays as it is. */
export const SignInAgain = ({ reason, person, email }: AgainProps) => {
  const { signIn: texts, form } = useTexts()
  const text = unsavedText()
  const hasEnded = reason === 'ended'
  return (
    <Modal opened onClose={() => undefined} withCloseButton={false} title={texts.againTitle} centered>
      <Stack>
        <Text size="sm">{hasEnded ? texts.endedIntro({ name: person }) : texts.oldIntro}</Text>
        <WaysIn person={person} email={email} />
        {text !== '' && <CopyText label={texts.copyText} text={text} />}
        <Button
          variant="subtle"
          color="gray"
          onClick={() => (hasEnded ? void session.signOut() : session.cancel())}
        >
          {hasEnded ? texts.signOut : form.cancel}
        </Button>
      </Stack>
    </Modal>
  )
}
