import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSenderRole, listSenderRoles } from './sender-role.ts';

test('[TKT-06] derives the sender role from the account and ticket owner', () => {
  const [customer, staff] = [
    { userId: 'a', isStaff: false },
    { userId: 's', isStaff: true },
  ];
  assert.deepEqual(listSenderRoles(customer, 'a'), ['user']);
  assert.deepEqual(listSenderRoles(customer, 'b'), []);
  assert.deepEqual(listSenderRoles(staff, 'a'), ['support']);
  assert.deepEqual(listSenderRoles(staff, 's'), ['user', 'support']);
  assert.equal(chooseSenderRole(['user'], 'support'), null);
  assert.equal(chooseSenderRole(['support'], 'user'), null);
  assert.equal(chooseSenderRole(['support'], undefined), 'support');
  assert.equal(chooseSenderRole(['user', 'support'], 'support'), 'support');
  assert.equal(chooseSenderRole(['user', 'support'], undefined), 'user');
});
