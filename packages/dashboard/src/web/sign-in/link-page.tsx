import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent } from 'react'
import { dataOf, type Client, type components } from '@publishing-service/client'
import { ErrorMessage, Loaded } from '../layout/messages.js'
import { isServiceError, session } from '../service/session.js'
import { navigateInPlace } from '../service/unsaved.js'
import { useAction } from '../service/use-action.js'
import { isLanguage, type Texts } from '../../texts/languages.js'
import { useSetLanguage, useTexts } from '../texts/texts.js'
import { useDeviceText } from '../account/use-device-text.js'
import { EmailInput, NewPasswordInput } from './inputs.js'
import { canUsePasskeys, makePasskey } from './passkeys.js'
import { VisitorFrame } from './sign-in-page.js'
import { usePasswordFault } from './use-password-fault.js'

type ShownLink = components['schemas']['SignInLink']

const isGone = (error: unknown): boolean => isServiceError(error) && error.status === 410

type FormProps = { readonly token: string; readonly link: ShownLink }

const ToSignIn = () => {
  const { signIn } = useTexts()
  return (
    <Button variant="default" onClick={() => navigateInPlace('/')}>
      {signIn.title}
    </Button>
  )
}

const passkeyOf = async (client: Client, token: string) => {
  const { options } = dataOf(await client.POST('/sign-in/link/passkey-options', { body: { token } }))
  return makePasskey(options)
}

const LinkForm = ({ token, link }: FormProps) => {
  const { account, link: texts } = useTexts()
  const setLanguage = useSetLanguage()
  const queries = useQueryClient()
  const [name, setName] = useState(link.name)
  const [email, setEmail] = useState(link.email ?? '')
  const [password, setPassword] = useState('')
  const { error, isRunning, run } = useAction({ queryKey: ['me'] })
  const passwordFault = usePasswordFault()
  const deviceOf = useDeviceText()
  const [needsCode, setNeedsCode] = useState(false)
  const mayUsePasskey = canUsePasskeys && link.kind !== 'forgotten'
  const [how, setHow] = useState<'passkey' | 'password'>(mayUsePasskey ? 'passkey' : 'password')
  const isNew = link.kind === 'set-up' || link.kind === 'invitation'
  useEffect(() => {
    if (isLanguage(link.language)) setLanguage(link.language)
  }, [link.language, setLanguage])

  const use = async () => {
    const person = { token, name: name.trim() || null, email: email.trim() || null }
    let needs: 'code' | null = null
    const isUsed = await run(() =>
      session.begin(async (client) => {
        const way =
          how === 'passkey'
            ? { passkey: await passkeyOf(client, token), passkey_title: deviceOf(navigator.userAgent) }
            : { password: password || null }
        const used = dataOf(await client.POST('/sign-in/link/use', { body: { ...person, ...way } }))
        needs = used.needs
        return used.uuid
      }),
    )
    if (!isUsed) return
    // What another person has read before is not shown.
    queries.clear()
    if (needs === null) navigateInPlace('/')
    else setNeedsCode(true)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void use()
  }
  const faults = isServiceError(error) ? error.faults : {}
  const emailFault = faults['email']
  const nameFault = faults['name']
  if (needsCode)
    return (
      <>
        <Alert role="status">{texts.needsCode}</Alert>
        <ToSignIn />
      </>
    )
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{isNew ? texts.newIntro : texts.againIntro({ name: link.name })}</Text>
        {isNew && (
          <TextInput
            label={account.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="name"
            required
            error={nameFault === undefined ? undefined : String(nameFault)}
          />
        )}
        <EmailInput
          description={isNew && how === 'password' ? texts.emailHelp : undefined}
          value={email}
          onChange={setEmail}
          required={how === 'password'}
          readOnly={!isNew && link.email !== null}
          error={emailFault === undefined ? undefined : String(emailFault)}
        />
        {how === 'password' ? (
          <NewPasswordInput
            value={password}
            onChange={setPassword}
            required
            autoFocus={link.email !== null}
            error={passwordFault(error, password)}
          />
        ) : (
          <Text size="sm">{texts.passkeyHelp}</Text>
        )}
        {error !== null && Object.keys(faults).length === 0 && <ErrorMessage error={error} />}
        <Button type="submit" loading={isRunning}>
          {how === 'passkey' ? texts.setUpWithPasskey : isNew ? texts.setUp : texts.setPassword}
        </Button>
        {mayUsePasskey && (
          <Button
            variant="subtle"
            size="xs"
            onClick={() => setHow(how === 'passkey' ? 'password' : 'passkey')}
          >
            {how === 'passkey' ? texts.choosePassword : texts.choosePasskey}
          </Button>
        )}
      </Stack>
    </form>
  )
}

const titleOf = ({ title, titles }: Texts['link'], link: ShownLink | undefined): string => {
  if (link === undefined) return title
  return link.kind === 'invitation' ? titles.invitation({ name: link.name }) : titles[link.kind]
}

/** What a link is for, and how it is used; for people who are signed in, and who are not. */
export const LinkPage = ({ token }: { readonly token: string }) => {
  const { link: texts } = useTexts()
  const query = useQuery({
    queryKey: ['link', token],
    queryFn: async () => dataOf(await session.visitor.POST('/sign-in/link', { body: { token } })),
    staleTime: Infinity,
  })
  return (
    <VisitorFrame title={isGone(query.error) ? texts.goneTitle : titleOf(texts, query.data)}>
      {isGone(query.error) ? (
        <>
          <Alert color="yellow">{texts.gone}</Alert>
          <ToSignIn />
        </>
      ) : (
        <Loaded query={query}>{(link) => <LinkForm token={token} link={link} />}</Loaded>
      )}
    </VisitorFrame>
  )
}
