import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnacknowledged } from './unacknowledged-messages.ts';

const kept = (id: string, message: string) => ({ id, message });
const sent = (text: string, behind: string | null = null) => ({ text, behind });

test('[TKT-03] what is kept is not shown as on its way as well, each of several with the same words once', () => {
  assert.deepEqual(findUnacknowledged([sent('a'), sent('b')], [kept('1', 'a')]), [sent('b')]);
  assert.deepEqual(findUnacknowledged([sent('a', '1')], [kept('1', 'a')]), [sent('a', '1')], 'that was there before');
  assert.deepEqual(findUnacknowledged([sent('a', '1'), sent('a', '1')], [kept('1', 'a'), kept('2', 'a')]), [
    sent('a', '1'),
  ]);
  assert.deepEqual(findUnacknowledged([], [kept('1', 'a')]), []);
});
