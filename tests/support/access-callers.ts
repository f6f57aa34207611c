/** Nine callers of the API, each with a cart, six with an order, and the ids of what they own. */
import assert from 'node:assert/strict';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import { sendRawRequest, createJsonRequest } from './raw-call.ts';
import type { RawResponse } from './raw-call.ts';
import type { TestShop } from './shop.ts';
import { BILLING } from './stress-buyer.ts';

export interface Caller {
  readonly name: string;
  readonly kind: 'anonymous' | 'guest' | 'user' | 'staff';
  /** Role of a member of the team; null for all others. */
  readonly role: 'owner' | 'manager' | 'support' | 'shipping' | null;
  /** Headers that identify the caller. */
  readonly headers: Readonly<Record<string, string>>;
  readonly account: { readonly username: string; readonly password: string };
  /** Empty without an account. */
  readonly userId: string;
  /** A further session of the caller; empty if there is none. */
  readonly session: string;
  /** A product that is in this cart only. */
  readonly product: string;
  /** Empty if there is none. */
  readonly order: string;
  readonly txid: string;
  /** Empty if there is none. */
  readonly ticket: string;
  readonly message: string;
  /** Texts that may appear only in responses to this caller. */
  readonly marks: readonly string[];
}

const PASSWORD = 'crypto-market';
/** Two demo accounts and two registered ones. */
const TEAM = [
  ['staff', 'manager'],
  ['owner', 'owner'],
  ['helper', 'support'],
  ['packer', 'shipping'],
] as const;
export const ABSENT_ID = '019a0000-0000-7000-8000-000000000000';
export const ABSENT_TXID = 'ab'.repeat(32);

/** A caller without anything. */
export const NOBODY: Caller = {
  name: 'anonymous',
  kind: 'anonymous',
  headers: {},
  product: '',
  marks: [],
  role: null,
  account: { username: '', password: '' },
  userId: '',
  session: '',
  order: '',
  txid: '',
  ticket: '',
  message: '',
};

export async function makeCallers(shop: TestShop): Promise<{ callers: readonly Caller[]; unused: string }> {
  const products = listAt((await shop.api('GET', '/products?limit=10')).body).map((one) => textAt(one, 'id'));
  const take = (): string => products.shift() ?? assert.fail('too few products');
  const anonymous: Caller = {
    ...NOBODY,
    product: take(),
  };
  const guests: Caller[] = [];
  for (const name of ['guest A', 'guest B']) {
    const product = take();
    const added = await shop.api('POST', '/cart/add', { body: { product_id: product, quantity: 1 } });
    const cookie = added.headers.getSetCookie()[0]?.split(';')[0] ?? assert.fail('a guest got no cookie');
    guests.push({ ...NOBODY, name, kind: 'guest', headers: { cookie }, product, marks: [cookie.split('=')[1] ?? ''] });
  }
  const users: Caller[] = [];
  for (const name of ['usera', 'userb', 'helper', 'packer']) {
    const email = `${name}@access.example`;
    const body = { username: name, email, password: PASSWORD };
    assert.equal((await shop.api('POST', '/users/register', { body })).status, 201);
  }
  for (const name of ['usera', 'userb']) users.push(await makeUser(shop, name, `${name}@access.example`, take()));
  const owner = await shop.api('POST', '/users/login', { body: { username: 'owner', password: PASSWORD } });
  const token = textAt(owner.body, 'tokens', 'accessToken');
  for (const [username, role] of TEAM) {
    const changed = await shop.api('PUT', '/staff/role', { token, body: { username, role } });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
  }
  await shop.api('POST', '/users/logout', { token });
  // Members of the team are customers with further rights.
  for (const [name, role] of TEAM) {
    users.push({ ...(await makeUser(shop, name, `${name}@shop.example`, take())), kind: 'staff', role });
  }
  return { callers: [anonymous, ...guests, ...users], unused: take() };
}

async function makeUser(shop: TestShop, username: string, email: string, product: string): Promise<Caller> {
  const account = { username, password: PASSWORD };
  const signedIn = await shop.api('POST', '/users/login', { body: account });
  const token = textAt(signedIn.body, 'tokens', 'accessToken');
  await shop.api('POST', '/users/login', { body: account });
  const sessions = listAt((await shop.api('GET', '/users/sessions', { token })).body, 'sessions');
  const session = textAt(
    sessions.find((one) => valueAt(one, 'is_current') === false),
    'id',
  );
  const add = () => shop.api('POST', '/cart/add', { token, body: { product_id: product, quantity: 1 } });
  await add();
  const { body } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  const order = textAt(body, 'order', 'id');
  const half = Math.round(numberAt(body, 'order', 'payment', 'amount_btc') * 50_000_000) / 100_000_000;
  const paid = await shop.api('POST', '/dev/pay', { body: { order_id: order, amount_btc: half } });
  await add();
  const txid = textAt(paid.body, 'txid');
  const { body: user } = signedIn;
  const draft = { title: `Ticket of ${username}`, theme: 'Delivery', description: 'Where is it?' };
  const ticket = textAt((await shop.api('POST', '/tickets/create', { token, body: draft })).body, 'id');
  const written = { ticket_id: ticket, message: `Word of ${username}` };
  const message = textAt((await shop.api('POST', '/tickets/messages', { token, body: written })).body, 'id');
  const userId = textAt(user, 'user', 'id');
  const marks = [order, textAt(body, 'order', 'number'), textAt(body, 'order', 'payment', 'address'), txid];
  return {
    name: username,
    kind: 'user',
    role: null,
    headers: { authorization: `Bearer ${token}` },
    account,
    userId,
    session,
    product,
    order,
    txid,
    ticket,
    message,
    marks: [...marks, email, token, session, userId, ticket, message, draft.title, written.message],
  };
}

export function callAs(shop: TestShop, caller: Caller, key: string, ask: Asked): Promise<RawResponse> {
  const [method = '', template = ''] = key.split(' ');
  const path = `${ask.path ?? template}${ask.query ?? ''}`;
  const raw = createJsonRequest(method, path, ask.body);
  return sendRawRequest(shop.url, { ...raw, headers: { ...raw.headers, ...caller.headers } });
}

export interface Asked {
  /** The path itself if it contains a parameter. */
  readonly path?: string;
  readonly query?: string;
  readonly body?: unknown;
}

/** The owner's own data, which must be unchanged after attempts of others. */
export async function readOwnData(shop: TestShop, caller: Caller): Promise<string> {
  const reads = [
    'GET /cart',
    ...(caller.userId !== '' ? ['POST /orders/history', 'GET /users/user', 'GET /tickets/unread'] : []),
  ];
  const responses = await Promise.all(reads.map((key) => callAs(shop, caller, key, {})));
  return responses.map(({ text }) => text).join('\n');
}
