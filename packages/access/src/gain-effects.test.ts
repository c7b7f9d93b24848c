/** Who would reach new rights of a user: docs/behaviour/administration.md#makers-of-keys. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { gainEffects, type MadeWayIn } from './rights-changes.js'
import { userOf } from './user.js'

const on = (...instances: readonly number[]) => ({
  operator: false,
  roles: instances.map((instance) => ({ instance, roles: ['admin' as const] })),
})
const maker = userOf({ name: 'adm', ...on(1) })
const ways: readonly MadeWayIn['made'][] = ['keys', 'link', 'address']

describe('new rights of a user', () => {
  it('have an effect for each way in if its maker does not have them', () => {
    for (const made of ways) {
      const [effect, ...others] = gainEffects(on(1), on(1, 3), [{ made, maker }])
      expect(effect).to.include('“adm”').and.to.include('on instance 3')
      expect(others).to.deep.equal([])
      const [whole] = gainEffects(on(1), { ...on(1), operator: true }, [{ made, maker }])
      expect(whole).to.include('on the whole deployment')
    }
    expect(
      gainEffects(
        on(1),
        on(1, 3),
        ways.map((made) => ({ made, maker })),
      ),
    ).to.have.length(3)
  })

  it('have none where the maker has them too, or is an operator, and fewer rights have none', () => {
    for (const made of ways) {
      expect(gainEffects(on(), on(1), [{ made, maker }])).to.deep.equal([])
      expect(gainEffects(on(1), on(1, 3), [{ made, maker: { ...maker, operator: true } }])).to.deep.equal([])
      expect(gainEffects(on(1, 3), on(3), [{ made, maker }])).to.deep.equal([])
    }
  })
})
