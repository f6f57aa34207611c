import assert from 'node:assert/strict';
import { test } from 'node:test';
import { returnStates } from './kinds.ts';
import type { ReturnCause, ReturnState } from './kinds.ts';
import { isMailStillTrue, isStaffMailStillTrue, returnMails, returnOutcomes } from './return-mail-kinds.ts';

const list = (state: ReturnState, outcome: string | null = null, hasLabel = false): string =>
  returnMails.filter((mail) => isMailStillTrue(mail, { state, outcome, hasLabel })).join(' ');

test('[RET-06] a mail about a return is sent only while it is true', () => {
  assert.equal(list('requested'), 'requested');
  assert.equal(list('approved'), 'approved reopened');
  assert.equal(list('in-transit'), 'approved sent reopened');
  assert.equal(list('received'), 'received reopened');
  assert.equal(list('inspected'), 'received inspected reopened');
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

test('[RET-06] the mail about a label is sent while it is there and nothing was sent', () => {
  const withLabel = returnStates.filter((state) => list(state, null, true).split(' ').includes('label'));
  assert.deepEqual(withLabel, ['approved']);
  assert.ok(!list('approved').includes('label'), 'a label that was removed again');
});

const listTrue = (cause: ReturnCause) => returnStates.filter((state) => isStaffMailStillTrue({ cause, state }));

test('[RET-06] staff get a mail about a return that they have to decide, or a withdrawal', () => {
  assert.deepEqual(listTrue('defect'), ['requested']);
  assert.deepEqual(listTrue('courtesy'), ['requested']);
  assert.deepEqual(listTrue('withdrawal'), ['requested', 'approved', 'in-transit', 'received', 'inspected']);
});
