/** Invariants of refunded money: dollars and satoshis of refunds, and their credit notes. */
import { UTC } from '#src/shop/format.ts';
import { cents } from '#src/shop/money.ts';
import { composeCreditNote } from '#src/shop/invoices/compose-credit-note.ts';
import type { CreditRequest } from '#src/shop/invoices/compose-credit-note.ts';
import { composeInvoice, toInvoiceSeller } from '#src/shop/invoices/compose-invoice.ts';
import type { InvoiceContent } from '#src/shop/invoices/invoice-content.ts';
import { EMPTY_SHOP_SETTINGS } from '../empty-shop-settings.ts';
import { ClaimError } from './claim.ts';
import { UNITS } from './order-record.ts';
import type { Order, Refund } from './order-record.ts';

const SATS_PER_BTC = 100_000_000n;

/** What a refund may return, to the satoshi, computed in another way than by the shop. */
function checkReturned({ amountSats, debitSats, returns: { method, rate, value } }: Refund): void {
  if (method === 'kind') {
    if (amountSats !== debitSats) throw new ClaimError(`in kind ${amountSats} is returned for ${debitSats}`);
    return;
  }
  if (rate === null || value === null) throw new ClaimError('a refund by value has no rate');
  const worth = value.sats * rate.centsPerBtc;
  const difference = worth - value.cents * SATS_PER_BTC;
  if (2n * (difference < 0n ? -difference : difference) > rate.centsPerBtc)
    throw new ClaimError(`${value.sats} is returned for ${value.cents} cents at ${rate.centsPerBtc}`);
  const surplus = amountSats - value.sats;
  if (surplus < 0n || surplus > debitSats) throw new ClaimError(`${surplus} of ${debitSats} is returned as a surplus`);
  // More than was received only at a rate below the one that the dollars were paid at.
  const paid = debitSats - surplus;
  if (value.sats > paid && rate.centsPerBtc * paid >= value.cents * SATS_PER_BTC + rate.centsPerBtc)
    throw new ClaimError(`${value.sats} is returned for ${paid} though the rate did not fall`);
}

/** Together refunds never return more dollars than the order cost, nor in kind more satoshis than arrived. */
export function checkRefundedMoney(refunds: readonly Refund[], order: Order, received: bigint): void {
  for (const refund of refunds) checkReturned(refund);
  const counted = refunds.reduce((sum, { countedCents }) => sum + (countedCents ?? 0n), 0n);
  if (counted > order.total_after_cents)
    throw new ClaimError(`${counted} cents of ${order.total_after_cents} are refunded`);
  const inKind = refunds.filter(({ returns, state }) => returns.method === 'kind' && state === 'confirmed');
  const withoutDouble = inKind.filter(({ withdrawnAt }) => withdrawnAt === null);
  const returned = withoutDouble.reduce((sum, { amountSats }) => sum + amountSats, 0n);
  if (returned > received) throw new ClaimError(`${returned} is returned in kind of ${received} that ever arrived`);
}

function toCreditRequest({ lines, parts, countedCents }: Refund): CreditRequest {
  if (lines !== null)
    return {
      units: lines.units.map(({ netCents, position, quantity, taxCents }) => ({
        position,
        quantity,
        amounts: { netCents, taxCents },
      })),
    };
  return parts === null ? { totalCents: countedCents ?? cents(0n) } : { amounts: parts };
}

/** The credit note of each refund is the same amount, to the cent, and together they never exceed the invoice. */
export function checkCreditNotes(refunds: readonly Refund[], order: Order, now: Date): void {
  const document = { number: 'X-1', issuedAt: now, timeZone: UTC };
  const seller = toInvoiceSeller(EMPTY_SHOP_SETTINGS);
  const price = order.total_after_cents / BigInt(UNITS);
  const line = {
    position: 0,
    name: 'Phone',
    sku: null,
    options: [],
    quantity: UNITS,
    priceCents: price,
    isFree: false,
  };
  const invoice = composeInvoice(
    {
      orderNumber: 'CM-1',
      createdAt: now,
      paidAt: now,
      billing: order.billing,
      totalCents: order.total_after_cents,
      tax: null,
      dueSats: order.due_sats,
      rate: order.rate_cents_per_btc,
      rateAt: null,
      lines: [{ ...line, priceCents: cents(price) }],
      received: [],
    },
    document,
    seller,
  );
  const notes: InvoiceContent[] = [];
  for (const refund of refunds) {
    const counted = refund.countedCents ?? 0n;
    if (refund.state !== 'confirmed' || counted === 0n) continue;
    const note = composeCreditNote(invoice, notes, toCreditRequest(refund), document, { refund: null });
    const credited = BigInt(note?.grossCents ?? '0');
    if (credited !== counted) throw new ClaimError(`a refund of ${counted} cents has a credit note of ${credited}`);
    if (note !== null) notes.push(note);
  }
}
