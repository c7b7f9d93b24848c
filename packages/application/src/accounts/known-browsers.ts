import type { Secrets } from '@publishing-service/ports'
import type { Accounts } from './stored-account.js'
import type { Visit } from './visit.js'

type Services = { readonly secrets: Secrets; readonly accounts: Accounts }

/** The browsers in which people have signed in with their present passwords. */
export class KnownBrowsers {
  constructor(private readonly services: Services) {}

  /** What a known browser of a person has. It is signed with the hash of the password, which never leaves the service. */
  browserTokenOf(browser: string, user: string, hash: string): string {
    return `${browser}.${this.services.secrets.digest(`${browser} ${user} ${hash}`)}`
  }

  /** The person with an address, and their account. An unknown address takes the same work. */
  async personWith(email: string) {
    const person = await this.services.accounts.userWithEmail(email)
    return { person, account: await this.services.accounts.read(person?.id ?? email.slice(0, 40)) }
  }

  /** The browser of a visit, if the person with the address has signed in there with their present password; else null. */
  async knownBrowser({ browserToken: token }: Visit, email: string): Promise<string | null> {
    if (token === null) return null
    const { person, account } = await this.personWith(email)
    const [browser = ''] = token.split('.')
    const isKnown =
      person !== null &&
      account.password !== null &&
      token === this.browserTokenOf(browser, person.id, account.password)
    return isKnown ? browser : null
  }
}
