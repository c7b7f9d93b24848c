import { Alert, Button } from '@mantine/core'
import { Dialog } from '../layout/dialog.js'
import { ShownSecret } from '../layout/shown-secret.js'
import { useTexts } from '../texts/texts.js'

type Props = { readonly title: string; readonly secret: string; readonly onClose: () => void }

/** Shows a new secret, once. */
export const NewSecret = ({ title, secret, onClose }: Props) => {
  const { access, form, webhooks } = useTexts()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeOnClickOutside={false}
      cancel={null}
      buttons={<Button onClick={onClose}>{form.done}</Button>}
    >
      <Alert color="yellow">{access.secretOnce}</Alert>
      <ShownSecret label={webhooks.secret} value={secret} />
    </Dialog>
  )
}
