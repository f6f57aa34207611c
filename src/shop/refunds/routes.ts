import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import { readWalletOutput } from '#src/platform/bitcoin/wallet-output.ts';
import type { WalletOutput } from '#src/platform/bitcoin/wallet-output.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { refundsApi } from './contract.ts';
import type { SetAddressResult, EnterAddressResult } from './addresses/service.ts';
import type { LinesRequest } from './decide-debit.ts';
import type { RecordResult, UndoResult, WriteOffResult } from './manual/service.ts';
import type { RefundActionResult, MakeResult, RefundActionRefusal, MakeRefusal, Refunds } from './service.ts';

const changing: Limit = { points: 30, seconds: 60, by: 'caller' };

type NotSet = Extract<SetAddressResult, { ok: false }>['reason'];
const notSet: Readonly<Record<NotSet, (message: string) => Refusal>> = {
  'not-found': createNotFound,
  refunded: () => new Refusal(409, 'refunded', 'This order has been refunded'),
  'invalid-address': (message) => new Refusal(400, 'invalid-address', message, { fields: { address: message } }),
};

const createConflict = (code: string, message: string) => (): Refusal => new Refusal(409, code, message);
const notMade: Readonly<Record<MakeRefusal['reason'], () => Refusal>> = {
  'not-found': createNotFound,
  'refund-open': createConflict('refund-open', 'A refund of this order is open. Wait for it, or withdraw it'),
  'order-open': createConflict('order-open', 'This order is still waiting for its payment'),
  'reorged-out': createConflict(
    'reorged-out',
    'The payment of this order lost its confirmations. Try again when it is confirmed',
  ),
  'nothing-to-refund': createConflict(
    'nothing-to-refund',
    'Nothing to refund. Only confirmed payments can be refunded',
  ),
  'no-address': createConflict('no-address', 'The order has no refund address. Ask the buyer for one, or enter it'),
  'address-not-confirmed': createConflict(
    'address-not-confirmed',
    'The buyer has not confirmed the refund address yet',
  ),
  'address-waits': createConflict(
    'address-waits',
    'Staff entered this address, and the buyer can still object. Try again later',
  ),
  'check-wallet': createConflict(
    'check-wallet',
    'A backup was restored after this order. Check in the wallet that it was not refunded before, and confirm that',
  ),
  'no-rate': createConflict(
    'no-rate',
    'There is no fresh bitcoin rate, so the refund can’t be computed. Try again in a few minutes',
  ),
  'too-much': createConflict('too-much', 'This is more than what is left to refund'),
  'less-than-all': createConflict(
    'less-than-all',
    'This is less than what is refunded. Enter the network fee that was taken off it, or refund an amount',
  ),
  'order-paid': createConflict('order-paid', 'The order is paid. Refund an amount in dollars'),
  dust: createConflict('dust', 'The amount is too small to send on the network'),
  'too-many-units': createConflict(
    'too-many-units',
    'Some of these units are refunded, or shipped by now. Reload the page and choose again',
  ),
  'shipping-refunded': createConflict('shipping-refunded', 'There is no shipping left to refund'),
  'shipping-due': createConflict('shipping-due', 'Nothing of this order is left to ship. Refund the shipping too'),
  'deduction-too-large': createConflict('deduction-too-large', 'A deduction is more than the units cost'),
  'no-coins': createConflict(
    'no-coins',
    'The shop does not have enough coins. Let the buyer pay the fee, or refund from any wallet',
  ),
  'no-fee-rate': createConflict('no-fee-rate', 'The chain source has no fee estimate. Enter a fee rate'),
  changed: createConflict('changed', 'The order or the coins have changed. Reload the page and try again'),
  'chain-down': () =>
    new Refusal(502, 'chain-down', 'The chain source does not respond. Try again, or refund from any wallet'),
};

const OWN_PAYMENT = createConflict('own-payment', 'This transaction pays an order of the shop and cannot be a refund');
const TXID_KNOWN = createConflict('txid-known', 'This transaction is recorded for another refund of this order');

const NEITHER = 'This is neither a PSBT nor a transaction, in base64 or hex';
const notDone: Readonly<Record<RefundActionRefusal['reason'], (message: string) => Refusal>> = {
  'not-found': createNotFound,
  'not-open': createConflict('not-open', 'This refund is not open'),
  'own-payment': OWN_PAYMENT,
  'txid-known': TXID_KNOWN,
  'no-psbt': createConflict(
    'no-psbt',
    'This refund is paid from another wallet. The shop detects the payment on the network',
  ),
  'not-a-psbt': () => new Refusal(400, 'not-a-psbt', NEITHER, { fields: { psbt: NEITHER } }),
  'another-transaction': createConflict(
    'another-transaction',
    'This is not the transaction that was made for the refund',
  ),
  'not-signed': createConflict('not-signed', 'The transaction is not fully signed'),
  'not-covered': createConflict(
    'not-covered',
    'The order has not received enough to cover this refund: another one was paid, or a payment needs more confirmations. Withdraw it, or wait',
  ),
  'not-sent': (message) => new Refusal(502, 'not-sent', `The network rejected the transaction (${message})`),
};

