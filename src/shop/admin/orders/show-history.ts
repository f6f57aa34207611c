import { sumSats } from '#src/shop/money.ts';
import type { StoredEventKind } from '#src/shop/orders/order-events.ts';
import type { OrderLedger } from '#src/shop/orders/stored-order.ts';
import { isDust } from '#src/shop/payments/ledger/dust.ts';
import { isDoubleSpentForGood } from '#src/shop/payments/ledger/double-spent-payments.ts';
import { countConfirmations } from '#src/shop/payments/ledger/payment-state.ts';
import { readAmount, describeEvents } from '#src/shop/orders/timeline/timeline-messages.ts';

/** An order event with its details and the staff member who caused it. */
export interface StaffEvent {
  readonly kind: StoredEventKind;
  readonly at: Date;
  readonly details: Readonly<Record<string, unknown>>;
  readonly by: string | null;
}

const readText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const joinTexts = (...texts: readonly (string | null)[]): string | null =>
  readText(texts.filter((text) => text !== null).join('. '));

/** The refunded items, reason, address, unavailable item or transaction of an event. */
const findNote = (details: StaffEvent['details']): string | null =>
  joinTexts(readText(details['lines']), readText(details['reason'])) ??
  readText(details['words']) ??
  readText(details['address']) ??
  readText(details['txid']);

/** The timeline of an order for staff, oldest first. */
export function showEvents(events: readonly StaffEvent[]) {
  const texts = describeEvents(events.map(({ kind }) => kind));
  return events.map(({ kind, at, details, by }, index) => ({
    kind,
    text: texts[index] ?? '',
    at,
    due_btc: readAmount(details, 'due_sats'),
    received_btc: readAmount(details, 'received_sats'),
    note: findNote(details),
    by,
  }));
}

/** Further dust outputs are counted, not listed. */
const DUST_LISTED = 10;

/** All outputs that ever paid an order; of dust only the first ten. */
export function showOutputs({ outputs, tip }: Pick<OrderLedger, 'outputs' | 'tip'>, required: number) {
  const dust = outputs.filter(isDust);
  const more = new Set(dust.slice(DUST_LISTED));
  const liveMore = [...more].filter(({ isLive }) => isLive);
  return {
    outputs: formatOutputs(
      outputs.filter((output) => !more.has(output)),
      tip,
      required,
    ),
    more_dust: { outputs: more.size, amount_btc: sumSats(liveMore.map(({ amountSats }) => amountSats)) },
  };
}

const formatOutputs = (outputs: OrderLedger['outputs'], tip: OrderLedger['tip'], required: number) =>
  outputs.map((output) => ({
    txid: output.txid,
    vout: output.vout,
    amount_btc: output.amountSats,
    is_coinbase: output.isCoinbase,
    is_credit: output.isCredit ?? false,
    is_live: output.isLive,
    height: output.height,
    confirmations: countConfirmations(output, tip),
    first_seen: output.firstSeen,
    left_because: output.leftBecause,
    left_at: output.leftAt,
    conflict_height: output.conflictHeight ?? null,
    is_lost_for_good: isDoubleSpentForGood(output, tip, required),
  }));
