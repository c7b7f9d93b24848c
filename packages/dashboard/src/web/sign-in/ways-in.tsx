import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState, type FormEvent, type ReactNode } from 'react'
import { dataOf } from '@publishing-service/client'
import { ErrorMessage } from '../layout/messages.js'
import { isServiceError, OtherUser, session, type WayIn } from '../service/session.js'
import { useSignInWays } from '../service/sign-in-ways.js'
import { useAction } from '../service/use-action.js'
import { useHashPath } from '../service/unsaved.js'
import { useTexts } from '../texts/texts.js'
import { EmailInput, SignInFault } from './inputs.js'
import { canUsePasskeys, choosePasskey, NoPasskey, offerPasskeys } from './passkeys.js'

/** The form that is open. */
type Way = 'password' | 'key'

const storageKey = 'dashboard-sign-in'

const lastWay = (): Way => (localStorage.getItem(storageKey) === 'key' ? 'key' : 'password')

/** Signs in with a way in, and says why that failed. */
const useSignIn = (wrong: string, person: string) => {
  const { signIn: texts, form } = useTexts()
  const [message, setMessage] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const [needsCode, setNeedsCode] = useState(false)
  const messageOf = (error: unknown): string => {
    if (error instanceof NoPasskey) return texts.noPasskey
    if (error instanceof OtherUser) return texts.otherUser({ name: person })
    if (!isServiceError(error)) return form.unreachable
    if (error.status === 429) return texts.busy
    return error.status === 401 || error.status === 400 ? wrong : error.message
  }
  const send = async (way: Way, wayIn: WayIn) => {
    setSending(true)
    setMessage(null)
    try {
      await session.signIn(wayIn)
      localStorage.setItem(storageKey, way)
    } catch (error) {
      const isHalfWay = isServiceError(error) && error.code === 'second_factor_needed'
      if (isHalfWay) setNeedsCode(true)
      else setMessage(messageOf(error))
    }
    setSending(false)
  }
  return { message, isSending, needsCode, send }
}

type FormProps = {
  readonly message: string | null
  readonly isSending: boolean
  readonly onSend: () => void
  readonly children: ReactNode
}

/** The inputs of a way in, and the button that sends them. */
const WayForm = ({ message, isSending, onSend, children }: FormProps) => {
  const { signIn } = useTexts()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSend()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <SignInFault message={message} />
        <Button type="submit" loading={isSending}>
          {signIn.title}
        </Button>
      </Stack>
    </form>
  )
}

type PersonProps = {
  /** The name of the person whose page is open; empty if there is none. */
  readonly person: string
}

const PasswordForm = ({ person, email: known }: PersonProps & { readonly email: string }) => {
  const { signIn: texts } = useTexts()
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { send, needsCode, ...state } = useSignIn(texts.wrongPassword, person)
  const body = { email: email.trim(), password, ...(needsCode && { code: code.trim() }) }
  const wayIn: WayIn = async (client) => dataOf(await client.POST('/sign-in/password', { body })).uuid
  return (
    <WayForm {...state} onSend={() => void send('password', wayIn)}>
      <EmailInput
        value={email}
        onChange={setEmail}
        autoComplete="username webauthn"
        autoFocus={known === ''}
      />
      <PasswordInput
        label={texts.password}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="current-password"
        required
        autoFocus={known !== ''}
      />
      {needsCode && (
        <TextInput
          label={texts.code}
          description={texts.codeHelp}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="one-time-code"
          required
          autoFocus
        />
      )}
    </WayForm>
  )
}

const KeyForm = ({ person }: PersonProps) => {
  const { signIn: texts } = useTexts()
  const [key, setKey] = useState('')
  const [secret, setSecret] = useState('')
  const { send, message, isSending } = useSignIn(texts.wrongKey, person)
  const wayIn: WayIn = async (client) =>
    dataOf(await client.POST('/sign-in/key', { body: { api_key: key.trim(), api_secret: secret.trim() } }))
      .uuid
  return (
    <WayForm message={message} isSending={isSending} onSend={() => void send('key', wayIn)}>
      <TextInput
        label={texts.key}
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
        autoComplete="username"
        required
        autoFocus
        spellCheck={false}
      />
      <PasswordInput
        label={texts.secret}
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
        autoComplete="current-password"
        required
      />
    </WayForm>
  )
}

