import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { addEarlier, addLoaded, addMessage, createConversation, markDisconnected } from './conversation.ts';
import type { Conversation, IdentifiedMessage } from './conversation.ts';

const told = (number: number): IdentifiedMessage => ({ id: String(number).padStart(4, '0') });
const idsOf = ({ messages }: Conversation<IdentifiedMessage>): string => messages.map(({ id }) => Number(id)).join(' ');

test('[TKT-05] what comes twice is shown once, and in order', () => {
  let known = createConversation([told(1), told(2)]);
  known = addLoaded(known, [], true);
  known = addMessage(known, told(4), 'answer');
  known = addMessage(known, told(3), 'channel');
  known = addMessage(known, told(4), 'channel');
  assert.equal(idsOf(known), '1 2 3 4');
  assert.equal(known.completeUpTo, '0003', 'the fourth came by another way first');
  assert.equal(idsOf(addEarlier(known, [told(0)])), '0 1 2 3 4');
});

test('[TKT-05] a cut while it loads leaves no hole: the next loading begins where it is sure', () => {
  let known = addLoaded(createConversation([told(1)]), [], true);
  known = markDisconnected(known);
  // 2 and 3 were missed; 4 comes by the new connection, which is cut before the loading has ended.
  known = addMessage(known, told(4), 'channel');
  assert.equal(known.completeUpTo, '0001');
  known = addLoaded(markDisconnected(known), [told(2)], false);
  assert.equal(known.completeUpTo, '0002');
  known = addLoaded(known, [told(3), told(4)], true);
  assert.equal(idsOf(known), '1 2 3 4');
  assert.equal(addMessage(known, told(5), 'channel').completeUpTo, '0005');
});

test('[TKT-05] whatever is cut when, in the end everything is there, once and in order', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant('write' as const) },
    { weight: 1, arbitrary: fc.constant('cut' as const) },
    { weight: 2, arbitrary: fc.constant('load' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (steps, pageLength) => {
      const written: IdentifiedMessage[] = [];
      let [known, isJoined] = [createConversation<IdentifiedMessage>([]), true];
      const load = (): void => {
        isJoined = true;
        const missing = written.filter(({ id }) => known.completeUpTo === null || id > known.completeUpTo);
        const page = missing.slice(0, pageLength);
        known = addLoaded(known, page, page.length < pageLength);
      };
      for (const one of steps) {
        if (one === 'write') {
          const message = told(written.length);
          written.push(message);
          if (isJoined) known = addMessage(known, message, written.length % 3 === 0 ? 'answer' : 'channel');
        } else if (one === 'cut') {
          known = markDisconnected(known);
          isJoined = false;
        } else load();
      }
      do load();
      while (!known.isComplete);
      assert.deepEqual(known.messages, written);
    }),
    { numRuns: 500 },
  );
});