const createInvalidAddress = (message: string): Refusal =>
  new Refusal(400, 'invalid-address', message, { fields: { address: message } });

type NotRecorded = Extract<RecordResult, { ok: false }>['reason'];
const notRecorded: Readonly<Record<NotRecorded, (message: string) => Refusal>> = {
  'not-found': createNotFound,
  'refund-open': notMade['refund-open'],
  'order-open': notMade['order-open'],
  'reorged-out': notMade['reorged-out'],
  'nothing-to-refund': notMade['nothing-to-refund'],
  'own-payment': OWN_PAYMENT,
  'txid-known': TXID_KNOWN,
  'invalid-address': createInvalidAddress,
  'too-many-units': notMade['too-many-units'],
  'shipping-refunded': notMade['shipping-refunded'],
  'shipping-due': notMade['shipping-due'],
  'deduction-too-large': notMade['deduction-too-large'],
  'too-much': notMade['too-much'],
  'less-than-all': notMade['less-than-all'],
  'no-rate': notMade['no-rate'],
  'order-paid': notMade['order-paid'],
};

type NotUndone = Extract<UndoResult, { ok: false }>['reason'];
const notUndone: Readonly<Record<NotUndone, () => Refusal>> = {
  'not-found': createNotFound,
  'not-recorded': createConflict('not-recorded', 'Staff did not record this refund'),
  'refund-open': createConflict('refund-open', 'Another refund of this order is open. Wait for it, or withdraw it'),
};

type NotWrittenOff = Extract<WriteOffResult, { ok: false }>['reason'];
const notWrittenOff: Readonly<Record<NotWrittenOff, (from: Date | null) => Refusal>> = {
  'not-found': createNotFound,
  'refund-open': notMade['refund-open'],
  'order-open': notMade['order-open'],
  'reorged-out': notMade['reorged-out'],
  'nothing-to-write-off': createConflict('nothing-to-write-off', 'This order has no unclaimed money'),
  'address-known': createConflict('address-known', 'The order has a refund address. Make a refund'),
  'too-early': (from) =>
    new Refusal(409, 'too-early', `It can be written off from ${from?.toISOString().slice(0, 10) ?? 'later'} on`),
  'not-paid-twice': createConflict('not-paid-twice', 'This order has no double refund'),
};

type NotEntered = Extract<EnterAddressResult, { ok: false }>['reason'];
const notEntered: Readonly<Record<NotEntered, (message: string) => Refusal>> = {
  ...notSet,
  'address-confirmed': createConflict(
    'address-confirmed',
    'The buyer confirmed an address. Only the buyer can change it',
  ),
};

/** A refund that was not made. */
export const refuseRefund = (reason: MakeRefusal['reason']): Refusal => notMade[reason]();

const presentMade = (result: MakeResult) => (result.ok ? { refund: result.refund } : notMade[result.reason]());
const presentDone = (result: RefundActionResult) =>
  result.ok ? { refund: result.refund } : notDone[result.reason](result.words ?? '');

/** Why the output of a wallet can't be read. None of them contains it. */
const NOT_READ: Readonly<Record<Extract<WalletOutput, { ok: false }>['reason'], string>> = {
  'not-a-psbt': NEITHER,
  'animated-code':
    'This is one part of an animated QR code, not the whole transaction. Save the signed transaction in your wallet as a file or as text, and use that',
  'private-key':
    'This is, or looks like, a PRIVATE key or a seed. Never give it to anyone. It was not stored, but consider it exposed: move the money to a new wallet',
};

const refuseOutput = (reason: keyof typeof NOT_READ): Refusal =>
  new Refusal(400, reason, NOT_READ[reason], { fields: { psbt: NOT_READ[reason] } });

/** Units as staff choose them. */
const toLinesRequest = ({
  reason,
  restock: restocks,
  shipping,
  units,
}: {
  readonly units: readonly { readonly position: number; readonly quantity: number; readonly shipped: boolean }[];
  readonly shipping: boolean;
  readonly reason: string;
  readonly restock: boolean;
}): LinesRequest => ({
  units: units.map(({ shipped: isShipped, ...one }) => ({ ...one, isShipped })),
  shipping,
  reason,
  restocks,
});

type ManualCall =
  | 'POST /refunds/{id}/undo-record'
  | 'POST /orders/{id}/refunds/elsewhere'
  | 'POST /orders/{id}/refund-address/enter'
  | 'POST /orders/{id}/write-offs';

