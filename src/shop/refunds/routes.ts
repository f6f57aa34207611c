import { notFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { refundsApi } from './contract.ts';
import type { SetAddressResult, EnterAddressResult } from './addresses/service.ts';
import type { RecordResult, UndoResult, WriteOffResult } from './manual/service.ts';
import type { RefundActionResult, MakeResult, RefundActionRefusal, MakeRefusal, Refunds } from './service.ts';

const changing: Limit = { points: 30, seconds: 60, by: 'caller' };

type NotSet = Extract<SetAddressResult, { ok: false }>['reason'];
const notSet: Readonly<Record<NotSet, (words: string) => Refusal>> = {
  'not-found': notFound,
  refunded: () => new Refusal(409, 'refunded', 'This order has been refunded'),
  'invalid-address': (words) => new Refusal(400, 'invalid-address', words, { fields: { address: words } }),
};

const conflict = (code: string, words: string) => (): Refusal => new Refusal(409, code, words);
const notMade: Readonly<Record<MakeRefusal['reason'], () => Refusal>> = {
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
  'address-waits': conflict(
    'address-waits',
    'The address was entered by staff: the buyer can still object to it, so it does not count yet',
  ),
  'check-wallet': conflict(
    'check-wallet',
    'The shop was restored from a backup after this order: look in the wallet whether it was refunded before, and confirm that',
  ),
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

const OWN_PAYMENT = conflict('own-payment', 'This transaction pays an order of the shop: it is no refund');
const TXID_KNOWN = conflict('txid-known', 'This transaction is noted for another refund of this order');

const notDone: Readonly<Record<RefundActionRefusal['reason'], (words: string) => Refusal>> = {
  'not-found': notFound,
  'not-open': conflict('not-open', 'This refund is not waiting to be sent'),
  'own-payment': OWN_PAYMENT,
  'txid-known': TXID_KNOWN,
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

const invalidAddress = (words: string): Refusal =>
  new Refusal(400, 'invalid-address', words, { fields: { address: words } });

type NotRecorded = Extract<RecordResult, { ok: false }>['reason'];
const notRecorded: Readonly<Record<NotRecorded, (words: string) => Refusal>> = {
  'not-found': notFound,
  'refund-open': notMade['refund-open'],
  'order-open': notMade['order-open'],
  'reorged-out': notMade['reorged-out'],
  'nothing-to-refund': notMade['nothing-to-refund'],
  'own-payment': OWN_PAYMENT,
  'txid-known': TXID_KNOWN,
  'invalid-address': invalidAddress,
  'too-much': conflict('too-much', 'This is more than could go back'),
};

type NotUndone = Extract<UndoResult, { ok: false }>['reason'];
const notUndone: Readonly<Record<NotUndone, () => Refusal>> = {
  'not-found': notFound,
  'not-recorded': conflict('not-recorded', 'This refund was not closed by the word of staff'),
  'refund-open': conflict('refund-open', 'Another refund of this order is under way: wait for it, or withdraw it'),
};

type NotWrittenOff = Extract<WriteOffResult, { ok: false }>['reason'];
const notWrittenOff: Readonly<Record<NotWrittenOff, (from: Date | null) => Refusal>> = {
  'not-found': notFound,
  'refund-open': notMade['refund-open'],
  'order-open': notMade['order-open'],
  'reorged-out': notMade['reorged-out'],
  'nothing-to-write-off': conflict('nothing-to-write-off', 'Nothing of this order waits to be claimed'),
  'address-known': conflict('address-known', 'There is an address to send it to: make a refund'),
  'too-early': (from) =>
    new Refusal(409, 'too-early', `It can be written off from ${from?.toISOString().slice(0, 10) ?? 'later'} on`),
  'not-paid-twice': conflict('not-paid-twice', 'Nothing of this order was sent back twice'),
};

type NotEntered = Extract<EnterAddressResult, { ok: false }>['reason'];
const notEntered: Readonly<Record<NotEntered, (words: string) => Refusal>> = {
  ...notSet,
  'address-confirmed': conflict('address-confirmed', 'The buyer has confirmed an address: only the buyer changes it'),
};

const made = (answer: MakeResult) => (answer.ok ? { refund: answer.refund } : notMade[answer.reason]());
const done = (answer: RefundActionResult) =>
  answer.ok ? { refund: answer.refund } : notDone[answer.reason](answer.words ?? '');

/** What a wallet gives back: a PSBT in base64, or the transaction itself in hex. Nonsense is left to be refused. */
const bytesOf = (written: string): Uint8Array => {
  const trimmed = written.trim();
  return Buffer.from(trimmed, /^(?:[0-9a-f]{2})+$/i.test(trimmed) ? 'hex' : 'base64');
};

type ByHand =
  | 'POST /refunds/{id}/undo-record'
  | 'POST /orders/{id}/refunds/elsewhere'
  | 'POST /orders/{id}/refund-address/enter'
  | 'POST /orders/{id}/write-offs';

/** What staff do by their word. */
function routesByHand({ addresses, byHand }: Refunds): Pick<RoutesOf<typeof refundsApi>, ByHand> {
  return {
    'POST /refunds/{id}/undo-record': {
      who: 'staff-money',
      limit: changing,
      handle: async ({ params, body, caller }) => {
        const undone = await byHand.undoRecord(caller.identity.userId, params.id, body.reason);
        return undone.ok ? { refund: undone.refund } : notUndone[undone.reason]();
      },
    },
    'POST /orders/{id}/refunds/elsewhere': {
      who: 'staff-money',
      limit: changing,
      handle: async ({ params, body: { amount_btc: amountSats, ...body }, caller }) => {
        const asked = { ...body, amountSats };
        const recorded = await byHand.recordElsewhere(caller.identity.userId, params.id, asked);
        return recorded.ok ? { refund: recorded.refund } : notRecorded[recorded.reason](recorded.words ?? '');
      },
    },
    'POST /orders/{id}/refund-address/enter': {
      who: 'staff-money',
      limit: changing,
      handle: async ({ params, body: { address, reason }, caller }) => {
        const entered = await addresses.enter(caller.identity.userId, params.id, address, reason);
        return entered.ok ? entered.address : notEntered[entered.reason](entered.words ?? '');
      },
    },
    'POST /orders/{id}/write-offs': {
      who: 'staff-money',
      limit: changing,
      handle: async ({ params, body: { kind, reason }, caller }) => {
        const written = await byHand.writeOff(caller.identity.userId, params.id, kind, reason);
        return written.ok ? { write_off: written.writeOff } : notWrittenOff[written.reason](written.from ?? null);
      },
    },
  };
}

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
      handle: async ({ params }) => (await refunds.readForOrder(params.id)) ?? notFound(),
    },
    'POST /orders/{id}/refunds': {
      who: 'staff-money',
      limit: changing,
      handle: async ({ params, body, caller }) => {
        const { covers, fee_paid_by: feePaidBy, fee_rate: feeRate, from = 'coins', checked: isChecked } = body;
        const asked = { covers, feePaidBy, feeRate, from, isChecked };
        return made(await refunds.make(caller.identity.userId, params.id, asked));
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
    ...routesByHand(refunds),
  };
}
