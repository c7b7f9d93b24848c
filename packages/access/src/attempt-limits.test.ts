import { expect } from 'chai'
import { describe, it } from 'mocha'
import { attemptLimits, failuresPerAddress } from './attempt-limits.js'

describe('the failures that an address may have with an account', () => {
  const { failures, failures_of_account: ofAccount } = attemptLimits

  it('are fewer while others fail with the account, and never none', () => {
    expect(failuresPerAddress(0)).to.equal(failures.most)
    expect(failuresPerAddress(ofAccount.most - 1)).to.equal(failures.most)
    expect(failuresPerAddress(ofAccount.most)).to.be.within(1, failures.most - 1)
    expect(failuresPerAddress(1_000_000)).to.equal(failuresPerAddress(ofAccount.most))
  })

  it('are not all that the account has, so that one address alone never slows down others', () => {
    expect(failures.most).to.be.below(ofAccount.most)
  })
})
