import { Alert, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { dataOf, type components } from '@publishing-service/client'
import { UtcTime } from '../layout/date-time.js'
import { Dialog } from '../layout/dialog.js'
import { ErrorMessage } from '../layout/messages.js'
import { ShownSecret } from '../layout/shown-secret.js'
import { session } from '../service/session.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'

type IssuedLink = components['schemas']['IssuedLink']

export const issueLink = async (user: string): Promise<IssuedLink> =>
  dataOf(await session.client.POST('/users/{uuid}/link', { params: { path: { uuid: user } } }))

type IssuedProps = { readonly link: IssuedLink; readonly name: string }

/** A link that was made. It is not shown again. */
export const ShownLink = ({ link, name }: IssuedProps) => {
  const { access } = useTexts()
  return (
    <>
      <Alert color="yellow">{access.linkOnce({ name })}</Alert>
      <ShownSecret label={access.link} value={link.url} />
      <Text size="sm">
        {access.linkUntil} <UtcTime value={link.expires} />. {access.mailed[link.mailed]}
      </Text>
    </>
  )
}

type LinkProps = { readonly user: string; readonly name: string; readonly onClose: () => void }

/** Makes a link for a person after a question, and shows it once. */
export const CreateLink = ({ user, name, onClose }: LinkProps) => {
  const { access, form } = useTexts()
  const [issued, setIssued] = useState<IssuedLink | null>(null)
  const { error, isRunning, run } = useAction({ queryKey: ['users'] })
  const create = () => run(async () => setIssued(await issueLink(user)))
  return (
    <Dialog
      title={access.newLink}
      onClose={onClose}
      closeOnClickOutside={false}
      cancel={issued === null ? form.cancel : null}
      buttons={
        issued === null ? (
          <Button loading={isRunning} onClick={() => void create()}>
            {form.create}
          </Button>
        ) : (
          <Button onClick={onClose}>{form.done}</Button>
        )
      }
    >
      {issued === null ? (
        <Text size="sm">{access.newLinkText({ name })}</Text>
      ) : (
        <ShownLink link={issued} name={name} />
      )}
      {error !== null && <ErrorMessage error={error} />}
    </Dialog>
  )
}
