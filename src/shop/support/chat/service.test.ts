import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveMessage } from '#src/platform/live/live-frame.ts';
import type { LivePeer } from '#src/platform/live/live-server.ts';
import { silentLog } from '../../../../tests/support/database-server.ts';
import { waitUntil } from '../../../../tests/support/wait-until.ts';
import { LiveTickets } from './service.ts';

const TICKET = '019a0000-0000-7000-8000-000000000001';
const MESSAGE = { ticket_id: TICKET, sender_type: 'user', created_at: new Date(0) } as const;

/** Opens a chat whose tickets are an array and whose identity look-ups wait for gates. */
function open({ sweepMs = 60_000 } = {}) {
  const listeners = new Map<string, (ids: readonly string[]) => void>();
  const texts: string[] = [];
  const state = { status: 'open' as 'open' | 'closed', gates: [] as Promise<void>[], isAway: false };
  const waitForGate = async (): Promise<void> => {
    if (state.isAway) throw new Error('database unavailable');
    await state.gates.shift();
  };
  const chat = new LiveTickets({
    pubSub: {
      subscribe: (topic, listener) => void listeners.set(topic, listener),
      onGap: (listener) => void listeners.set('gap', listener),
      publish: (topic, id) => listeners.get(topic)?.([id]),
    },
    tickets: {
      findStates: async (ids) => {
        if (state.isAway) throw new Error('database unavailable');
        return ids.map((id) => ({ id, userId: 'ada', status: state.status, lastPosition: texts.length }));
      },
      listMessagesAfter: async (_id, position) =>
        texts.slice(position).map((message, index) => ({
          ...MESSAGE,
          id: `019a0000-0000-7000-8000-${String(position + index + 1).padStart(12, '0')}`,
          position: position + index + 1,
          message,
        })),
    },
    accounts: {
      findIdentities: async (sessions) => {
        await waitForGate();
        return new Map(sessions.map((session) => [session, { userId: session, role: 'customer' as const }]));
      },
    },
    log: silentLog,
    sweepMs,
  });
  chat.start();
  return { chat, texts, state, gap: () => listeners.get('gap')?.([]) };
}

function createPeer(userId = 'ada') {
  const received: LiveMessage[] = [];
  const ends: string[] = [];
  const peer: LivePeer = {
    identity: { sessionId: userId, userId, username: userId, role: 'customer', isStaff: false },
    sendMessage: (message) => void received.push(message),
    disconnect: () => void ends.push(userId),
  };
  return { peer, received, ends, listTypes: () => received.map(({ type }) => type) };
}

test('[TKT-05] keeps a member who joins during a delivery', async () => {
  const { chat, texts, state } = open();
  const [first, second] = [createPeer(), createPeer()];
  chat.handleFrame(first.peer, { type: 'join_ticket', ticketId: TICKET });
  await waitUntil(() => first.listTypes().includes('joined_ticket'));
  const gate = Promise.withResolvers<void>();
  state.gates.push(gate.promise);
  texts.push('one');
  chat.publishChange(TICKET);
  await waitUntil(() => state.gates.length === 0);
  chat.handleFrame(second.peer, { type: 'join_ticket', ticketId: TICKET });
  await waitUntil(() => second.listTypes().includes('joined_ticket'));
  gate.resolve();
  await waitUntil(() => first.listTypes().includes('new_message'));
  texts.push('two');
  chat.publishChange(TICKET);
  await waitUntil(() => second.listTypes().length === 3);
  assert.deepEqual(second.listTypes(), ['joined_ticket', 'new_message', 'new_message']);
});

test('[TKT-05] delivers missed messages after a gap and by the sweep', async () => {
  const { chat, texts, gap } = open({ sweepMs: 20 });
  const { peer, listTypes } = createPeer();
  chat.handleFrame(peer, { type: 'join_ticket', ticketId: TICKET });
  await waitUntil(() => listTypes().includes('joined_ticket'));
  texts.push('not published');
  await waitUntil(() => listTypes().length === 2);
  texts.push('also not published');
  gap();
  await waitUntil(() => listTypes().length === 3);
});

test('[WS-02] disconnects a client whose join fails; ignores one that left', async () => {
  const { chat, texts, state } = open();
  const [failed, left] = [createPeer(), createPeer()];
  state.isAway = true;
  chat.handleFrame(failed.peer, { type: 'join_ticket', ticketId: TICKET });
  await waitUntil(() => failed.ends.length === 1);
  state.isAway = false;
  chat.handleFrame(left.peer, { type: 'join_ticket', ticketId: TICKET });
  chat.removePeer(left.peer);
  const present = createPeer();
  chat.handleFrame(present.peer, { type: 'join_ticket', ticketId: TICKET });
  await waitUntil(() => present.listTypes().includes('joined_ticket'));
  texts.push('one');
  chat.publishChange(TICKET);
  await waitUntil(() => present.listTypes().includes('new_message'));
  assert.deepEqual([failed.received, left.received], [[], []]);
});
