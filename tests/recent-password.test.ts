/** Which calls require that the password was entered within 15 minutes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ACCESS_RULES } from '#src/shop/access-rules.ts';
import type { AccessRuleName } from '#src/shop/access-rules.ts';
import { checkAccess } from '#src/platform/http/call.ts';
import { toMethod } from './support/audit-walk.ts';
import { textAt } from './support/read-json.ts';
import { HANDLED_CALLS, RECENT_PASSWORD_CALLS, RULE_CALLS } from './support/recent-password.ts';
import type { RuleCall } from './support/recent-password.ts';
import { readRoutes } from './support/shop-routes.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { enterPassword } from './support/totp-app.ts';

// A minute less, since a busy machine may need some seconds after the login.
const RECENT_S = 14 * 60;
const TOO_OLD_S = 15 * 60 + 1;

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const moveClock = (seconds: number) => shop.api('POST', '/dev/clock', { body: { offset_s: seconds } });

interface Caller {
  readonly id: string;
  readonly token: string;
}

async function logIn(username: string): Promise<Caller> {
  const { body } = await enterPassword(shop, username);
  return { id: textAt(body, 'user', 'id'), token: textAt(body, 'tokens', 'accessToken') };
}

async function reauthenticate({ token }: Caller): Promise<void> {
  const entered = { token, body: { password: 'crypto-market' } };
  assert.equal((await shop.api('POST', '/users/reauthenticate', entered)).status, 200);
}

type Call = Pick<RuleCall, 'call' | 'body'>;

/** Whether the shop asks the caller for the password. */
async function isAsked({ id, token }: Caller, { call, body }: Call): Promise<boolean> {
  const [method = '', path = ''] = call.replace('{own}', id).split(' ');
  const request = { token, password: null, ...(body === undefined ? {} : { body }) };
  const { status, body: response } = await shop.api(toMethod(method), path, request);
  assert.ok(status !== 403 && status < 500, `${call}: ${status} ${JSON.stringify(response)}`);
  if (status !== 401) return false;
  assert.equal(textAt(response, 'error', 'code'), 'reauth', call);
  return true;
}

async function listAsked(caller: Caller, calls: readonly Call[]): Promise<readonly boolean[]> {
  const asked: boolean[] = [];
  for (const call of calls) asked.push(await isAsked(caller, call));
  return asked;
}

const isRuleName = (who: string): who is AccessRuleName => Object.hasOwn(ACCESS_RULES, who);

test('[OPS-17] calls of sensitive rules require a password of the last 15 minutes', async () => {
  const calls = Object.values(RULE_CALLS);
  const owner = await logIn('owner');
  try {
    await moveClock(RECENT_S);
    assert.deepEqual(
      await listAsked(owner, calls),
      calls.map(() => false),
    );
    await moveClock(TOO_OLD_S);
    const asked = await listAsked(owner, calls);
    const found = Object.fromEntries(Object.keys(RULE_CALLS).map((rule, index) => [rule, asked[index]]));
    const expected = Object.entries(RULE_CALLS).map(([rule, { needsRecentPassword }]) => [rule, needsRecentPassword]);
    assert.deepEqual(found, Object.fromEntries(expected));
    await reauthenticate(owner);
    assert.deepEqual(
      await listAsked(owner, calls),
      calls.map(() => false),
      'after the password',
    );
  } finally {
    await moveClock(0);
  }
});

test('[OPS-26] a password is recent for 15 minutes to the millisecond', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const check = (ms: number): string | undefined => {
    const authenticatedAt = new Date(now.getTime() - ms);
    const identity = { sessionId: '', userId: '', username: '', role: 'owner', isStaff: true, authenticatedAt };
    return checkAccess('PUT /staff/role', ACCESS_RULES.money, { identity }, now)?.code;
  };
  assert.deepEqual([check(899_999), check(900_000)], [undefined, 'reauth']);
});

test('[API-08] [OPS-14] account changes and erasures require a recent password', async () => {
  const manager = await logIn('staff');
  try {
    await moveClock(TOO_OLD_S);
    assert.deepEqual(
      await listAsked(manager, HANDLED_CALLS),
      HANDLED_CALLS.map(() => true),
    );
    await reauthenticate(manager);
    assert.deepEqual(
      await listAsked(manager, HANDLED_CALLS),
      HANDLED_CALLS.map(() => false),
    );
  } finally {
    await moveClock(0);
  }
});

const toPattern = (key: string): RegExp => new RegExp(`^${key.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

test('[OPS-17] each call of the shop has the rule that its table says', async () => {
  const routes = Object.entries(await readRoutes());
  const tried = Object.values(RULE_CALLS).map(({ call }) => call.split(/[?]/)[0] ?? call);
  const sensitive = routes.flatMap(([key, { who }]) =>
    isRuleName(who) && ACCESS_RULES[who].needsRecentPassword ? [key] : [],
  );
  assert.deepEqual(sensitive.toSorted(), [...RECENT_PASSWORD_CALLS]);
  for (const [index, [rule]] of Object.entries(RULE_CALLS).entries()) {
    const match = routes.filter(([key]) => toPattern(key).test(tried[index] ?? ''));
    assert.ok(
      match.some(([, { who }]) => who === rule),
      `${tried[index]} is no call of ${rule}`,
    );
  }
});
