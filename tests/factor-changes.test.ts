/** Changes of second factors: what authorises them, and those that wait for a day. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { createApiKey, getOwnerToken } from './support/api-key.ts';
import type { ApiResponse } from './support/api-client.ts';
import { addPasskey, getParty, requestPasskeyOptions } from './support/passkey-account.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { createSoftwareAuthenticator } from './support/software-authenticator.ts';
import type { SoftwareAuthenticator } from './support/software-authenticator.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { setUpApp, showCode, showWrongCode } from './support/totp-app.ts';
import type { TwoStepAccount } from './support/totp-app.ts';
import { waitUntil } from './support/wait-until.ts';

const PASSWORD = 'crypto-market';
const MINUTE_S = 60;
const DAY_MS = 24 * 3600_000;

let shop: TestShop;
let second: TestShop;
let owner: string;
before(async () => {
  shop = await startTestShop();
  second = await startTestShop({ beside: shop });
  owner = await getOwnerToken(shop);
});
after(async () => {
  await second.stop();
  await shop.stop();
});
afterEach(() => moveClock(0));

const moveClock = (seconds: number) => shop.api('POST', '/dev/clock', { body: { offset_s: seconds } });
const readResult = ({ status, body }: ApiResponse): string =>
  status < 300 ? String(status) : `${status} ${textAt(body, 'error', 'code')}`;
const query = <Row>(text: ReturnType<typeof sql<Row>>) =>
  runWithShopDatabase(shop, async (db) => (await text.execute(db)).rows);

interface Member extends TwoStepAccount {
  readonly email: string;
  readonly authenticator: SoftwareAuthenticator;
}

let count = 0;
/** A member of the team with an app and a passkey, whose session has confirmed none of them for 11 minutes. */
async function createMember(): Promise<Member> {
  const username = `changer${(count += 1)}`;
  const email = `${username}@team.example`;
  assert.equal(
    readResult(await shop.api('POST', '/users/register', { body: { username, email, password: PASSWORD } })),
    '201',
  );
  const change = { token: owner, body: { username, role: 'support' } };
  assert.equal(readResult(await shop.api('PUT', '/staff/role', change)), '200');
  const account = await setUpApp(shop, username);
  const authenticator = createSoftwareAuthenticator();
  assert.equal(readResult(await addPasskey(shop, { token: account.token, authenticator })), '201');
  await moveClock(11 * MINUTE_S);
  return { ...account, email, authenticator };
}

const readState = async ({ token }: Pick<Member, 'token'>) => (await shop.api('GET', '/second-factor', { token })).body;
const verify = async ({ token }: Pick<Member, 'token'>, code: string): Promise<string> =>
  readResult(await shop.api('POST', '/second-factor/verify', { token, body: { code } }));
const findPasskey = async (member: Member): Promise<string> => textAt(await readState(member), 'passkeys', 0, 'id');
const listMails = async (to: string, subject: string): Promise<readonly string[]> =>
  listAt((await shop.api('GET', `/dev/mail?to=${to}`)).body)
    .filter((mail) => textAt(mail, 'subject') === subject)
    .map((mail) => textAt(mail, 'text'));
const waitForLink = async (to: string): Promise<string> => {
  const list = () => listMails(to, 'A change of your second factors waits for a day');
  await waitUntil(async () => (await list()).length > 0);
  return /\/cancel-second-factor-change\/([\w-]{43})/.exec((await list())[0] ?? '')?.[1] ?? assert.fail('no link');
};
/** Sends no mail of a later call until the returned function is called, as while the mail server is away. */
async function holdMails(): Promise<() => Promise<unknown>> {
  await query(sql`
    create function hold_mail() returns trigger language plpgsql as $$
      begin new.start_after = now() + interval '1 day'; return new; end $$`);
  await query(sql`
    create trigger hold_mail before insert on pgboss.job for each row when (new.name = 'mail')
      execute function hold_mail()`);
  return async () => {
    await query(sql`drop function hold_mail cascade`);
    await query(sql`update pgboss.job set start_after = now() where name = 'mail' and state = 'created'`);
  };
}
const listActions = async ({ username }: Member): Promise<readonly string[]> => {
  const rows = await query(sql<{ action: string }>`
    select action from audit_entries
    where subject_id = (select id::text from users where username = ${username}) order by id`);
  return rows.map(({ action }) => action.replace('account.', '')).filter((action) => action !== 'role-changed');
};

