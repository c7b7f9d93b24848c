import { Button, Group, Modal, Stack, type ButtonProps, type ModalProps } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState, type ReactNode } from 'react'
import { useTexts } from '../texts/texts.js'

type DialogProps = Pick<ModalProps, 'title' | 'size' | 'centered' | 'onClose' | 'closeOnClickOutside'> & {
  /** The buttons after *Cancel*. */
  readonly buttons: ReactNode
  /** The text of the first button, which closes the dialog; null for none. */
  readonly cancel?: string | null | undefined
  /** Whether that button has the focus first, because the dialog asks about a loss. */
  readonly isCautious?: boolean
  readonly children: ReactNode
}

/** An open dialog: its content, and its buttons. */
export const Dialog = ({ buttons, cancel, isCautious = false, children, ...modal }: DialogProps) => {
  const { form } = useTexts()
  return (
    <Modal opened centered {...modal}>
      <Stack>
        {children}
        <Group justify="flex-end">
          {cancel !== null && (
            <Button variant="default" onClick={modal.onClose} data-autofocus={isCautious || undefined}>
              {cancel ?? form.cancel}
            </Button>
          )}
          {buttons}
        </Group>
      </Stack>
    </Modal>
  )
}

type OpenerProps = {
  readonly button: (open: () => void) => ReactNode
  /** The dialog; it begins anew each time it is opened. */
  readonly children: (close: () => void) => ReactNode
}

/** A button and the dialog that it opens. The focus returns to the button. */
export const DialogOpener = ({ button, children }: OpenerProps) => {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<Element | null>(null)
  const open = () => {
    opener.current = document.activeElement
    setOpen(true)
  }
  const close = () => {
    setOpen(false)
    if (opener.current instanceof HTMLElement) opener.current.focus()
  }
  return (
    <>
      {button(open)}
      {isOpen && children(close)}
    </>
  )
}

/** The button above a list that opens the dialog in which an object is created. */
export const CreateOpener = ({ children }: Pick<OpenerProps, 'children'>) => {
  const { list } = useTexts()
  return (
    <DialogOpener
      button={(open) => (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
          {list.create}
        </Button>
      )}
    >
      {children}
    </DialogOpener>
  )
}

type DangerProps = Omit<ButtonProps, 'children'> &
  Pick<OpenerProps, 'children'> & { readonly label: string; readonly name?: string | undefined }

/** A button that opens the question whether something is to be deleted or taken away. `name` says what. */
export const DangerOpener = ({ label, name, children, ...button }: DangerProps) => (
  <DialogOpener
    button={(open) => (
      <Button
        variant="subtle"
        color="red"
        flex="none"
        {...button}
        onClick={open}
        aria-label={name && `${label}: ${name}`}
      >
        {label}
      </Button>
    )}
  >
    {children}
  </DialogOpener>
)
