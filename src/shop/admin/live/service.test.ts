import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '#src/shop/permissions.ts';
import { Refusal } from '#src/platform/http/call.ts';
import type { AnyRoute } from '#src/platform/http/call.ts';
import type { LiveMessage } from '#src/platform/live/live-frame.ts';
import type { LivePeer } from '#src/platform/live/live-server.ts';
import { silentLog } from '../../../../tests/support/database-server.ts';
import { listAt } from '../../../../tests/support/read-json.ts';
import { waitUntil } from '../../../../tests/support/wait-until.ts';
import { LiveStaff } from './service.ts';
import { staffTopics } from './staff-topics.ts';

/** Two processes that share notifications and accounts. */
function open({ frameEveryMs = 20 } = {}) {
  const listeners: ((ids: readonly string[]) => void)[] = [];
  const gaps: (() => void)[] = [];
  const roles = new Map<string, Role>();
  const withoutFactor = new Set<string>();
  const state = { isAway: false, notifications: 0 };
  const create = () =>
    new LiveStaff({
      pubSub: {
        subscribe: (_, listener) => void listeners.push(listener),
        onGap: (listener) => void gaps.push(listener),
        publish: (_, id) => {
          state.notifications += 1;
          for (const listener of listeners) listener([id]);
        },
      },
      accounts: {
        findIdentities: async (sessions) => {
          if (state.isAway) throw new Error('database unavailable');
          return new Map(
            sessions.flatMap((session) => {
              const role = roles.get(session);
              const lacksSecondFactor = withoutFactor.has(session);
              return role === undefined ? [] : [[session, { userId: session, role, lacksSecondFactor }] as const];
            }),
          );
        },
      },
      log: silentLog,
      frameEveryMs,
    });
  const [first, second] = [create(), create()];
  first.start();
  second.start();
  return { first, second, roles, withoutFactor, state, miss: () => gaps.map((gap) => gap()) };
}

function connect(live: LiveStaff, sessionId: string, role: Role = 'manager') {
  const frames: LiveMessage[] = [];
  const peer: LivePeer = {
    identity: { sessionId, userId: sessionId, username: sessionId, role, isStaff: role !== 'customer' },
    sendMessage: (message) => void frames.push(message),
    disconnect: () => void frames.push({ type: 'disconnected' }),
  };
  live.handleFrame(peer, { type: 'join_staff' });
  const readTopics = () =>
    frames.filter(({ type }) => type === 'staff_changed').map((frame) => listAt(frame, 'data', 'topics'));
  return { peer, frames, readTopics, hasJoined: () => frames.some(({ type }) => type === 'joined_staff') };
}

test('[OPS-18] staff of every process get the changed topics', async () => {
  const { first, second, roles } = open();
  roles.set('ann', 'manager').set('ben', 'owner');
  const [ann, ben] = [connect(first, 'ann'), connect(second, 'ben')];
  await waitUntil(() => ann.hasJoined() && ben.hasJoined());
  first.publish(['orders', 'stock']);
  await waitUntil(() => ann.readTopics().length > 0 && ben.readTopics().length > 0);
  assert.ok([ann, ben].every(({ readTopics }) => readTopics().flat().includes('orders')));
});

test('[OPS-18] a customer may not join', async () => {
  const { first, roles } = open();
  roles.set('eve', 'customer');
  const eve = connect(first, 'eve', 'manager');
  await waitUntil(() => eve.frames.length > 0);
  assert.deepEqual(eve.frames, [{ type: 'error', code: 'forbidden' }]);
});

test('[OPS-17] [OPS-18] who has to set up a second factor may not join', async () => {
  const { first, roles, withoutFactor } = open();
  roles.set('ann', 'manager');
  withoutFactor.add('ann');
  const ann = connect(first, 'ann');
  await waitUntil(() => ann.frames.length > 0);
  assert.deepEqual(ann.frames, [{ type: 'error', code: 'forbidden' }]);
});

test('[OPS-18] who lost the role or the session gets no further frame', async () => {
  const { first, roles } = open();
  roles.set('ann', 'manager').set('ben', 'manager').set('cleo', 'manager');
  const [ann, ben, cleo] = [connect(first, 'ann'), connect(first, 'ben'), connect(first, 'cleo')];
  await waitUntil(() => [ann, ben, cleo].every(({ hasJoined }) => hasJoined()));
  roles.set('ben', 'customer').delete('cleo');
  first.publish(['orders']);
  await waitUntil(() => ann.readTopics().length > 0);
  assert.deepEqual([ben.readTopics(), cleo.readTopics()], [[], []]);
});

test('[OPS-18] a thousand changes make few notifications and frames', async () => {
  const { first, roles, state } = open({ frameEveryMs: 60_000 });
  roles.set('ann', 'manager');
  const ann = connect(first, 'ann');
  await waitUntil(ann.hasJoined);
  for (let change = 0; change < 1_000; change += 1) first.publish(['orders', 'payments']);
  await waitUntil(() => ann.readTopics().length > 0);
  assert.ok(state.notifications <= 4, `${state.notifications} notifications`);
  assert.equal(ann.readTopics().length, 1);
});

test('[OPS-18] changes during an outage are sent afterwards', async () => {
  const { first, roles, state } = open();
  roles.set('ann', 'manager');
  const ann = connect(first, 'ann');
  await waitUntil(ann.hasJoined);
  state.isAway = true;
  first.publish(['reviews']);
  await waitUntil(() => state.notifications > 0);
  state.isAway = false;
  await waitUntil(() => ann.readTopics().flat().includes('reviews'));
});

test('[OPS-18] after missed notifications every topic counts as changed', async () => {
  const { first, roles, miss } = open();
  roles.set('ann', 'manager');
  const ann = connect(first, 'ann');
  await waitUntil(ann.hasJoined);
  miss();
  await waitUntil(() => ann.readTopics().length > 0);
  assert.deepEqual(ann.readTopics()[0], staffTopics);
});

test('[OPS-18] a closed socket gets no frame', async () => {
  const { first, roles } = open();
  roles.set('ann', 'manager').set('ben', 'manager');
  const [ann, ben] = [connect(first, 'ann'), connect(first, 'ben')];
  await waitUntil(() => ann.hasJoined() && ben.hasJoined());
  first.removePeer(ben.peer);
  first.publish(['orders']);
  await waitUntil(() => ann.readTopics().length > 0);
  assert.deepEqual(ben.readTopics(), []);
});

const createRoute = (response: unknown): AnyRoute => ({
  who: 'staff',
  limit: { points: 1, seconds: 1, by: 'ip' },
  handle: async () => response,
});

test('[OPS-18] a call publishes after success, never after a refusal', async () => {
  const { first, state } = open();
  const refused = first.publishChangesOf({ 'POST /orders/{id}/ship': createRoute(new Refusal(409, 'no', 'No')) });
  await refused['POST /orders/{id}/ship']?.handle({});
  assert.equal(state.notifications, 0);
  const accepted = first.publishChangesOf({ 'POST /orders/{id}/ship': createRoute({}) });
  await accepted['POST /orders/{id}/ship']?.handle({});
  await waitUntil(() => state.notifications > 0);
});