const readOptions = async (): Promise<unknown> =>
  dataOf(await session.visitor.POST('/sign-in/passkey/options')).options

type PasskeyProps = PersonProps & {
  /** Whether there is an input for the address, in which the browser offers passkeys. */
  readonly isOffered: boolean
}

const PasskeyButton = ({ person, isOffered }: PasskeyProps) => {
  const { signIn: texts } = useTexts()
  const { send, message, isSending } = useSignIn(texts.wrongPasskey, person)
  const signInWith = (choose: () => ReturnType<typeof choosePasskey>) => {
    const wayIn: WayIn = async (client) => {
      const answer = await choose()
      return dataOf(await client.POST('/sign-in/passkey', { body: { answer } })).uuid
    }
    void send('password', wayIn)
  }
  const offer = useEffectEvent(async (stop: AbortSignal) => {
    // A service that is out of reach is noticed with the next button.
    const answer = await offerPasskeys(readOptions, stop).catch(() => null)
    if (answer !== null) signInWith(async () => answer)
  })
  // The browser asks for one passkey at a time.
  const isOffering = isOffered && !isSending
  useEffect(() => {
    if (!isOffering) return undefined
    const stop = new AbortController()
    void offer(stop.signal)
    return () => stop.abort()
  }, [isOffering])
  return (
    <>
      <SignInFault message={message} />
      <Button
        variant="default"
        leftSection={<IconKey size={16} aria-hidden />}
        loading={isSending}
        onClick={() => signInWith(async () => choosePasskey(await readOptions()))}
      >
        {texts.withPasskey}
      </Button>
    </>
  )
}

/** Requests a link by mail. Nobody learns whether an address has an account. */
const Forgotten = ({ onBack }: { readonly onBack: () => void }) => {
  const { signIn: texts } = useTexts()
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  const { error, isRunning, run } = useAction({ queryKey: ['sign-in'] })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const body = { email: email.trim() }
    const send = async () => dataOf(await session.visitor.POST('/sign-in/forgotten', { body }))
    if (await run(send)) setSent(true)
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <EmailInput value={email} onChange={setEmail} autoFocus />
        {isSent && <Alert role="status">{texts.linkMailed}</Alert>}
        {error !== null && <ErrorMessage error={error} />}
        <Button type="submit" loading={isRunning}>
          {texts.mailLink}
        </Button>
        <Button variant="subtle" size="xs" onClick={onBack}>
          {texts.withPassword}
        </Button>
      </Stack>
    </form>
  )
}

/** A page with unsaved text stays open: the provider opens in another window. */
const ProviderButton = ({ person }: PersonProps) => {
  const [path] = useHashPath()
  const provider = useSignInWays()?.provider ?? null
  const isOver = person !== ''
  return (
    provider !== null && (
      <Button
        component="a"
        variant="default"
        href={session.providerAddress(isOver || path === '/sign-in' ? '/' : path)}
        {...(isOver && { target: '_blank' })}
      >
        {provider}
      </Button>
    )
  )
}

/** All ways in: one of them is open, the one that was last used first. */
export const WaysIn = ({
  person = '',
  email = '',
}: {
  readonly person?: string
  readonly email?: string
}) => {
  const { signIn } = useTexts()
  const [way, setWay] = useState(lastWay)
  const [hasForgotten, setForgotten] = useState(false)
  const mayRequestLink = useSignInWays()?.mail === true && person === ''
  if (hasForgotten) return <Forgotten onBack={() => setForgotten(false)} />
  return (
    <Stack>
      {way === 'password' ? <PasswordForm person={person} email={email} /> : <KeyForm person={person} />}
      {mayRequestLink && way === 'password' && (
        <Button variant="subtle" size="xs" onClick={() => setForgotten(true)}>
          {signIn.forgotten}
        </Button>
      )}
      {canUsePasskeys && <PasskeyButton person={person} isOffered={way === 'password'} />}
      <ProviderButton person={person} />
      <Button variant="subtle" size="xs" onClick={() => setWay(way === 'password' ? 'key' : 'password')}>
        {way === 'password' ? signIn.withKey : signIn.withPassword}
      </Button>
    </Stack>
  )
}
