import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { TitledCard } from '../layout/titled-card.js'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import { dataOf, type components } from '@publishing-service/client'
import { AccessAction } from '../access/rights-change.js'
import { CopyText } from '../layout/copy-text.js'
import { Dialog } from '../layout/dialog.js'
import { ErrorMessage } from '../layout/messages.js'
import { ShownSecret } from '../layout/shown-secret.js'
import type { Account } from '../service/account.js'
import { isServiceError, session } from '../service/session.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'

type Secret = components['schemas']['OneTimeSecret']
type CloseProps = { readonly onClose: () => void }

/** The recovery codes, once. */
const RecoveryCodes = ({ codes, onClose }: CloseProps & { readonly codes: readonly string[] }) => {
  const { access, account: texts, form } = useTexts()
  const text = codes.join('\n')
  return (
    <Dialog
      title={texts.recoveryCodes}
      onClose={onClose}
      closeOnClickOutside={false}
      cancel={null}
      buttons={
        <>
          <Button
            component="a"
            variant="default"
            download="recovery-codes.txt"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          >
            {texts.download}
          </Button>
          <CopyText label={access.copy} text={text} />
          <Button onClick={onClose}>{form.done}</Button>
        </>
      }
    >
      <Alert color="yellow">{texts.recoveryCodesOnce}</Alert>
      <Code block>{text}</Code>
    </Dialog>
  )
}

/** Gives the secret to an authenticator, and activates it with a code. */
const Activation = ({ secret, onClose }: CloseProps & { readonly secret: Secret }) => {
  const { account: texts, signIn } = useTexts()
  const [code, setCode] = useState('')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { error, isRunning, run } = useAction({ queryKey: ['account'] })
  const isWrong = isServiceError(error) && error.faults['code'] !== undefined
  const activate = async () => {
    const body = { code: code.trim() }
    const sent = await session.withRecentSignIn(async () =>
      dataOf(await session.client.PUT('/account/one-time-codes', { body })),
    )
    setCodes(sent.recovery_codes)
  }
  if (codes !== null) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <Dialog
      title={texts.setUpCodes}
      onClose={onClose}
      closeOnClickOutside={false}
      buttons={
        <Button loading={isRunning} disabled={code.trim() === ''} onClick={() => void run(activate)}>
          {texts.activate}
        </Button>
      }
    >
      <Text size="sm">{texts.scan}</Text>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(secret.address))}`}
        alt={texts.qrCode}
        width={200}
        height={200}
      />
      <ShownSecret label={signIn.authenticatorSecret} value={secret.secret} />
      <TextInput
        label={signIn.code}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        autoComplete="one-time-code"
        inputMode="numeric"
        error={isWrong ? texts.wrongCode : undefined}
        data-autofocus
      />
      {error !== null && !isWrong && <ErrorMessage error={error} />}
    </Dialog>
  )
}

/** The second factor of the password. */
export const OneTimeCodes = ({ account }: { readonly account: Account }) => {
  const { account: texts } = useTexts()
  const [secret, setSecret] = useState<Secret | null>(null)
  const { error, isRunning, run } = useAction({ queryKey: ['account'] })
  const begin = async () =>
    setSecret(
      await session.withRecentSignIn(async () =>
        dataOf(await session.client.POST('/account/one-time-codes')),
      ),
    )
  const remove = () =>
    session.withRecentSignIn(async () => dataOf(await session.client.DELETE('/account/one-time-codes')))
  return (
    <TitledCard title={texts.codes}>
      <Stack align="flex-start">
        <Text size="sm">
          {account.has_one_time_codes ? texts.codesLeft(account.recovery_codes) : texts.codesHelp}
        </Text>
        <Group>
          {account.has_one_time_codes ? (
            <AccessAction
              label={texts.removeCodes}
              title={`${texts.removeCodes}?`}
              text={texts.codesHelp}
              run={remove}
            />
          ) : (
            <Button variant="default" loading={isRunning} onClick={() => void run(begin)}>
              {texts.setUpCodes}
            </Button>
          )}
        </Group>
        {error !== null && <ErrorMessage error={error} />}
      </Stack>
      {secret !== null && <Activation secret={secret} onClose={() => setSecret(null)} />}
    </TitledCard>
  )
}
