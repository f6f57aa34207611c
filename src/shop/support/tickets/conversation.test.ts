import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { addEarlier, addLoaded, addMessage, createConversation, markDisconnected } from './conversation.ts';
import type { Conversation, IdentifiedMessage } from './conversation.ts';

const toMessage = (number: number): IdentifiedMessage => ({ id: String(number).padStart(4, '0') });
const formatIds = ({ messages }: Conversation<IdentifiedMessage>): string =>
  messages.map(({ id }) => Number(id)).join(' ');

test('[TKT-05] shows a message received twice once and in order', () => {
  let conversation = createConversation([toMessage(1), toMessage(2)]);
  conversation = addLoaded(conversation, [], true);
  conversation = addMessage(conversation, toMessage(4), 'answer');
  conversation = addMessage(conversation, toMessage(3), 'channel');
  conversation = addMessage(conversation, toMessage(4), 'channel');
  assert.equal(formatIds(conversation), '1 2 3 4');
  assert.equal(conversation.completeUpTo, '0003', 'the channel has not delivered the fourth in order');
  assert.equal(formatIds(addEarlier(conversation, [toMessage(0)])), '0 1 2 3 4');
});

test('[TKT-05] loads from the last complete message after a disconnection', () => {
  let conversation = addLoaded(createConversation([toMessage(1)]), [], true);
  conversation = markDisconnected(conversation);
  // 2 and 3 were missed. 4 arrives by the new connection, which is cut before loading ends.
  conversation = addMessage(conversation, toMessage(4), 'channel');
  assert.equal(conversation.completeUpTo, '0001');
  conversation = addLoaded(markDisconnected(conversation), [toMessage(2)], false);
  assert.equal(conversation.completeUpTo, '0002');
  conversation = addLoaded(conversation, [toMessage(3), toMessage(4)], true);
  assert.equal(formatIds(conversation), '1 2 3 4');
  assert.equal(addMessage(conversation, toMessage(5), 'channel').completeUpTo, '0005');
});

test('[TKT-05] holds every message once and in order after any disconnections', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant('write' as const) },
    { weight: 1, arbitrary: fc.constant('cut' as const) },
    { weight: 2, arbitrary: fc.constant('load' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (steps, pageLength) => {
      const written: IdentifiedMessage[] = [];
      let [conversation, isJoined] = [createConversation<IdentifiedMessage>([]), true];
      const load = (): void => {
        isJoined = true;
        const missing = written.filter(
          ({ id }) => conversation.completeUpTo === null || id > conversation.completeUpTo,
        );
        const page = missing.slice(0, pageLength);
        conversation = addLoaded(conversation, page, page.length < pageLength);
      };
      for (const action of steps) {
        if (action === 'write') {
          const message = toMessage(written.length);
          written.push(message);
          if (isJoined)
            conversation = addMessage(conversation, message, written.length % 3 === 0 ? 'answer' : 'channel');
        } else if (action === 'cut') {
          conversation = markDisconnected(conversation);
          isJoined = false;
        } else load();
      }
      do load();
      while (!conversation.isComplete);
      assert.deepEqual(conversation.messages, written);
    }),
    { numRuns: 500 },
  );
});
