declare module 'better-sqlite3-12' {
  export { default } from 'better-sqlite3'
}
