import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveMessage } from '#src/platform/live/live-frame.ts';
import type { LivePeer } from '#src/platform/live/live-server.ts';
import { silentLog } from '../../../../tests/support/database-server.ts';
import { until } from '../../../../tests/support/until.ts';
import { LiveTickets } from './service.ts';

const TICKET = '019a0000-0000-7000-8000-000000000001';
const MESSAGE = { ticket_id: TICKET, sender_type: 'user', created_at: new Date(0) } as const;

/** A shop whose rows are a list, and whose answers come when the test says so. */
function open({ sweepMs = 60_000 } = {}) {
  const listeners = new Map<string, (ids: readonly string[]) => void>();
  const texts: string[] = [];
  const state = { status: 'open' as 'open' | 'closed', gates: [] as Promise<void>[], isAway: false };
  const ask = async (): Promise<void> => {
    if (state.isAway) throw new Error('the database is away');
    await state.gates.shift();
  };
  const chat = new LiveTickets({
    news: {
      on: (topic, listener) => void listeners.set(topic, listener),
      onGap: (listener) => void listeners.set('gap', listener),
      tell: (topic, id) => listeners.get(topic)?.([id]),
    },
    tickets: {
      standingOf: async (ids) => {
        if (state.isAway) throw new Error('the database is away');
        return ids.map((id) => ({ id, userId: 'ada', status: state.status, lastPosition: texts.length }));
      },
      readAfter: async (_id, position) =>
        texts.slice(position).map((message, index) => ({
          ...MESSAGE,
          id: `019a0000-0000-7000-8000-${String(position + index + 1).padStart(12, '0')}`,
          position: position + index + 1,
          message,
        })),
    },
    accounts: {
      identitiesOf: async (sessions) => {
        await ask();
        return new Map(sessions.map((session) => [session, { userId: session, role: 'customer' as const }]));
      },
    },
    log: silentLog,
    sweepMs,
  });
  chat.begin();
  return { chat, texts, state, gap: () => listeners.get('gap')?.([]) };
}

function newPeer(userId = 'ada') {
  const told: LiveMessage[] = [];
  const ends: string[] = [];
  const peer: LivePeer = {
    identity: { sessionId: userId, userId, username: userId, role: 'customer' },
    tell: (message) => void told.push(message),
    end: () => void ends.push(userId),
  };
  return { peer, told, ends, types: () => told.map(({ type }) => type) };
}

test('[TKT-05] who joins while others are sent something is not sent away, and hears what comes', async () => {
  const { chat, texts, state } = open();
  const [first, second] = [newPeer(), newPeer()];
  chat.hear(first.peer, { type: 'join_ticket', ticketId: TICKET });
  await until(() => first.types().includes('joined_ticket'));
  const gate = Promise.withResolvers<void>();
  state.gates.push(gate.promise);
  texts.push('one');
  chat.touched(TICKET);
  await until(() => state.gates.length === 0);
  chat.hear(second.peer, { type: 'join_ticket', ticketId: TICKET });
  await until(() => second.types().includes('joined_ticket'));
  gate.resolve();
  await until(() => first.types().includes('new_message'));
  texts.push('two');
  chat.touched(TICKET);
  await until(() => second.types().length === 3);
  assert.deepEqual(second.types(), ['joined_ticket', 'new_message', 'new_message']);
});

test('[TKT-05] news that got lost is made up for, after a gap and by the next round', async () => {
  const { chat, texts, gap } = open({ sweepMs: 20 });
  const { peer, types } = newPeer();
  chat.hear(peer, { type: 'join_ticket', ticketId: TICKET });
  await until(() => types().includes('joined_ticket'));
  texts.push('nobody told of it');
  await until(() => types().length === 2);
  texts.push('nor of this');
  gap();
  await until(() => types().length === 3);
});

test('[WS-02] while it cannot be looked up, one is asked to come again; who has left meanwhile is not joined', async () => {
  const { chat, texts, state } = open();
  const [unlucky, hasty] = [newPeer(), newPeer()];
  state.isAway = true;
  chat.hear(unlucky.peer, { type: 'join_ticket', ticketId: TICKET });
  await until(() => unlucky.ends.length === 1);
  state.isAway = false;
  chat.hear(hasty.peer, { type: 'join_ticket', ticketId: TICKET });
  chat.forget(hasty.peer);
  const present = newPeer();
  chat.hear(present.peer, { type: 'join_ticket', ticketId: TICKET });
  await until(() => present.types().includes('joined_ticket'));
  texts.push('one');
  chat.touched(TICKET);
  await until(() => present.types().includes('new_message'));
  assert.deepEqual([unlucky.told, hasty.told], [[], []]);
});
