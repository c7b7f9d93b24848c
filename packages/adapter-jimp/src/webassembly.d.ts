/** What is used of WebAssembly, whose types come with those of browsers only. */
declare namespace WebAssembly {
  type Module = object
  function compile(bytes: Uint8Array): Promise<Module>
}
