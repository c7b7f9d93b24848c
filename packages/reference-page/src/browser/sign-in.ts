/** The form that exchanges a key for a token. The token is only in the memory of this page. */

type Grant = {
  readonly access_token: string
  readonly expires_in: number
  readonly items: readonly { readonly id: number; readonly roles: readonly string[] }[]
}

const isGrant = (value: unknown): value is Grant =>
  typeof value === 'object' && value !== null && 'access_token' in value && 'items' in value

const messageOf = ({ items, expires_in: seconds }: Grant): string => {
  const where = items.map(({ id, roles }) => `${roles.join(', ')} on instance ${id}`).join('; ')
  const until = new Date(Date.now() + seconds * 1000).toLocaleString()
  return `You have a token: ${where}. It is valid until ${until}.`
}

const errorOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'error_description' in value
    ? String(value.error_description)
    : 'The service returned no token.'

export type SignIn = {
  /** The current token; null while there is none. */
  readonly token: () => string | null
  /** Shows the form, and returns to the element once there is a token. */
  readonly requestToken: (from: HTMLElement) => void
}

/** Shows the form. */
export const addSignIn = (root: string): SignIn => {
  const form = document.querySelector<HTMLFormElement>('#sign-in')
  const status = form?.querySelector('[role="status"]')
  let token: string | null = null
  let goBack: (() => void) | null = null
  const exchange = async (fields: FormData): Promise<string> => {
    const text = (name: string): string => String(fields.get(name)).trim()
    const response = await fetch(`${root}oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        api_key: text('api_key'),
        api_secret: text('api_secret'),
      }),
    })
    const value: unknown = await response.json()
    if (!isGrant(value)) return errorOf(value)
    token = value.access_token
    return messageOf(value)
  }
  const submit = async (filled: HTMLFormElement, output: Element): Promise<void> => {
    token = null
    try {
      output.textContent = await exchange(new FormData(filled))
    } catch (error) {
      output.textContent = `The service is unavailable: ${String(error)}`
    }
    filled.classList.toggle('signed-in', token !== null)
    if (token === null) return
    goBack?.()
    goBack = null
  }
  if (form && status) {
    form.hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void submit(form, status)
    })
  }
  return {
    token: () => token,
    requestToken: (from) => {
      if (!form || !status) return
      goBack = () => {
        from.scrollIntoView({ block: 'center' })
        from.focus({ preventScroll: true })
      }
      form.classList.remove('signed-in')
      status.textContent = 'This request needs a token: enter your key to get one.'
      form.scrollIntoView({ block: 'center' })
      form.querySelector('input')?.focus({ preventScroll: true })
    },
  }
}
