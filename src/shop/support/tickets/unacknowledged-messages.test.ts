import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnacknowledged } from './unacknowledged-messages.ts';

const toStored = (id: string, message: string) => ({ id, message });
const sent = (text: string, behind: string | null = null) => ({ text, behind });

test('[TKT-03] matches each sent message with one stored message', () => {
  assert.deepEqual(findUnacknowledged([sent('a'), sent('b')], [toStored('1', 'a')]), [sent('b')]);
  assert.deepEqual(
    findUnacknowledged([sent('a', '1')], [toStored('1', 'a')]),
    [sent('a', '1')],
    'already stored before sending',
  );
  assert.deepEqual(findUnacknowledged([sent('a', '1'), sent('a', '1')], [toStored('1', 'a'), toStored('2', 'a')]), [
    sent('a', '1'),
  ]);
  assert.deepEqual(findUnacknowledged([], [toStored('1', 'a')]), []);
});
