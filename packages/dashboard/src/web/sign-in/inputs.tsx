import { Alert, PasswordInput, TextInput, type PasswordInputProps } from '@mantine/core'
import { model } from 'virtual:model'
import { useTexts } from '../texts/texts.js'

type EmailProps = {
  readonly value: string
  readonly onChange: (email: string) => void
  readonly description?: string | undefined
  readonly autoComplete?: string
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly autoFocus?: boolean
  readonly error?: string | undefined
}

/** The e-mail address of who signs in. */
export const EmailInput = ({ onChange, ...input }: EmailProps) => {
  const { signIn } = useTexts()
  return (
    <TextInput
      label={signIn.email}
      type="email"
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="username"
      required
      {...input}
    />
  )
}

type NewPasswordProps = Omit<PasswordInputProps, 'onChange' | 'error'> & {
  readonly onChange: (password: string) => void
  readonly error: string | undefined
}

/** A password that a person chooses. */
export const NewPasswordInput = ({ onChange, ...input }: NewPasswordProps) => {
  const { account } = useTexts()
  return (
    <PasswordInput
      label={account.newPassword}
      description={account.passwordHelp({ characters: model.minPasswordCharacters })}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="new-password"
      {...input}
    />
  )
}

/** Why a sign-in has failed; nothing for null. */
export const SignInFault = ({ message }: { readonly message: string | null }) =>
  message !== null && (
    <Alert color="red" role="alert">
      {message}
    </Alert>
  )
