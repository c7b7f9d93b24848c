/** The used part of the types of URL, which every platform has, and TypeScript declares only for some. */
declare class URL {
  static canParse(address: string, base: string): boolean
  constructor(address: string, base: string)
  readonly href: string
}