/** The calls that change a factor, each with what it changes in the state. */
const CHANGES: Readonly<
  Record<string, { readonly call: (member: Member) => Promise<ApiResponse>; readonly kind: string }>
> = {
  'removal of the app': {
    kind: 'remove-app',
    call: ({ token }) => shop.api('POST', '/second-factor/remove', { token, body: {} }),
  },
  'new recovery codes': {
    kind: 'replace-recovery-codes',
    call: ({ token }) => shop.api('POST', '/second-factor/recovery-codes', { token, body: {} }),
  },
  'removal of a passkey': {
    kind: 'remove-passkey',
    call: async (member) =>
      shop.api('DELETE', `/second-factor/passkeys/${await findPasskey(member)}`, { token: member.token }),
  },
  'a new passkey': {
    kind: 'add-passkey',
    call: async ({ token }) => {
      const options = await requestPasskeyOptions(shop, token);
      if (options.status !== 200) return options;
      const challenge = textAt(options.body, 'challenge');
      const credential = createSoftwareAuthenticator().create({ ...getParty(shop), challenge });
      return shop.api('POST', '/second-factor/passkeys', { token, body: { name: 'Another', credential } });
    },
  },
};

const withoutTimes = async (member: Member) => {
  const body = await readState(member);
  return {
    app: valueAt(body, 'confirmed_at') !== null,
    passkeys: listAt(body, 'passkeys').map((passkey) => textAt(passkey, 'name')),
    codes: numberAt(body, 'recovery_codes_left'),
  };
};

for (const [name, { call, kind }] of Object.entries(CHANGES)) {
  test(`[OPS-17] refuses ${name} with password and session alone`, async () => {
    const member = await createMember();
    const unchanged = await withoutTimes(member);
    assert.equal(readResult(await call(member)), '403 factor-not-confirmed');
    assert.deepEqual(await withoutTimes(member), unchanged);
    assert.equal(await verify(member, showCode(member.secret, 22)), '200');
    const changed = await call(member);
    assert.match(readResult(changed), /^20[01]$/);
    assert.equal(valueAt(changed.body, 'takes_effect_at'), null);
    assert.equal(valueAt(await readState(member), 'pending_change'), null);
  });

  test(`[OPS-17] ${name} with a recovery code takes effect by itself after a day, once`, async () => {
    const member = await createMember();
    const former = await withoutTimes(member);
    assert.equal(await verify(member, member.recoveryCodes[0] ?? ''), '200');
    const unchanged = { ...former, codes: former.codes - 1 };
    const requested = await call(member);
    assert.match(readResult(requested), /^20[01]$/);
    const pending = valueAt(await readState(member), 'pending_change');
    assert.equal(textAt(pending, 'kind'), kind);
    assert.equal(textAt(pending, 'takes_effect_at'), textAt(requested.body, 'takes_effect_at'));
    assert.equal(Date.parse(textAt(pending, 'takes_effect_at')) - Date.parse(textAt(pending, 'requested_at')), DAY_MS);
    assert.deepEqual(await withoutTimes(member), unchanged, 'nothing has changed yet');
    await query(sql`update second_factor_changes set takes_effect_at = now() - interval '1 second'`);
    await waitUntil(async () => valueAt(await readState(member).catch(() => null), 'pending_change') === null);
    assert.deepEqual(
      await withoutTimes(member),
      {
        'remove-app': { ...unchanged, app: false },
        'replace-recovery-codes': { ...unchanged, codes: 10 },
        'remove-passkey': { ...unchanged, passkeys: [] },
        'add-passkey': { ...unchanged, passkeys: ['Key', 'Another'] },
      }[kind],
    );
    if (kind === 'replace-recovery-codes') {
      assert.equal(await verify(member, member.recoveryCodes[1] ?? ''), '400 wrong-code', 'a former code');
      assert.equal(await verify(member, textAt(requested.body, 'recovery_codes', 3)), '200');
    }
    const done = (await listActions(member)).slice(2);
    assert.equal(done.length, 2, done.join(', '));
    assert.equal(done[0], 'second-factor-change-requested');
  });
}

