/** The used part of the types of WebAssembly, which TypeScript declares only for browsers. */
declare namespace WebAssembly {
  type Module = object
  function compile(bytes: Uint8Array): Promise<Module>
}
