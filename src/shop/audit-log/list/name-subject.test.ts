import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameSubject } from './name-subject.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const nothing = { known: null, recorded: null };

test('[OPS-06] subjects have the number or name that people know', () => {
  const order = { kind: 'order', id: ID } as const;
  assert.deepEqual(nameSubject(order, 'order.shipped', { known: 'CM-1042', recorded: '1042' }), {
    name: 'Order CM-1042',
    path: `/admin/orders/${ID}`,
  });
  assert.deepEqual(nameSubject({ kind: 'ticket', id: ID }, 'ticket.closed', { known: '12', recorded: null }), {
    name: 'Ticket #12',
    path: `/admin/tickets/${ID}`,
  });
  assert.equal(nameSubject({ kind: 'promotion', id: ID }, 'x', { known: null, recorded: 'SPRING' }).name, 'SPRING');
});

test('[OPS-06] a subject without a name is not shown by its id', () => {
  assert.deepEqual(nameSubject({ kind: 'ticket', id: ID }, 'ticket.closed', nothing), {
    name: 'Ticket, deleted',
    path: null,
  });
  assert.equal(nameSubject({ kind: 'review', id: ID }, 'review.approved', nothing).name, 'Review');
  assert.equal(nameSubject({ kind: 'settings', id: 'low-stock' }, 'x', nothing).name, 'Low stock');
  assert.equal(nameSubject({ kind: 'canned-answer', id: ID }, 'x', nothing).name, 'Canned answer');
  assert.equal(nameSubject({ kind: 'settings', id: `carrier ${ID}` }, 'x', nothing).name, 'Carrier');
  assert.equal(nameSubject({ kind: 'chain', id: ID }, 'x', nothing).name, 'Rescan of blocks');
});
