/** The used part of the types of URL, which every platform has, and TypeScript declares only for some. */
declare class URL {
  constructor(address: string, base?: string)
  readonly href: string
  readonly username: string
  readonly password: string
}
