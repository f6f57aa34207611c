import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnacknowledged } from './unacknowledged-messages.ts';

const toStored = (id: string, message: string) => ({ id, message });
const createSentMessage = (text: string, behind: string | null = null) => ({ text, behind });

test('[TKT-03] matches each sent message with one stored message', () => {
  assert.deepEqual(findUnacknowledged([createSentMessage('a'), createSentMessage('b')], [toStored('1', 'a')]), [
    createSentMessage('b'),
  ]);
  assert.deepEqual(
    findUnacknowledged([createSentMessage('a', '1')], [toStored('1', 'a')]),
    [createSentMessage('a', '1')],
    'already stored before sending',
  );
  assert.deepEqual(
    findUnacknowledged(
      [createSentMessage('a', '1'), createSentMessage('a', '1')],
      [toStored('1', 'a'), toStored('2', 'a')],
    ),
    [createSentMessage('a', '1')],
  );
  assert.deepEqual(findUnacknowledged([], [toStored('1', 'a')]), []);
});
