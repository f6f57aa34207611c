/** Limits that services count in the database, each with a call that counts against it. */
import { createHash } from 'node:crypto';
import type { ApiResponse } from './api-client.ts';
import { makePicture } from './hostile-pictures.ts';
import { textAt } from './read-json.ts';
import type { TestShop } from './shop.ts';
import { enterPassword, readPendingLogin, setUpApp, showWrongCode } from './totp-app.ts';
import { uploadPicture } from './upload-picture.ts';

interface Account {
  readonly id: string;
  readonly token: string;
}

export interface CounterCallers {
  readonly customer: Account;
  readonly manager: Account;
  readonly owner: Account;
  /** A member of the team with an authenticator app, and its secret. */
  readonly member: Account & { readonly secret: string };
  readonly productId: string;
  /** An open ticket of the customer. */
  readonly ticketId: string;
  /** An open invitation, and its address. */
  readonly invitation: { readonly id: string; readonly email: string };
}

export const COUNTER_IP = '203.0.113.9';
const MEMBER = 'counted-member';
const FROM = { headers: { 'x-forwarded-for': COUNTER_IP } };
const PASSWORD = 'crypto-market';

let calls = 0;
const next = (): number => (calls += 1);

export interface SharedCounter {
  readonly points: number;
  readonly seconds: number;
  /** What is counted, after the name of the limit. */
  readonly key: (callers: CounterCallers) => string | RegExp;
  /** Counts once. */
  readonly call: keyof typeof COUNTED_CALLS;
  /** Another counter: only once it is used up, this one counts. */
  readonly usedUp?: {
    readonly name: string;
    readonly points: number;
    readonly key: (callers: CounterCallers) => string;
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const byIp = (): string => COUNTER_IP;
const byCustomer = ({ customer }: CounterCallers): string => customer.id;
const byCustomerKey = ({ customer }: CounterCallers): string => `user:${customer.id}`;
const byCustomerAndIp = (callers: CounterCallers): string => `${byCustomerKey(callers)}:${COUNTER_IP}`;
const byCustomerSession = (callers: CounterCallers): RegExp =>
  new RegExp(String.raw`^${byCustomerKey(callers)}:session:[\da-f-]{36}$`);
const byOwner = ({ owner }: CounterCallers): string => owner.id;

export const SHARED_COUNTERS: Readonly<Record<string, SharedCounter>> = {
  'login-failures': { points: 300, seconds: 3_600, key: byCustomerKey, call: 'wrongPassword' },
  'login-failures-of': { points: 5, seconds: 60, key: byCustomerAndIp, call: 'wrongPassword' },
  'login-failures-repeated': {
    points: 60,
    seconds: 3_600,
    key: byCustomerKey,
    call: 'wrongPassword',
    usedUp: { name: 'login-failures-first', points: 5, key: byCustomerAndIp },
  },
  'login-failures-from': { points: 30, seconds: 60, key: byIp, call: 'wrongPassword' },
  'login-failures-device': { points: 5, seconds: 60, key: byCustomerSession, call: 'wrongReauthentication' },
  'login-failures-device-an-hour': {
    points: 60,
    seconds: 3_600,
    key: byCustomerSession,
    call: 'wrongReauthentication',
  },
  'login-failures-from-known': { points: 60, seconds: 60, key: byIp, call: 'wrongReauthentication' },
  'second-factor': { points: 5, seconds: 300, key: ({ member }) => `${member.id}:unknown`, call: 'wrongCode' },
  'second-factor-a-day': {
    points: 30,
    seconds: 86_400,
    key: ({ member }) => `${member.id}:unknown`,
    call: 'wrongCode',
  },
  'second-factor-from': { points: 60, seconds: 300, key: byIp, call: 'wrongCode' },
  'registrations-an-hour': { points: 60, seconds: 3_600, key: byIp, call: 'registration' },
  'registrations-a-day': { points: 200, seconds: 86_400, key: byIp, call: 'registration' },
  'address-changes': { points: 10, seconds: 86_400, key: byCustomer, call: 'addressChange' },
  'address-changes-from': { points: 30, seconds: 86_400, key: byIp, call: 'addressChange' },
  'invitations-an-hour': { points: 20, seconds: 3_600, key: byOwner, call: 'invitation' },
  'invitations-a-day': { points: 50, seconds: 86_400, key: byOwner, call: 'invitation' },
  'invitations-to': { points: 5, seconds: 86_400, key: ({ invitation }) => hash(invitation.email), call: 'invitation' },
  'invitations-in-all': { points: 100, seconds: 86_400, key: () => 'all', call: 'invitation' },
  'promo-failures': {
    points: 30,
    seconds: 600,
    key: ({ customer }) => `user:${customer.id}`,
    call: 'unknownPromoCode',
  },
  'promo-failures-from': { points: 60, seconds: 600, key: byIp, call: 'unknownPromoCode' },
  'guest-carts-an-hour': { points: 300, seconds: 3_600, key: byIp, call: 'guestCart' },
  'guest-carts-a-day': { points: 1_000, seconds: 86_400, key: byIp, call: 'guestCart' },
  'tickets created': { points: 5, seconds: 3_600, key: byCustomer, call: 'ticket' },
  'tickets created a day': { points: 20, seconds: 86_400, key: byCustomer, call: 'ticket' },
  'tickets created from': { points: 20, seconds: 3_600, key: byIp, call: 'ticket' },
  'tickets created from a day': { points: 60, seconds: 86_400, key: byIp, call: 'ticket' },
  'ticket messages': { points: 30, seconds: 180, key: byCustomer, call: 'ticketMessage' },
  'ticket messages a day': { points: 500, seconds: 86_400, key: byCustomer, call: 'ticketMessage' },
  'ticket messages from': { points: 120, seconds: 180, key: byIp, call: 'ticketMessage' },
  'ticket messages from a day': { points: 2_000, seconds: 86_400, key: byIp, call: 'ticketMessage' },
  'contact messages': { points: 5, seconds: 600, key: byIp, call: 'contactMessage' },
  'contact messages a day': { points: 30, seconds: 86_400, key: byIp, call: 'contactMessage' },
  'pictures per day': { points: 2_000, seconds: 86_400, key: ({ manager }) => `user:${manager.id}`, call: 'picture' },
};

type CountedCall = (shop: TestShop, callers: CounterCallers) => Promise<Pick<ApiResponse, 'status'>>;

export const COUNTED_CALLS = {
  wrongPassword: (shop) =>
    shop.api('POST', '/users/login', { ...FROM, body: { username: 'alice', password: `wrong ${next()}` } }),
  wrongReauthentication: (shop, { customer: { token } }) =>
    shop.api('POST', '/users/reauthenticate', { ...FROM, token, body: { password: `wrong ${next()}` } }),
  wrongCode: async (shop, { member: { secret } }) =>
    shop.api('POST', '/users/login/second-factor', {
      ...FROM,
      cookie: readPendingLogin(await enterPassword(shop, MEMBER)),
      body: { code: showWrongCode(secret) },
    }),
  registration: (shop) => {
    const body = { username: `counted ${next()}`, email: `counted${next()}@limits.example`, password: PASSWORD };
    return shop.api('POST', '/users/register', { ...FROM, body });
  },
  addressChange: (shop, { customer: { id, token } }) =>
    shop.api('PUT', `/users/${id}`, { ...FROM, token, body: { email: `alice${next()}@limits.example` } }),
  invitation: (shop, { owner: { token }, invitation: { id } }) =>
    shop.api('POST', `/staff/invitations/${id}/resend`, { ...FROM, token }),
  unknownPromoCode: (shop, { customer: { token } }) =>
    shop.api('POST', '/promocodes/apply', { ...FROM, token, body: { code: `GUESS-${next()}` } }),
  guestCart: (shop, { productId }) =>
    shop.api('POST', '/cart/add', { ...FROM, body: { product_id: productId, quantity: 1 } }),
  ticket: (shop, { customer: { token } }) => {
    const body = { title: `Ticket ${next()}`, theme: 'Delivery', description: 'Where is it?' };
    return shop.api('POST', '/tickets/create', { ...FROM, token, body });
  },
  ticketMessage: (shop, { customer: { token }, ticketId }) =>
    shop.api('POST', '/tickets/messages', {
      ...FROM,
      token,
      body: { ticket_id: ticketId, message: `Message ${next()}` },
    }),
  contactMessage: (shop) => {
    const sender = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@limits.example' };
    return shop.api('POST', '/contact', { ...FROM, body: { ...sender, message: `Question ${next()}` } });
  },
  picture: async (shop, { manager: { token } }) =>
    uploadPicture(shop, token, await makePicture('png', { width: 20, height: 20, seed: next() }), FROM.headers),
} as const satisfies Readonly<Record<string, CountedCall>>;

async function logIn(shop: TestShop, username: string): Promise<Account> {
  const { body } = await enterPassword(shop, username);
  return { id: textAt(body, 'user', 'id'), token: textAt(body, 'tokens', 'accessToken') };
}

export async function createCounterCallers(shop: TestShop): Promise<CounterCallers> {
  const [customer, manager, owner] = [
    await logIn(shop, 'alice'),
    await logIn(shop, 'staff'),
    await logIn(shop, 'owner'),
  ];
  const account = { username: MEMBER, email: 'member@limits.example', password: PASSWORD };
  await shop.api('POST', '/users/register', { body: account });
  const { token } = owner;
  await shop.api('PUT', '/staff/role', { token, body: { username: MEMBER, role: 'support' } });
  const member = { ...(await logIn(shop, MEMBER)), secret: (await setUpApp(shop, MEMBER)).secret };
  const draft = { title: 'Open', theme: 'Delivery', description: 'Where is it?' };
  const ticket = await shop.api('POST', '/tickets/create', { token: customer.token, body: draft });
  const email = 'invited@limits.example';
  const invited = await shop.api('POST', '/staff/invitations', { token, body: { email, role: 'support' } });
  return {
    customer,
    manager,
    owner,
    member,
    productId: textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id'),
    ticketId: textAt(ticket.body, 'id'),
    invitation: { id: textAt(invited.body, 'invitations', 0, 'id'), email },
  };
}
