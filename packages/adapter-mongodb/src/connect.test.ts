import { expect } from 'chai'
import { describe, it } from 'mocha'
import { createClient, withoutCredentials } from './connect.js'

describe('createClient', () => {
  it('writes to a majority and its journals, and reads with majority concern, for any connection string', () => {
    const { client } = createClient('mongodb://a/x?readPreference=secondary&readConcernLevel=local', 1000)
    expect(client.options.writeConcern).to.include({ w: 'majority' })
    expect(client.options.writeConcern.journal ?? client.options.writeConcern.j).to.equal(true)
    expect(client.options.readConcern).to.include({ level: 'majority' })
    expect(client.options.readPreference.mode).to.equal('primary')
  })

  it('limits every wait, and reads pools and times from the string', () => {
    const { client } = createClient('mongodb://a/x', 7000)
    expect(client.options).to.include({
      serverSelectionTimeoutMS: 5000,
      socketTimeoutMS: 7000,
      waitQueueTimeoutMS: 7000,
      maxPoolSize: 50,
    })
    const given = createClient('mongodb://a/x?maxPoolSize=7&sockettimeoutms=1234&appName=mine', 7000)
    expect(given.client.options).to.include({ maxPoolSize: 7, socketTimeoutMS: 1234, appName: 'mine' })
    expect(createClient('mongodb://a/x', null).client.options.socketTimeoutMS).to.equal(0)
  })

  it('reads the database from the string', () => {
    const names = [
      'mongodb://a',
      'mongodb://a/',
      'mongodb://a/?maxPoolSize=1',
      'mongodb://u:p@a:1,b:2/my%20data?replicaSet=r',
      'mongodb://u:p@a/x',
    ].map((url) => createClient(url, 1000).databaseName)
    expect(names).to.deep.equal([
      'publishing_service',
      'publishing_service',
      'publishing_service',
      'my data',
      'x',
    ])
  })
})

describe('withoutCredentials', () => {
  it('shows where, and neither who nor by which options', () => {
    expect(withoutCredentials('mongodb://user:p@ss@a:1,b/x?tlsCertificateKeyFilePassword=y')).to.equal(
      'mongodb://a:1,b/x',
    )
    expect(withoutCredentials('mongodb://a')).to.equal('mongodb://a')
    for (const sign of ['/', '?', '#', '@', ':', '%'])
      expect(withoutCredentials(`mongodb://user:hidden${sign}word@a/x?y=z`)).to.equal('mongodb://a/x')
  })
})
