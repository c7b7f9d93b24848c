import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { dataOf } from '@publishing-service/client'
import { Dialog, DialogOpener } from '../layout/dialog.js'
import { ErrorMessage } from '../layout/messages.js'
import type { Account } from '../service/account.js'
import { session } from '../service/session.js'
import { useAction } from '../service/use-action.js'
import { canUsePasskeys, makePasskey } from '../sign-in/passkeys.js'
import { useTexts } from '../texts/texts.js'
import { useDeviceText } from './use-device-text.js'
import { WaysInCard } from './ways-in-card.js'

type TitleProps = { readonly title: string; readonly onChange: (title: string) => void }

const TitleInput = ({ title, onChange }: TitleProps) => {
  const { account: texts } = useTexts()
  return (
    <TextInput
      label={texts.passkeyTitle}
      value={title}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={255}
      data-autofocus
    />
  )
}

/** Adds a passkey of this device, named after it. */
const AddPasskey = () => {
  const { account: texts } = useTexts()
  const [title, setTitle] = useState(useDeviceText()(navigator.userAgent))
  const { error, isRunning, run } = useAction({ queryKey: ['account'] })
  const add = () =>
    run(async () => {
      const { options } = await session.withRecentSignIn(async () =>
        dataOf(await session.client.POST('/account/passkeys/options')),
      )
      const answer = await makePasskey(options)
      dataOf(await session.client.POST('/account/passkeys', { body: { title, answer } }))
    })
  return (
    <Stack gap="xs">
      <Group align="flex-end">
        <TitleInput title={title} onChange={setTitle} />
        <Button
          variant="default"
          loading={isRunning}
          disabled={title.trim() === ''}
          onClick={() => void add()}
        >
          {texts.addPasskey}
        </Button>
      </Group>
      {error !== null && <ErrorMessage error={error} />}
    </Stack>
  )
}

type RenamedProps = { readonly id: string; readonly title: string }

const RenameDialog = ({ id, title: before, onClose }: RenamedProps & { readonly onClose: () => void }) => {
  const { account: texts, form } = useTexts()
  const [title, setTitle] = useState(before)
  const { error, isRunning, run } = useAction({ queryKey: ['account'] })
  const formId = useId()
  const rename = async (event: FormEvent) => {
    event.preventDefault()
    const params = { path: { passkey: id } }
    const send = async () =>
      dataOf(await session.client.PATCH('/account/passkeys/{passkey}', { params, body: { title } }))
    if (await run(send)) onClose()
  }
  return (
    <Dialog
      title={texts.renameTitle({ name: before })}
      onClose={onClose}
      buttons={
        <Button type="submit" form={formId} loading={isRunning} disabled={title.trim() === ''}>
          {form.save}
        </Button>
      }
    >
      <form id={formId} onSubmit={(event) => void rename(event)}>
        <TitleInput title={title} onChange={setTitle} />
      </form>
      {error !== null && <ErrorMessage error={error} />}
    </Dialog>
  )
}

const Rename = (passkey: RenamedProps) => {
  const { account: texts } = useTexts()
  return (
    <DialogOpener
      button={(open) => (
        <Button
          variant="subtle"
          size="xs"
          flex="none"
          onClick={open}
          aria-label={`${texts.rename}: ${passkey.title}`}
        >
          {texts.rename}
        </Button>
      )}
    >
      {(close) => <RenameDialog {...passkey} onClose={close} />}
    </DialogOpener>
  )
}

/** The passkeys of the person. */
export const Passkeys = ({ account }: { readonly account: Account }) => {
  const { account: texts } = useTexts()
  const query = useQuery({
    queryKey: ['account', 'passkeys'],
    queryFn: async () => dataOf(await session.client.GET('/account/passkeys', { cache: 'no-cache' })),
  })
  const remove = async (passkey: string) =>
    dataOf(await session.client.DELETE('/account/passkeys/{passkey}', { params: { path: { passkey } } }))
  return (
    <WaysInCard
      title={texts.passkeys}
      help={texts.passkeysHelp}
      account={account}
      query={query}
      nameOf={({ title }) => title}
      empty={texts.noPasskeys}
      remove={remove}
      buttons={({ id, title }) => <Rename id={id} title={title} />}
    >
      {canUsePasskeys ? <AddPasskey /> : <Text size="sm">{texts.addressOnly}</Text>}
    </WaysInCard>
  )
}
