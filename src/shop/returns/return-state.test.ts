import assert from 'node:assert/strict';
import { test } from 'node:test';
import { returnCauses, returnStates } from './kinds.ts';
import type { ReturnState } from './kinds.ts';
import { endStates, listActions, TRANSITIONS } from './return-state.ts';
import type { ReturnPosition, ReturnRole } from './return-state.ts';

const position = (more: Partial<ReturnPosition> = {}): ReturnPosition => ({
  cause: 'defect',
  state: 'requested',
  unitsToSend: 1,
  unitsToRefund: 1,
  unitsOwed: 1,
  isReleased: false,
  ...more,
});
const list = (state: ReturnState, role: ReturnRole, more: Partial<ReturnPosition> = {}): string =>
  listActions(position({ ...more, state }), role).join(' ');

/** The states that can follow from one. */
const listNext = (one: ReturnPosition): readonly ReturnState[] =>
  [...listActions(one, 'buyer'), ...listActions(one, 'staff')].map((action) => TRANSITIONS[action].to);

test('[RET-05] each state has its actions by role', () => {
  const table = returnStates.map((state) => [state, list(state, 'buyer'), list(state, 'staff')]);
  assert.deepEqual(table, [
    ['requested', 'cancel', 'approve refuse'],
    ['approved', 'cancel send', 'refuse send receive close'],
    ['in-transit', 'send', 'send receive refund close'],
    ['received', '', 'receive inspect close'],
    ['inspected', '', 'inspect refund exchange close'],
    ['closed', '', ''],
    ['refused', '', ''],
  ]);
});

test('[RET-05] a withdrawal is neither refused nor taken back', () => {
  for (const state of returnStates) {
    const actions = [list(state, 'buyer', { cause: 'withdrawal' }), list(state, 'staff', { cause: 'withdrawal' })];
    assert.doesNotMatch(actions.join(' '), /refuse|cancel/);
  }
});

test('[RET-05] units that were never shipped are refunded without being sent', () => {
  assert.equal(list('approved', 'staff', { cause: 'withdrawal', unitsToSend: 0 }), 'refund void');
  assert.equal(list('inspected', 'staff', { unitsToRefund: 0 }), 'inspect close');
});

test('[RET-06] a withdrawal that is owed ends with its refund, or is void', () => {
  const withdrawal = { cause: 'withdrawal' } as const;
  assert.equal(list('approved', 'staff', withdrawal), 'send receive void');
  assert.equal(list('in-transit', 'staff', withdrawal), 'send receive refund void');
  assert.equal(list('inspected', 'staff', withdrawal), 'inspect refund exchange void');
  assert.equal(list('approved', 'staff', { ...withdrawal, unitsOwed: 0 }), 'send receive close');
});

test('[RET-08] only inspected units that are owed are exchanged', () => {
  for (const state of returnStates) {
    assert.equal(list(state, 'staff').includes('exchange'), state === 'inspected', state);
    assert.equal(list(state, 'buyer').includes('exchange'), false);
  }
  assert.equal(list('inspected', 'staff', { unitsOwed: 0 }), 'inspect refund close');
  assert.equal(list('inspected', 'staff', { unitsToRefund: 0 }), 'inspect close');
});

test('[RET-05] every return ends, whatever its cause and units', () => {
  const units = [0, 1].flatMap((unitsToSend) =>
    [0, 1].flatMap((unitsToRefund) => [0, 1].map((unitsOwed) => ({ unitsToSend, unitsToRefund, unitsOwed }))),
  );
  const starts = returnCauses.flatMap((cause) =>
    units.flatMap((more) => returnStates.map((state) => ({ cause, state, ...more }))),
  );
  for (const start of starts) {
    const reached = new Set<ReturnState>([start.state]);
    for (const state of reached) for (const next of listNext(position({ ...start, state }))) reached.add(next);
    assert.ok(
      [...reached].some((state) => endStates.has(state)),
      JSON.stringify(start),
    );
  }
});