type StaffCall = 'POST /orders/{id}/refunds' | `POST /refunds/{id}/${'broadcast' | 'withdraw' | 'record'}`;

/** Manual actions of staff. */
function createManualRoutes({ addresses, manual }: Refunds): Pick<RoutesOf<typeof refundsApi>, ManualCall> {
  return {
    'POST /refunds/{id}/undo-record': {
      who: 'money',
      limit: changing,
      handle: async ({ params, body, caller }) => {
        const undone = await manual.undoRecord(toStaffActor(caller), params.id, body.reason);
        return undone.ok ? { refund: undone.refund } : notUndone[undone.reason]();
      },
    },
    'POST /orders/{id}/refunds/elsewhere': {
      who: 'money',
      limit: changing,
      handle: async ({ params, body, caller }) => {
        const { amount_btc: amountSats, amount_usd: amountCents, fee_btc: feeSats, lines, ...others } = body;
        const request = { ...others, lines: lines && toLinesRequest(lines), amountSats, amountCents, feeSats };
        const recorded = await manual.recordElsewhere(toStaffActor(caller), params.id, request);
        return recorded.ok ? { refund: recorded.refund } : notRecorded[recorded.reason](recorded.words ?? '');
      },
    },
    'POST /orders/{id}/refund-address/enter': {
      who: 'money',
      limit: changing,
      handle: async ({ params, body: { address, reason }, caller }) => {
        const entered = await addresses.enter(toStaffActor(caller), params.id, address, reason);
        return entered.ok ? entered.address : notEntered[entered.reason](entered.words ?? '');
      },
    },
    'POST /orders/{id}/write-offs': {
      who: 'money',
      limit: changing,
      handle: async ({ params, body: { kind, reason }, caller }) => {
        const written = await manual.writeOff(toStaffActor(caller), params.id, kind, reason);
        return written.ok ? { write_off: written.writeOff } : notWrittenOff[written.reason](written.from ?? null);
      },
    },
  };
}

/** Refunds that staff make. */
function createStaffRoutes(refunds: Refunds): Pick<RoutesOf<typeof refundsApi>, StaffCall> {
  return {
    'POST /orders/{id}/refunds': {
      who: 'money',
      limit: changing,
      handle: async ({ params, body, caller }) => {
        const { covers, lines, fee_paid_by: feePaidBy, fee_rate: feeRate, from = 'coins', checked: isChecked } = body;
        const { amount, amount_btc: partSats } = body;
        const toRefund = { covers, lines: lines && toLinesRequest(lines), partSats };
        const part = amount && { cents: amount.usd, reason: amount.reason };
        const request = { ...toRefund, amount: part, feePaidBy, feeRate, from, isChecked };
        return presentMade(await refunds.make(toStaffActor(caller), params.id, request));
      },
    },
    'POST /refunds/{id}/broadcast': {
      who: 'money',
      limit: changing,
      handle: async ({ params, body, caller }) => {
        const read = readWalletOutput(body.psbt);
        if (!read.ok) return refuseOutput(read.reason);
        return presentDone(await refunds.broadcast(toStaffActor(caller), params.id, read.bytes));
      },
    },
    'POST /refunds/{id}/withdraw': {
      who: 'money',
      limit: changing,
      handle: async ({ params, caller }) => presentDone(await refunds.withdraw(toStaffActor(caller), params.id)),
    },
    'POST /refunds/{id}/record': {
      who: 'money',
      limit: changing,
      handle: async ({ params, body, caller }) =>
        presentDone(await refunds.record(toStaffActor(caller), params.id, body.txid)),
    },
  };
}

export function createRefundRoutes(refunds: Refunds): RoutesOf<typeof refundsApi> {
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
      handle: async ({ params, caller }) =>
        (await addresses.find(caller.identity.userId, params.id)) ?? createNotFound(),
    },
    'POST /orders/{id}/refund-address/resend': {
      who: 'user',
      limit: { points: 5, seconds: 3600, by: 'caller', isShared: true },
      handle: async ({ params, caller }) => {
        const address = await addresses.resend(caller.identity.userId, params.id);
        if (address === null) return createNotFound();
        return address.address === null
          ? new Refusal(409, 'no-address', 'There is no address to confirm yet')
          : address;
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
            return new Refusal(
              409,
              'address-changed',
              'The address was changed after this mail. Nothing was confirmed',
            );
          default:
            return new Refusal(400, 'invalid-link', 'This link has expired or was already used');
        }
      },
    },
    'GET /orders/{id}/refunds': {
      who: 'orders',
      hasPersonalData: true,
      limit: { points: 60, seconds: 10, by: 'caller' },
      handle: async ({ params }) => (await refunds.readForOrder(params.id)) ?? createNotFound(),
    },
    ...createStaffRoutes(refunds),
    ...createManualRoutes(refunds),
  };
}
