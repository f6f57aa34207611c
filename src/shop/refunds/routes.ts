import { notFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { refundsApi } from './contract.ts';
import type { AddressSet } from './addresses.service.ts';
import type { Done, Made, NotDone, NotMade, Refunds } from './service.ts';

const changing: Limit = { points: 30, seconds: 60, by: 'caller' };

type NotSet = Extract<AddressSet, { ok: false }>['reason'];
const notSet: Readonly<Record<NotSet, (words: string) => Refusal>> = {
  'not-found': notFound,
  refunded: () => new Refusal(409, 'refunded', 'This order has been refunded'),
  'invalid-address': (words) => new Refusal(400, 'invalid-address', words, { fields: { address: words } }),
};

const conflict = (code: string, words: string) => (): Refusal => new Refusal(409, code, words);
const notMade: Readonly<Record<NotMade['reason'], () => Refusal>> = {
  'not-found': notFound,
  'refund-open': conflict('refund-open', 'A refund of this order is under way: wait for it, or withdraw it'),
  'order-open': conflict('order-open', 'This order is still waiting for its payment'),
  'reorged-out': conflict(
    'reorged-out',
    'The network took the payment of this order back: nothing can be refunded yet',
  ),
  'nothing-to-refund': conflict(
    'nothing-to-refund',
    'Nothing of this order can be refunded: only what is confirmed can',
  ),
  'no-address': conflict('no-address', 'The buyer has named no address for refunds'),
  'address-not-confirmed': conflict('address-not-confirmed', 'The buyer has not confirmed the address for refunds yet'),
  dust: conflict('dust', 'What would arrive is too little to be sent on the network'),
  'no-coins': conflict(
    'no-coins',
    'The shop’s coins do not suffice: let the buyer pay the fee, or make the refund for any wallet',
  ),
  'no-fee-rate': conflict('no-fee-rate', 'The chain source knows no fee at the moment: please give one'),
  changed: conflict('changed', 'The order or the coins have changed meanwhile: please look again'),
  'chain-down': () =>
    new Refusal(502, 'chain-down', 'The chain source does not answer: try again, or make the refund for any wallet'),
};

const notDone: Readonly<Record<NotDone['reason'], (words: string) => Refusal>> = {
  'not-found': notFound,
  'not-open': conflict('not-open', 'This refund is not waiting to be sent'),
  'no-psbt': conflict('no-psbt', 'This refund is paid from another wallet; the shop sees it on the network'),
  'not-a-psbt': () => new Refusal(400, 'not-a-psbt', 'This is neither a PSBT in base64 nor a transaction in hex'),
  'another-transaction': conflict(
    'another-transaction',
    'This is another transaction than the one that was made for the refund',
  ),
  'not-signed': conflict('not-signed', 'The transaction is not signed, or not wholly'),
  'not-covered': conflict(
    'not-covered',
    'What was received does not bear this refund any more: another one was paid, or a payment is not confirmed deep enough. Withdraw it, or wait',
  ),
  'not-sent': (words) => new Refusal(502, 'not-sent', `The network did not take the transaction (${words})`),
};

const made = (answer: Made) => (answer.ok ? { refund: answer.refund } : notMade[answer.reason]());
const done = (answer: Done) => (answer.ok ? { refund: answer.refund } : notDone[answer.reason](answer.words ?? ''));

/** What a wallet gives back: a PSBT in base64, or the transaction itself in hex. Nonsense is left to be refused. */
const bytesOf = (written: string): Uint8Array => {
  const trimmed = written.trim();
  return Buffer.from(trimmed, /^(?:[0-9a-f]{2})+$/i.test(trimmed) ? 'hex' : 'base64');
};

export function refundRoutes(refunds: Refunds): RoutesOf<typeof refundsApi> {
  const { addresses } = refunds;
  return {
    'PUT /orders/{id}/refund-address': {
      who: 'user',
      limit: { points: 30, seconds: 3600, by: 'caller', isShared: true },
      handle: async ({ params, body, caller }) => {
        const set = await addresses.set(caller.identity.userId, params.id, body.address);
        return set.ok ? { order: set.order } : notSet[set.reason](set.words ?? '');
      },
    },
    'GET /orders/{id}/refund-address': {
      who: 'user',
      limit: { points: 60, seconds: 10, by: 'caller' },
      handle: async ({ params, caller }) => (await addresses.find(caller.identity.userId, params.id)) ?? notFound(),
    },
    'POST /orders/{id}/refund-address/resend': {
      who: 'user',
      limit: { points: 5, seconds: 3600, by: 'caller', isShared: true },
      handle: async ({ params, caller }) => {
        const named = await addresses.resend(caller.identity.userId, params.id);
        if (named === null) return notFound();
        return named.address === null ? new Refusal(409, 'no-address', 'There is no address to confirm yet') : named;
      },
    },
    'POST /refund-addresses/confirm': {
      who: 'anyone',
      limit: { ...changing, by: 'ip' },
      handle: async ({ body: { token } }) => {
        switch (await addresses.confirm(token)) {
          case 'confirmed':
            return { message: 'success' };
          case 'address-changed':
            return new Refusal(409, 'address-changed', 'Another address has been named since: nothing was confirmed');
          default:
            return new Refusal(400, 'invalid-link', 'This link is not valid any more');
        }
      },
    },
    'GET /orders/{id}/refunds': {
      who: 'staff',
      hasPersonalData: true,
      limit: { points: 60, seconds: 10, by: 'caller' },
      handle: async ({ params }) => (await refunds.ofOrder(params.id)) ?? notFound(),
    },
    'POST /orders/{id}/refunds': {
      who: 'staff-money',
      limit: changing,
      handle: async ({ params, body, caller }) => {
        const { covers, fee_paid_by: feePaidBy, fee_rate: feeRate, from = 'coins' } = body;
        return made(await refunds.make(caller.identity.userId, params.id, { covers, feePaidBy, feeRate, from }));
      },
    },
    'POST /refunds/{id}/broadcast': {
      who: 'staff-money',
      limit: changing,
      handle: async ({ params, body }) => done(await refunds.broadcast(params.id, bytesOf(body.psbt))),
    },
    'POST /refunds/{id}/withdraw': {
      who: 'staff-money',
      limit: changing,
      handle: async ({ params, caller }) => done(await refunds.withdraw(caller.identity.userId, params.id)),
    },
    'POST /refunds/{id}/record': {
      who: 'staff-money',
      limit: changing,
      handle: async ({ params, body, caller }) =>
        done(await refunds.record(caller.identity.userId, params.id, body.txid)),
    },
  };
}
