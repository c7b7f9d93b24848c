import { Alert, Button, Stack, Text } from '@mantine/core'
import { dataOf } from '@publishing-service/client'
import { useRoute } from 'wouter'
import { announce } from '../layout/announcer.js'
import { UtcTime } from '../layout/date-time.js'
import { ErrorMessage } from '../layout/messages.js'
import { TitledCard } from '../layout/titled-card.js'
import { accountQuery, type Account } from '../service/account.js'
import { isServiceError, session } from '../service/session.js'
import { useSignInWays } from '../service/sign-in-ways.js'
import { navigateInPlace } from '../service/unsaved.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'

type Props = { readonly account: Account }

/** Whether the confirmation of the address was mailed, and a button that mails it. */
export const UnconfirmedEmail = ({ account, email }: Props & { readonly email: string }) => {
  const { account: texts } = useTexts()
  const ways = useSignInWays()
  const { error, isRunning, run } = useAction({ queryKey: accountQuery.queryKey })
  const { confirmation_expires: end } = account
  const mail = () => run(async () => dataOf(await session.client.POST('/account/email-confirmation')))
  return (
    <>
      {end === null ? (
        <Text size="sm">{texts.notConfirmed({ email })}</Text>
      ) : (
        <Text size="sm">
          {texts.confirmationMailed({ email })} <UtcTime value={end} />.
        </Text>
      )}
      {ways?.mail === false && <Text size="sm">{texts.confirmedByAdmin}</Text>}
      {ways?.mail === true && (
        <Button size="xs" variant="default" loading={isRunning} onClick={() => void mail()}>
          {end === null ? texts.mailConfirmation : texts.mailConfirmationAgain}
        </Button>
      )}
      {error !== null && <ErrorMessage error={error} />}
    </>
  )
}

/** Confirms the address with the link that was mailed to it, which has led to this page; nothing on others. */
export const EmailConfirmation = ({ account }: Props) => {
  const { account: texts } = useTexts()
  const [isMeant, params] = useRoute<{ readonly token: string }>('/confirm/:token')
  const { error, isRunning, run } = useAction({ queryKey: accountQuery.queryKey })
  if (!isMeant) return null
  const { token } = params
  const confirm = async () => {
    const send = async () =>
      dataOf(await session.client.PUT('/account/email-confirmation', { body: { token } }))
    if (!(await run(send))) return
    announce(texts.emailConfirmed)
    navigateInPlace('/account')
  }
  const isGone = isServiceError(error) && error.status === 410
  return (
    <TitledCard title={texts.confirmEmail}>
      <Stack align="flex-start">
        <Text size="sm">{texts.confirmEmailText({ email: account.email ?? '' })}</Text>
        {isGone && (
          <Alert color="yellow" role="alert">
            {texts.confirmationGone}
          </Alert>
        )}
        {error !== null && !isGone && <ErrorMessage error={error} />}
        <Button loading={isRunning} onClick={() => void confirm()}>
          {texts.confirmEmail}
        </Button>
      </Stack>
    </TitledCard>
  )
}
