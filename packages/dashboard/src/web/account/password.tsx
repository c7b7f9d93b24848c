import { Button, Group, Stack, Text } from '@mantine/core'
import { TitledCard } from '../layout/titled-card.js'
import { useState, type FormEvent } from 'react'
import { dataOf } from '@publishing-service/client'
import { announce } from '../layout/announcer.js'
import { ErrorMessage } from '../layout/messages.js'
import type { Account } from '../service/account.js'
import { session } from '../service/session.js'
import { useUnsaved } from '../service/unsaved.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'
import { NewPasswordInput } from '../sign-in/inputs.js'
import { hasOtherWayIn } from './ways-in-card.js'
import { usePasswordFault } from '../sign-in/use-password-fault.js'

/** Sets, changes and removes the password. */
export const Password = ({ account }: { readonly account: Account }) => {
  const { account: texts, form } = useTexts()
  const [password, setPassword] = useState('')
  const { error, isRunning, run } = useAction({ queryKey: ['account'] })
  const fault = usePasswordFault()(error, password)
  useUnsaved(password !== '')
  const set = async () => {
    const send = async () => dataOf(await session.client.PUT('/account/password', { body: { password } }))
    if (!(await run(() => session.withRecentSignIn(send)))) return
    setPassword('')
    announce(form.changesSaved)
  }
  const remove = () =>
    run(() => session.withRecentSignIn(async () => dataOf(await session.client.DELETE('/account/password'))))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void set()
  }
  return (
    <TitledCard title={texts.password}>
      <form onSubmit={submit}>
        <Stack align="flex-start">
          <Text size="sm">{account.has_password ? texts.hasPassword : texts.noPassword}</Text>
          {account.email === null && <Text size="sm">{texts.needsEmail}</Text>}
          <input type="text" autoComplete="username" value={account.email ?? ''} readOnly hidden />
          <NewPasswordInput value={password} onChange={setPassword} error={fault} w={420} maw="100%" />
          {error !== null && fault === undefined && <ErrorMessage error={error} />}
          <Group>
            <Button type="submit" variant="default" loading={isRunning} disabled={password === ''}>
              {account.has_password ? texts.changePassword : texts.setPassword}
            </Button>
            {account.has_password && hasOtherWayIn(account) && (
              <Button variant="subtle" color="red" loading={isRunning} onClick={() => void remove()}>
                {texts.removePassword}
              </Button>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            {texts.otherSessionsEnd}
          </Text>
        </Stack>
      </form>
    </TitledCard>
  )
}
