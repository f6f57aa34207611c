import assert from 'node:assert/strict';
import { test } from 'node:test';
import { returnStates } from './kinds.ts';
import type { ReturnCause, ReturnState } from './kinds.ts';
import { isMailStillTrue, isStaffMailStillTrue, returnMails, returnOutcomes } from './return-mail-kinds.ts';

const list = (state: ReturnState, outcome: string | null = null): string =>
  returnMails.filter((mail) => isMailStillTrue(mail, { state, outcome })).join(' ');

test('[RET-06] a mail about a return is sent only while it is true', () => {
  assert.equal(list('requested'), 'requested');
  assert.equal(list('approved'), 'approved');
  assert.equal(list('in-transit'), 'approved sent');
  assert.equal(list('received'), 'received');
  assert.equal(list('inspected'), 'received inspected');
  assert.deepEqual(
    returnOutcomes.map((outcome) => list(outcome === 'refused' ? 'refused' : 'closed', outcome)),
    [
      'received inspected refunded',
      'received inspected exchanged',
      'closed',
      'closed',
      'cancelled',
      'refused',
      'voided',
    ],
  );
});

const listTrue = (cause: ReturnCause) => returnStates.filter((state) => isStaffMailStillTrue({ cause, state }));

test('[RET-06] staff get a mail about a return that they have to decide, or a withdrawal', () => {
  assert.deepEqual(listTrue('defect'), ['requested']);
  assert.deepEqual(listTrue('courtesy'), ['requested']);
  assert.deepEqual(listTrue('withdrawal'), ['requested', 'approved', 'in-transit', 'received', 'inspected']);
});