test('[OPS-17] an app added with a recovery code is on after a day only', async () => {
  const member = await createMember();
  assert.equal(await verify(member, showCode(member.secret, 22)), '200');
  const { token } = member;
  assert.equal(readResult(await shop.api('POST', '/second-factor/remove', { token, body: {} })), '200');
  await moveClock(22 * MINUTE_S);
  assert.equal(readResult(await shop.api('POST', '/second-factor', { token })), '403 factor-not-confirmed');
  assert.equal(await verify(member, member.recoveryCodes[0] ?? ''), '200');
  const secret = textAt((await shop.api('POST', '/second-factor', { token })).body, 'secret');
  const confirm = { token, body: { code: showCode(secret, 44) } };
  const confirmed = await shop.api('POST', '/second-factor/confirm', confirm);
  assert.equal(readResult(confirmed), '200', JSON.stringify(confirmed.body));
  assert.equal(textAt(await readState(member), 'pending_change', 'kind'), 'add-app');
  assert.equal(valueAt(await readState(member), 'confirmed_at'), null);
  assert.equal(await verify(member, showCode(secret, 45)), '400 wrong-code', 'it is not on yet');
  await query(sql`update second_factor_changes set takes_effect_at = now() - interval '1 second'`);
  await waitUntil(async () => (await query(sql`select from second_factor_changes`)).length === 0);
  assert.equal(
    readResult(await shop.api('GET', '/users/user', { token })),
    '401 unauthenticated',
    'it ends all sessions',
  );
});

test('[OPS-17] a passkey confirms changes for ten minutes', async () => {
  const member = await createMember();
  const { token, authenticator } = member;
  const send = async (changed: object): Promise<string> => {
    const { body } = await shop.api('POST', '/second-factor/verification-options', { token });
    const challenge = textAt(body, 'passkey_options', 'challenge');
    const credential = authenticator.use({ ...getParty(shop), challenge, ...changed });
    return readResult(await shop.api('POST', '/second-factor/verify-passkey', { token, body: { credential } }));
  };
  assert.equal(await send({ origin: 'https://elsewhere.example' }), '400 wrong-passkey');
  assert.equal(valueAt(await readState(member), 'confirmed_with'), null);
  assert.equal(await send({}), '200');
  assert.equal(valueAt(await readState(member), 'confirmed_with'), 'factor');
  await moveClock(22 * MINUTE_S);
  assert.equal(valueAt(await readState(member), 'confirmed_with'), null);
});

test('[OPS-17] wrong and used codes confirm nothing', async () => {
  const member = await createMember();
  assert.equal(await verify(member, showWrongCode(member.secret)), '400 wrong-code');
  const code = showCode(member.secret, 22);
  assert.equal(await verify(member, code), '200');
  assert.equal(await verify(member, code), '400 wrong-code');
  await moveClock(22 * MINUTE_S);
  assert.equal(
    readResult(
      await shop.api('POST', '/second-factor/verify', { token: member.token, body: { code }, password: null }),
    ),
    '401 reauth',
  );
});

test('[OPS-17] a change that waits blocks others, and is cancelled on the page', async () => {
  const member = await createMember();
  const { token } = member;
  const remove = (code?: string) => shop.api('POST', '/second-factor/remove', { token, body: { code } });
  const both = await Promise.all([remove(member.recoveryCodes[0]), remove(member.recoveryCodes[1])]);
  assert.deepEqual(both.map(readResult).toSorted(), ['200', '409 change-pending']);
  assert.equal(await verify(member, showCode(member.secret, 22)), '200');
  for (const [name, { call }] of Object.entries(CHANGES))
    assert.equal(readResult(await call(member)), '409 change-pending', name);
  const cancel = async () => readResult(await shop.api('DELETE', '/second-factor/pending-change', { token }));
  assert.deepEqual([await cancel(), await cancel()], ['200', '404 not-found']);
  assert.equal(valueAt(await readState(member), 'pending_change'), null);
  await waitUntil(
    async () => (await listMails(member.email, 'A change of your second factors was cancelled')).length > 0,
  );
  assert.equal(valueAt(await readState(member), 'confirmed_at') === null, false);
  assert.deepEqual((await listActions(member)).slice(-2), [
    'second-factor-change-requested',
    'second-factor-change-cancelled',
  ]);
});

