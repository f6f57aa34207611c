/** Mails that strangers can cause the shop to send to others. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createOrder } from './support/new-order.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { getStaffToken } from './support/staff-fixtures.ts';
import { BILLING } from './support/stress-buyer.ts';
import { createTicket, signIn } from './support/support-fixtures.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { setUpApp } from './support/totp-app.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const listMailsTo = async (email: string): Promise<readonly { subject: string; words: string }[]> =>
  listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body).map((mail) => ({
    subject: textAt(mail, 'subject'),
    words: ['subject', 'text', 'html'].map((part) => textAt(mail, part)).join('\n'),
  }));
const hasMail = async (email: string, subject: RegExp): Promise<boolean> =>
  (await listMailsTo(email)).some((mail) => subject.test(mail.subject));

test('[OPS-26] mails to unconfirmed addresses contain no text of a user', async () => {
  const billing = { ...BILLING, firstName: 'Zwinner', lastName: 'Zwinner', city: 'Zwinner', streetAddress: 'Zwinner' };
  const { email, id, token, username } = await createOrder(shop, 'Zwinner', billing);
  await shop.api('POST', '/users/request-password-reset', { body: { email } });
  await waitUntil(() => hasMail(email, /to pay/));
  await shop.api('POST', '/dev/pay', { body: { order_id: id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  for (const subject of [/confirm your email/, /Receipt/, /password reset code/]) {
    await waitUntil(() => hasMail(email, subject));
  }
  const mails = await listMailsTo(email);
  for (const { subject, words } of mails) assert.doesNotMatch(words, /Zwinner/, subject);

  const link = mails.map(({ words }) => /\/confirm-email\/([\w-]{43})/.exec(words)?.[1]).find(Boolean);
  assert.equal((await shop.api('POST', '/users/confirm-email', { body: { token: link } })).status, 200);
  const me = await shop.api('GET', '/users/user', { token });
  const changed = { password: 'a-later-password' };
  assert.equal((await shop.api('PUT', `/users/${textAt(me.body, 'id')}`, { token, body: changed })).status, 200);
  await waitUntil(() => hasMail(email, /password was changed/));
  const [newest] = await listMailsTo(email);
  assert.match(newest?.words ?? '', new RegExp(`Hello ${username},`));
});

const register = (username: string) =>
  shop.api('POST', '/users/register', {
    body: { username, email: 'anybody@names.example', password: 'crypto-market' },
  });

test('[OPS-26] staff get 30 mails an hour about messages, then one with the counts', async () => {
  const support = 'support@shop.example';
  const settings = { RATE_LIMITS: 'on', TRUST_PROXY: '1', SUPPORT_EMAIL: support };
  const limited = await startTestShop({ settings });
  try {
    const staff = await getStaffToken(limited);
    for (let count = 1; count <= 34; count += 1) {
      const body = { firstName: 'Ann', lastName: 'Lee', email: 'ann@names.example', message: `Message ${count}` };
      const headers = { 'x-forwarded-for': `192.0.2.${count}` };
      assert.equal((await limited.api('POST', '/contact', { body, headers })).status, 201);
    }
    const listSubjects = async (): Promise<readonly string[]> => {
      const { body } = await limited.api('GET', `/dev/mail?to=${encodeURIComponent(support)}`);
      return listAt(body).map((mail) => textAt(mail, 'subject'));
    };
    await waitUntil(async () => (await listSubjects()).includes('Many new tickets and messages'));
    const { body: kept } = await limited.api('GET', '/support/contact-messages', { token: staff });
    assert.equal(numberAt(kept, 'total'), 34, 'the list has every message');
    await createTicket(limited, textAt((await signIn(limited, 'alice')).body, 'tokens', 'accessToken'));
    await waitUntil(() => limited.readOutput().split('a mail was left out').length - 1 === 5);
    const subjects = await listSubjects();
    assert.equal(subjects.filter((subject) => subject === 'Message from Ann Lee').length, 30);
    assert.equal(subjects.length, 31, 'one summary');
  } finally {
    await limited.stop();
  }
});

/** Spellings of one mailbox: most providers ignore letter case, dots and what follows a plus. */
const spellMailbox = (at: number): string =>
  `${['third.party', 'Third.Party', 'thirdparty'][at % 3]}+${at}@names.example`;

