/** The used part of the types of encodings, which every platform has, and TypeScript declares only for some. */
declare class TextEncoder {
  encode(text: string): Uint8Array
}
declare class TextDecoder {
  constructor(encoding: 'utf-8', options: { readonly fatal: boolean; readonly ignoreBOM: boolean })
  decode(bytes: Uint8Array): string
}
declare function btoa(bytes: string): string
declare function atob(text: string): string
