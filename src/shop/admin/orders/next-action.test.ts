import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fulfilmentStatuses, paymentStatuses } from '#src/shop/orders/kinds.ts';
import { staffTaskKinds } from '../tasks/staff-task.ts';
import { decideNextAction, describeRest, isBeforeShipping, orderActions } from './next-action.ts';
import type { OrderAction } from './next-action.ts';

const toCan = (possible: readonly OrderAction[]): Readonly<Record<OrderAction, boolean>> => ({
  accept: possible.includes('accept'),
  refund: possible.includes('refund'),
  'send-refund': possible.includes('send-refund'),
  'withdraw-refund': possible.includes('withdraw-refund'),
  'close-as-loss': possible.includes('close-as-loss'),
  cancel: possible.includes('cancel'),
  restock: possible.includes('restock'),
  ship: possible.includes('ship'),
  deliver: possible.includes('deliver'),
});
const can = fc.uniqueArray(fc.constantFrom(...orderActions)).map(toCan);
const task = fc.constantFrom(...staffTaskKinds);

test('[OPS-30] the next action of an order is one that can be taken', () => {
  fc.assert(
    fc.property(fc.option(task), can, (kind, possible) => {
      const { action } = decideNextAction({ task: kind, can: possible });
      assert.ok(action === null || possible[action]);
    }),
  );
});

test('[OPS-30] a task that comes before shipping never leads to shipping', () => {
  const open = staffTaskKinds.filter((kind) => isBeforeShipping(kind));
  for (const kind of open) {
    const next = decideNextAction({ task: kind, can: toCan(orderActions) });
    assert.equal(next.task, kind);
    assert.ok(next.action !== 'ship' && next.action !== 'deliver', `${kind} leads to ${next.action}`);
  }
});

test('[OPS-30] a task that only informs does not delay shipping, and is shown otherwise', () => {
  const others = staffTaskKinds.filter((kind) => !isBeforeShipping(kind));
  assert.deepEqual(others, ['surplus', 'late-confirming', 'late-no-rate', 'refund-sent', 'immature']);
  for (const kind of [...others, null]) {
    assert.deepEqual(decideNextAction({ task: kind, can: toCan(['ship', 'deliver']) }), { task: null, action: 'ship' });
    assert.deepEqual(decideNextAction({ task: kind, can: toCan(['deliver']) }), { task: null, action: 'deliver' });
    assert.deepEqual(decideNextAction({ task: kind, can: toCan(['refund']) }), { task: kind, action: null });
  }
});

test('[OPS-30] each task leads to its best possible step', () => {
  const cases: readonly (readonly [(typeof staffTaskKinds)[number], readonly OrderAction[], OrderAction | null])[] = [
    ['late-rate', ['accept', 'refund', 'cancel'], 'accept'],
    ['late-overdue', ['refund'], 'refund'],
    ['cancelled-paid', ['accept', 'refund'], 'accept'],
    ['underpaid-over', ['accept'], 'accept'],
    ['late-sold-out', ['refund', 'restock', 'accept'], 'restock'],
    ['refund-to-send', ['send-refund', 'withdraw-refund'], 'send-refund'],
    ['refund-superseded', ['send-refund', 'withdraw-refund'], 'withdraw-refund'],
    ['double-spent', ['cancel', 'ship'], 'cancel'],
    ['refund-lost', ['close-as-loss', 'refund'], 'close-as-loss'],
    ['surplus-ready', ['refund', 'ship'], 'refund'],
    ['reorged-out', orderActions, null],
    ['refund-stopped', orderActions, null],
    ['late-rate', [], null],
  ];
  for (const [kind, possible, expected] of cases)
    assert.equal(decideNextAction({ task: kind, can: toCan(possible) }).action, expected, kind);
});

test('[OPS-30] an order without a next step says what it is', () => {
  for (const payment of paymentStatuses)
    for (const fulfilment of fulfilmentStatuses) {
      const { title, text } = describeRest(payment, fulfilment);
      assert.ok(title !== '' && text.endsWith('.'), `${payment} ${fulfilment}`);
    }
});