test('[OPS-17] the link of the mail cancels the change once, without a login', async () => {
  const member = await createMember();
  const body = { code: member.recoveryCodes[0] };
  assert.equal(readResult(await shop.api('POST', '/second-factor/remove', { token: member.token, body })), '200');
  const link = await waitForLink(member.email);
  const cancel = async (token: string) =>
    readResult(await second.api('POST', '/second-factor/cancel-change', { body: { token } }));
  assert.equal(await cancel('x'.repeat(43)), '400 invalid-link');
  assert.deepEqual([await cancel(link), await cancel(link)], ['200', '400 invalid-link']);
  assert.equal(valueAt(await readState(member), 'pending_change'), null);
});

test('[OPS-17] a recovery code authorises one change', async () => {
  const member = await createMember();
  assert.equal(await verify(member, member.recoveryCodes[0] ?? ''), '200');
  const remove = async () =>
    readResult(await shop.api('POST', '/second-factor/remove', { token: member.token, body: {} }));
  assert.equal(await remove(), '200');
  assert.equal(readResult(await shop.api('DELETE', '/second-factor/pending-change', { token: member.token })), '200');
  assert.equal(await remove(), '403 factor-not-confirmed');
});

test('[OPS-17] the mail also goes to a former address of the last week', async () => {
  const member = await createMember();
  await query(sql`update users set email_confirmed_at = now() where username = ${member.username}`);
  const [{ id } = { id: '' }] = await query(
    sql<{ id: string }>`select id from users where username = ${member.username}`,
  );
  const moved = { token: member.token, body: { email: `thief${count}@elsewhere.example` } };
  assert.equal(readResult(await shop.api('PUT', `/users/${id}`, moved)), '200');
  const body = { code: member.recoveryCodes[0] };
  assert.equal(readResult(await shop.api('POST', '/second-factor/remove', { token: member.token, body })), '200');
  const link = await waitForLink(member.email);
  assert.equal(readResult(await shop.api('POST', '/second-factor/cancel-change', { body: { token: link } })), '200');
});

test('[OPS-17] a mail reaches the former address if it changes before the sending', async () => {
  const member = await createMember();
  await query(sql`update users set email_confirmed_at = now() where username = ${member.username}`);
  const [{ id } = { id: '' }] = await query(
    sql<{ id: string }>`select id from users where username = ${member.username}`,
  );
  const release = await holdMails();
  const body = { code: member.recoveryCodes[0] };
  assert.equal(readResult(await shop.api('POST', '/second-factor/remove', { token: member.token, body })), '200');
  const moved = { token: member.token, body: { email: `thief${count}@elsewhere.example` } };
  assert.equal(readResult(await shop.api('PUT', `/users/${id}`, moved)), '200');
  await release();
  const link = await waitForLink(member.email);
  assert.equal(readResult(await shop.api('POST', '/second-factor/cancel-change', { body: { token: link } })), '200');
});

test('[OPS-17] a change that waits ends with the role', async () => {
  const member = await createMember();
  const body = { code: member.recoveryCodes[0] };
  assert.equal(readResult(await shop.api('POST', '/second-factor/remove', { token: member.token, body })), '200');
  const change = { token: owner, body: { username: member.username, role: 'customer' } };
  assert.equal(readResult(await shop.api('PUT', '/staff/role', change)), '200');
  assert.deepEqual(await query(sql`select from second_factor_changes`), []);
});

test('[OPS-17] [OPS-19] an API key of an owner changes no second factor', async () => {
  const { key } = await createApiKey(shop, owner, ['orders:read', 'catalogue:write']);
  const calls = [
    ['GET', ''],
    ['POST', ''],
    ['POST', '/confirm'],
    ['POST', '/verify'],
    ['POST', '/verification-options'],
    ['POST', '/verify-passkey'],
    ['POST', '/recovery-codes'],
    ['POST', '/remove'],
    ['POST', '/passkey-options'],
    ['POST', '/passkeys'],
    ['DELETE', '/pending-change'],
  ] as const;
  for (const [method, path] of calls) {
    const refused = await shop.api(method, `/second-factor${path}`, {
      token: key,
      ...(method === 'GET' ? {} : { body: {} }),
    });
    assert.equal(readResult(refused), '403 missing-scope', path);
  }
});