test('[OPS-26] [ACC-12] accounts that name one mailbox send it six confirmation mails', async () => {
  const settings = { RATE_LIMITS: 'on', TRUST_PROXY: '1' };
  const limited = await startTestShop({ settings });
  const second = await startTestShop({ settings, beside: limited });
  try {
    const readOutcomes = () =>
      runWithShopDatabase(limited, async (db) => {
        const { rows } = await sql<{ delivered: number; refused: number }>`
          select count(*) filter (where outcome = 'delivered')::integer as delivered,
            count(*) filter (where outcome = 'refused')::integer as refused
          from mails where event like 'confirm.%' or event like 'account.%'`.execute(db);
        return rows[0];
      });
    const texts = new Set<string>();
    for (let at = 0; at < 12; at += 1) {
      const shopOfTurn = at % 2 === 0 ? limited : second;
      const headers = { 'x-forwarded-for': `198.51.100.${at}` };
      const account = { username: `stranger ${at}`, email: spellMailbox(at), password: 'crypto-market' };
      assert.equal((await shopOfTurn.api('POST', '/users/register', { body: account, headers })).status, 201);
      const token = textAt((await signIn(shopOfTurn, account.username)).body, 'tokens', 'accessToken');
      const sent = await shopOfTurn.api('POST', '/users/send-confirmation', { token, headers });
      texts.add(`${sent.status} ${JSON.stringify(sent.body)}`);
    }
    await waitUntil(async () => {
      const { delivered = 0, refused = 0 } = (await readOutcomes()) ?? {};
      return delivered + refused === 24;
    });
    assert.deepEqual(await readOutcomes(), { delivered: 6, refused: 18 });
    assert.deepEqual([...texts], ['200 {"is_confirmed":false}'], 'responses reveal nothing');
  } finally {
    await second.stop();
    await limited.stop();
  }
});

test('[OPS-26] notices to an unconfirmed address are six a day', async () => {
  const limited = await startTestShop({ settings: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });
  try {
    const account = { username: 'renamer', email: 'victim@names.example', password: 'crypto-market' };
    await limited.api('POST', '/users/register', { body: account });
    const { body } = await signIn(limited, account.username);
    const [id, token] = [textAt(body, 'user', 'id'), textAt(body, 'tokens', 'accessToken')];
    for (let at = 0; at < 9; at += 1) {
      const change = { token, body: { password: `another-password-${at}` } };
      assert.equal((await limited.api('PUT', `/users/${id}`, change)).status, 200);
    }
    const listSubjects = async (): Promise<readonly string[]> =>
      listAt((await limited.api('GET', `/dev/mail?to=${account.email}`)).body).map((mail) => textAt(mail, 'subject'));
    await waitUntil(() => limited.readOutput().split('a mail could not be sent').length - 1 === 3);
    assert.equal((await listSubjects()).filter((subject) => subject === 'Your password was changed').length, 6);
  } finally {
    await limited.stop();
  }
});

test('[OPS-17] [OPS-26] mails of others do not hold back the one about a factor change', async () => {
  const limited = await startTestShop({ settings: { RATE_LIMITS: 'on' } });
  try {
    const account = { username: 'colleague', email: 'colleague@names.example', password: 'crypto-market' };
    await limited.api('POST', '/users/register', { body: account });
    const owner = textAt((await signIn(limited, 'owner')).body, 'tokens', 'accessToken');
    const role = { username: account.username, role: 'support' };
    assert.equal((await limited.api('PUT', '/staff/role', { token: owner, body: role })).status, 200);
    const { token, recoveryCodes } = await setUpApp(limited, account.username);
    await limited.api('POST', '/dev/clock', { body: { offset_s: 660 } });
    // As after many mails to accounts that name this mailbox in other spellings.
    const mailbox = createHash('sha256').update(account.email).digest('hex');
    await runWithShopDatabase(limited, (db) =>
      sql`
        insert into rate_limits (key, points, expire)
        values (${`mails-to-unconfirmed:${mailbox}`}, 1000, ${Date.now() + 86_400_000})
        on conflict (key) do update set points = excluded.points
      `.execute(db),
    );
    const body = { code: recoveryCodes[0] };
    const requested = await limited.api('POST', '/second-factor/remove', { token, body });
    assert.equal(requested.status, 200, JSON.stringify(requested.body));
    const listOutcomes = async (): Promise<readonly string[]> => {
      const { rows } = await runWithShopDatabase(limited, (db) =>
        sql<{ outcome: string }>`select outcome from mails where event like 'factor-change.%'`.execute(db),
      );
      return rows.map(({ outcome }) => outcome);
    };
    await waitUntil(async () => (await listOutcomes()).length > 0);
    assert.deepEqual(await listOutcomes(), ['delivered']);
  } finally {
    await limited.stop();
  }
});

test('[OPS-26] refuses names with web addresses, bidi controls or staff lookalikes', async () => {
  for (const username of ['WIN at http://evil.example', 'WIN at evil.com', 'abc\u202ecba', '0wner', 'Shop support']) {
    const refused = await register(username);
    assert.equal(refused.status, 400, username);
    assert.notEqual(textAt(refused.body, 'error', 'fields', 'username'), '');
  }
});

test('[OPS-26] accounts keep old names but cannot change to similar ones', async () => {
  const { body } = await shop.api('POST', '/users/login', { body: { username: 'owner', password: 'crypto-market' } });
  const [id, token] = [textAt(body, 'user', 'id'), textAt(body, 'tokens', 'accessToken')];
  const rename = (username: string) => shop.api('PUT', `/users/${id}`, { token, body: { username } });
  assert.equal((await rename('owner')).status, 200);
  assert.equal((await rename('staff')).status, 400);
  assert.equal((await rename('<b>owner</b>')).status, 400);
});
