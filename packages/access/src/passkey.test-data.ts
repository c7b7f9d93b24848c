/** A passkey as an account stores it. */
export const storedPasskey = {
  id: 'id',
  public_key: 'key',
  counter: 5,
  transports: [],
  is_synced: false,
  title: 'Key',
  created: 1,
  last_used: null,
}
