import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sideOf, sidesOf } from './side-of.ts';

test('[TKT-06] who speaks is what the sender is: a customer in an own ticket, staff as support', () => {
  const [customer, staff] = [
    { userId: 'a', isStaff: false },
    { userId: 's', isStaff: true },
  ];
  assert.deepEqual(sidesOf(customer, 'a'), ['user']);
  assert.deepEqual(sidesOf(customer, 'b'), []);
  assert.deepEqual(sidesOf(staff, 'a'), ['support']);
  assert.deepEqual(sidesOf(staff, 's'), ['user', 'support']);
  assert.equal(sideOf(['user'], 'support'), null);
  assert.equal(sideOf(['support'], 'user'), null);
  assert.equal(sideOf(['support'], undefined), 'support');
  assert.equal(sideOf(['user', 'support'], 'support'), 'support');
  assert.equal(sideOf(['user', 'support'], undefined), 'user');
});
