import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSenderRole, listSenderRoles } from './sender-role.ts';

test('[TKT-06] who speaks is what the sender is: a customer in an own ticket, staff as support', () => {
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
