/** What is wrong with an order, given the catalogue at one moment. Computed without the rules of the shop. */
import type { AuditedLine, AuditedOrder, AuditedPromotion, AuditedSalePrice } from './audit-tables.ts';

export type OrderFault = 'price' | 'withdrawn' | 'promotion' | 'total';

export interface OrderFinding {
  readonly fault: OrderFault;
  readonly text: string;
}

const STEP = 100n;
const ceilDivide = (amount: bigint, by: bigint): bigint => amount / by + (amount % by === 0n ? 0n : 1n);
const toPayable = (amount: bigint): bigint => ceilDivide(amount, STEP) * STEP;
const toSats = (cents: number, rate: number): bigint =>
  ceilDivide(BigInt(cents) * 100_000_000n, BigInt(rate) * STEP) * STEP;
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** The sale price in force when the order was placed. */
const findSalePrice = ({ sale_prices: all }: AuditedLine, at: number): AuditedSalePrice | undefined =>
  all.find(
    ({ starts_at: starts, ends_at: ends }) => Date.parse(starts) <= at && (ends === null || at < Date.parse(ends)),
  );

/** Parts of a unit price in cents that are converted to bitcoin one by one. */
function listPriceParts(audited: AuditedLine, at: number): readonly number[] {
  const { product, increases, variant, line } = audited;
  const sale = findSalePrice(audited, at);
  const share = 10_000 - (sale?.discount_basis_points ?? 0);
  const reduce = (cents: number): number => Math.floor((cents * share + 5_000) / 10_000);
  const own = variant?.own_price_cents ?? null;
  if (variant !== null && own !== null) return [sale?.own_prices[variant.id] ?? reduce(own)];
  const values = line.property_values.map(({ id }) => reduce(increases[id] ?? Number.NaN));
  return [sale?.base_price_cents ?? reduce(product.base_price_cents), ...values];
}

function findLineFaults(
  audited: AuditedLine,
  { created_at: placedAt, rate_cents_per_btc: rate }: AuditedOrder['order'],
  gift: string | null,
): readonly OrderFinding[] {
  const { line, product, variant } = audited;
  const findings: OrderFinding[] = [];
  if (!product.is_published) findings.push({ fault: 'withdrawn', text: `${line.name} was withdrawn` });
  if (variant?.is_published !== true)
    findings.push({ fault: 'withdrawn', text: `the variant of ${line.name} was withdrawn` });
  const chosen = line.property_values.map(({ id }) => id).toSorted();
  if (variant && chosen.join() !== variant.property_value_ids.join())
    findings.push({ fault: 'price', text: `${line.name} has the values of another variant` });
  if (line.is_free) {
    if (line.product_id !== gift || line.quantity !== 1 || line.price_cents !== 0)
      findings.push({ fault: 'promotion', text: `${line.name} was free` });
    return findings;
  }
  const parts = listPriceParts(audited, Date.parse(placedAt));
  const cents = parts.reduce((total, part) => total + part, 0);
  if (cents !== line.price_cents)
    findings.push({ fault: 'price', text: `${line.name} was sold for ${line.price_cents} instead of ${cents} cents` });
  else if (sum(parts.map((part) => toSats(part, rate))) !== BigInt(line.price_sats))
    findings.push({ fault: 'price', text: `${line.name} was sold for ${line.price_sats} sats` });
  return findings;
}

function discount(cents: bigint, sats: bigint, promotion: AuditedPromotion | null): readonly [bigint, bigint] {
  const { discount_basis_points: share = null, discount_cents: amount = null } = promotion ?? {};
  if (cents === 0n) return [cents, sats];
  if (amount !== null) {
    const left = cents > BigInt(amount) ? cents - BigInt(amount) : 0n;
    return [left, toPayable(ceilDivide(sats * left, cents))];
  }
  if (share === null) return [cents, sats];
  const left = 10_000n - BigInt(share);
  return [(cents * left + 5_000n) / 10_000n, toPayable(ceilDivide(sats * left, 10_000n))];
}

function findPromotionFaults({ order, promotion, uses, uses_by_buyer: byBuyer }: AuditedOrder): readonly string[] {
  if (order.promo === null) return [];
  if (promotion === null) return ['the promotion did not exist'];
  const { code, starts_at: starts, ends_at: ends, max_uses: most, max_uses_per_user: mostEach } = promotion;
  const at = Date.parse(order.created_at);
  const minimum = promotion.minimum_subtotal_cents;
  return [
    ...(promotion.is_active ? [] : [`${code} was disabled`]),
    ...(starts !== null && Date.parse(starts) > at ? [`${code} had not begun`] : []),
    ...(ends !== null && Date.parse(ends) <= at ? [`${code} was over`] : []),
    ...(most !== null && uses > most ? [`${code} was used ${uses} of ${most} times`] : []),
    ...(mostEach !== null && byBuyer > mostEach ? [`${code} was used ${byBuyer} of ${mostEach} times by a buyer`] : []),
    ...(minimum !== null && order.total_cents < minimum ? [`${code} needs ${minimum} cents`] : []),
  ];
}

export function findOrderFaults(audited: AuditedOrder): readonly OrderFinding[] {
  const { order, lines, promotion } = audited;
  const gift = promotion?.gift_product_id ?? null;
  const paid = lines.filter(({ line }) => !line.is_free);
  const subtotal = sum(paid.map(({ line }) => BigInt(line.price_cents) * BigInt(line.quantity)));
  const subtotalSats = sum(paid.map(({ line }) => BigInt(line.price_sats) * BigInt(line.quantity)));
  const [total, totalSats] = discount(subtotal, subtotalSats, promotion);
  const expected = [subtotal, subtotalSats, total, totalSats, totalSats].join(' ');
  const stored = [order.total_cents, order.total_sats, order.total_after_cents, order.total_after_sats, order.due_sats];
  return [
    ...lines.flatMap((line) => findLineFaults(line, order, gift)),
    ...findPromotionFaults(audited).map((text): OrderFinding => ({ fault: 'promotion', text })),
    ...(stored.join(' ') === expected
      ? []
      : [{ fault: 'total', text: `totals ${stored.join(' ')} instead of ${expected}` } as const]),
    ...(lines.length - paid.length > (gift === null ? 0 : 1)
      ? [{ fault: 'promotion', text: 'too many gifts' } as const]
      : []),
  ];
}
