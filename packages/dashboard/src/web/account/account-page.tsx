import { Alert, Avatar, Button, FileButton, Group, Stack } from '@mantine/core'
import { TitledCard } from '../layout/titled-card.js'
import { useQuery } from '@tanstack/react-query'
import { dataOf } from '@publishing-service/client'
import { AccountLanguageSelect } from '../layout/language-select.js'
import { ErrorMessage, Loaded } from '../layout/messages.js'
import { PageTitle } from '../layout/page-title.js'
import { UserForm } from '../resource/user-form.js'
import { accountQuery, type Account } from '../service/account.js'
import { useService } from '../service/place.js'
import { session } from '../service/session.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'
import { EmailConfirmation, UnconfirmedEmail } from './email-address.js'
import { Identities } from './identities.js'
import { OneTimeCodes } from './one-time-codes.js'
import { Passkeys } from './passkeys.js'
import { Password } from './password.js'
import { pictureFrom } from './picture-from.js'
import { Sessions } from './sessions.js'

type AccountProps = { readonly account: Account }

const Picture = ({ account }: AccountProps) => {
  const { account: texts } = useTexts()
  const { error, isRunning, run } = useAction({ queryKey: accountQuery.queryKey })
  const change = async (picture: string | null) =>
    dataOf(await session.client.PATCH('/account', { body: { picture } }))
  const choose = (file: File | null) => {
    if (file !== null) void run(async () => change(await pictureFrom(file)))
  }
  return (
    <Stack gap="xs">
      <Group>
        <Avatar src={account.picture} alt={texts.picture} name={account.name} size={72} variant="filled" />
        <FileButton onChange={choose} accept="image/*">
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={isRunning}>
              {texts.choosePicture}
            </Button>
          )}
        </FileButton>
        {account.picture !== null && (
          <Button variant="subtle" color="red" size="xs" onClick={() => void run(() => change(null))}>
            {texts.removePicture}
          </Button>
        )}
      </Group>
      {error !== null && <ErrorMessage error={error} />}
    </Stack>
  )
}

const Profile = ({ account }: AccountProps) => {
  const { account: texts, shell } = useTexts()
  const { api } = useService()
  return (
    <TitledCard title={texts.profile}>
      <Stack>
        <Picture account={account} />
        <UserForm
          user={account}
          save={(changes) => session.withRecentSignIn(() => api.change('account', changes))}
          filters={{}}
          unconfirmed={(email) => <UnconfirmedEmail account={account} email={email} />}
        />
        <AccountLanguageSelect label={shell.interfaceLanguage} />
      </Stack>
    </TitledCard>
  )
}

/** Why a person can do nothing but change their account; nothing for those who have rights. */
const WithoutRights = () => {
  const { signIn } = useTexts()
  const { me } = useService()
  if (me.items.length > 0 || me.operator) return null
  return (
    <Alert color="yellow">{me.needs_second_factor ? signIn.needsSecondFactor : signIn.noInstances}</Alert>
  )
}

/** The own account: what the person is called, the ways in, and where they are signed in. */
export const AccountPage = () => {
  const { account: texts } = useTexts()
  const query = useQuery(accountQuery)
  return (
    <Stack maw={860}>
      <PageTitle>{texts.title}</PageTitle>
      <WithoutRights />
      <Loaded query={query}>
        {(account) => (
          <>
            <EmailConfirmation account={account} />
            <Profile key={`${account.name} ${account.email ?? ''}`} account={account} />
            <Passkeys account={account} />
            <Password account={account} />
            {account.has_password && <OneTimeCodes account={account} />}
            {account.identities > 0 && <Identities account={account} />}
            <Sessions current={account.session} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
