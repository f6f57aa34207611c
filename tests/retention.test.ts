/** Retention: each kind of row is written old and new, and the next start deletes the old ones. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
  await runWithShopDatabase(shop, async (db) => {
    for (const { insert } of ROWS) for (const age of AGES) await sql.raw(insert(age)).execute(db);
    // The first start has enqueued this hour's tasks, and some may have run.
    await sql`delete from pgboss.job where name = 'hourly'`.execute(db);
  });
  await shop.restart();
});
after(() => shop.stop());

interface Age {
  readonly name: 'old' | 'new';
  /** Of an SQL interval before now. */
  readonly days: number;
}
/** Past every retention period, and now. */
const AGES: readonly Age[] = [
  { name: 'old', days: 4 * 365 },
  { name: 'new', days: 0 },
];

const ALICE = `(select id from users where username = 'alice')`;
const ID = `gen_random_uuid()`;
const formatMoment = ({ days }: Age, shift = ''): string => `now() - interval '${days} days' ${shift}`;
const hash = ({ name }: Age): string => `sha256('retention ${name}')`;

interface Row {
  readonly what: string;
  readonly insert: (age: Age) => string;
  /** Whether a row of this age exists. */
  readonly find: (age: Age) => string;
}

const ROWS: readonly Row[] = [
  {
    what: 'expired sessions',
    insert: (
      age,
    ) => `insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, authenticated_at, device)
      values (${ID}, ${ALICE}, ${hash(age)}, ${formatMoment(age)}, ${formatMoment(age)}, ${formatMoment(age, `+ interval '30 days'`)}, ${formatMoment(age)}, 'x')`,
    find: (age) => `select from sessions where token_hash = ${hash(age)}`,
  },
  {
    what: 'used confirmation links',
    insert: (age) => `insert into email_confirmations (id, user_id, email_key, token_hash, expires_at)
      values (${ID}, ${ALICE}, 'x', ${hash(age)}, ${formatMoment(age, `+ interval '3 days'`)})`,
    find: (age) => `select from email_confirmations where token_hash = ${hash(age)}`,
  },
  {
    what: 'password change notices',
    insert: (age) => `insert into account_notices (id, user_id, kind, recipient, is_confirmed, at)
      values (${ID}, ${ALICE}, 'password-changed', 'retention ${age.name}', true, ${formatMoment(age)})`,
    find: ({ name }) => `select from account_notices where recipient = 'retention ${name}'`,
  },
  {
    what: 'reset code requests',
    insert: (age) => `insert into password_reset_requests (id, email_key, created_at)
      values (${ID}, 'retention ${age.name}', ${formatMoment(age)})`,
    find: ({ name }) => `select from password_reset_requests where email_key = 'retention ${name}'`,
  },
  {
    what: 'reset codes',
    insert: (age) => `insert into password_reset_codes (id, user_id, code_hash, expires_at)
      values (${ID}, ${ALICE}, ${hash(age)}, ${formatMoment(age, `+ interval '10 minutes'`)})`,
    find: (age) => `select from password_reset_codes where code_hash = ${hash(age)}`,
  },
  {
    what: 'reset code attempts',
    insert: (age) => `insert into password_reset_tries (address_hash, tries, day_tries, day_began)
      values (${hash(age)}, 1, 1, ${formatMoment(age)})`,
    find: (age) => `select from password_reset_tries where address_hash = ${hash(age)}`,
  },
  {
    what: 'guest carts',
    insert: (age) => `insert into carts (id, guest_hash, created_at, updated_at)
      values (${ID}, ${hash(age)}, ${formatMoment(age)}, ${formatMoment(age)})`,
    find: (age) => `select from carts where guest_hash = ${hash(age)}`,
  },
  {
    what: 'contact messages',
    insert: (age) => `insert into contact_messages (id, first_name, last_name, email, message, fingerprint, created_at)
      values (${ID}, 'a', 'b', 'a@b.example', 'retention ${age.name}', ${hash(age)}, ${formatMoment(age)})`,
    find: ({ name }) => `select from contact_messages where message = 'retention ${name}'`,
  },
  {
    what: 'closed tickets',
    insert: (
      age,
    ) => `insert into tickets (id, user_id, title, theme, description, status, created_at, closed_at, last_message_at)
      values (${ID}, ${ALICE}, 'retention ${age.name}', 't', 'd', 'closed', ${formatMoment(age)}, ${formatMoment(age)}, ${formatMoment(age)})`,
    find: ({ name }) => `select from tickets where title = 'retention ${name}'`,
  },
  {
    what: 'demo mails',
    insert: (age) => `insert into mails (event, outcome, at, recipient, subject, text_body, html_body)
      values ('retention-${age.name}', 'delivered', ${formatMoment(age)}, 'a@b.example', 's', 't', 'h')`,
    find: ({ name }) => `select from mails where event = 'retention-${name}'`,
  },
  {
    what: 'idempotency keys',
    insert: (age) => `insert into idempotency_keys (user_id, endpoint, key, request_hash, created_at)
      values (${ALICE}, 'x', 'retention ${age.name}', ${hash(age)}, ${formatMoment(age)})`,
    find: ({ name }) => `select from idempotency_keys where key = 'retention ${name}'`,
  },
  {
    what: 'rate limit counts',
    insert: (age) => `insert into rate_limits (key, points, expire)
      values ('retention ${age.name}', 1, extract(epoch from ${formatMoment(age, `+ interval '1 day'`)})::bigint * 1000)`,
    find: ({ name }) => `select from rate_limits where key = 'retention ${name}'`,
  },
];

for (const { what, find } of ROWS) {
  test(`[OPS-26] removes old ${what} and keeps new ones`, async () => {
    await runWithShopDatabase(shop, async (db) => {
      const isThere = async (name: Age['name']): Promise<boolean> =>
        (await sql.raw(find({ name, days: 0 })).execute(db)).rows.length === 1;
      await waitUntil(async () => !(await isThere('old')));
      assert.ok(await isThere('new'));
    });
  });
}
