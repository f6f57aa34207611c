/** Exchanges the units of a return for other variants: a credit of their price pays a new order of the same buyer. */
import type { Db } from '#src/platform/database/database.ts';
import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import { getActorId } from '#src/shop/audit-log/actor.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { refuseOutdated } from '#src/shop/editing/service.ts';
import type { Cents } from '#src/shop/money.ts';
import type { ManualOrderResult } from '#src/shop/orders/checkout/order-placement.service.ts';
import { formatLineName } from '#src/shop/orders/fulfilment/show-shipments.ts';
import type { ManualOrders } from '#src/shop/orders/manual/service.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import type { CreditResult } from '#src/shop/refunds/credits.service.ts';
import type { Refunds } from '#src/shop/refunds/service.ts';
import { toAuditFields } from '../desk/audit-fields.service.ts';
import type { SerialMarks } from '../desk/arriving-units.service.ts';
import { releaseUnits } from '../desk/release-units.service.ts';
import { computeDifference } from '../compute-difference.ts';
import { describeRefund } from '../describe-refund.ts';
import { listExchangeableLines, readBilling } from '../exchange.store.ts';
import * as handling from '../handling.store.ts';
import type { ReturnNotices, ReturnNoticesOptions } from '../notices.service.ts';
import { planRefund } from '../plan-refund.ts';
import { listActions } from '../return-state.ts';
import { toPosition } from '../show-return.service.ts';
import * as store from '../store.ts';
import { isReleasedAfter } from '../units-to-release.ts';
import type { ReturnRow } from '../store.ts';
import { planExchange } from './plan-exchange.ts';
import type { ChosenVariant, ExchangeProblem, OrderedVariant } from './plan-exchange.ts';

export interface ReturnExchangesOptions extends Pick<ReturnNoticesOptions, 'db' | 'clock' | 'accounts'> {
  readonly orders: Pick<Orders, 'createManual'>;
  readonly manualOrders: Pick<ManualOrders, 'listVariantsOf' | 'preview'>;
  readonly refunds: Pick<Refunds, 'credits' | 'previews'>;
  readonly serialNumbers: SerialMarks;
}

export interface ExchangeRequest {
  readonly version: number;
  readonly chosen: readonly ChosenVariant[];
  /** Of the new order. */
  readonly expectedTotalCents: Cents;
  readonly isChecked: boolean | undefined;
}

type NotCredited = Extract<CreditResult, { ok: false }>;
type NotPlaced = Exclude<ManualOrderResult, { ok: true }>;
export type ExchangeResult =
  | Refusal
  | { readonly ok: true }
  | { readonly ok: false; readonly of: 'credit'; readonly reason: NotCredited['reason'] }
  | { readonly ok: false; readonly of: 'order'; readonly refused: NotPlaced };

interface PricedExchange {
  readonly ok: true;
  readonly credit_usd: Cents;
  readonly total_usd: Cents;
  readonly pays_usd: Cents;
  readonly left_usd: Cents;
}

/** Rolls an exchange back. */
class ExchangeRefusedError extends Error {
  readonly result: Exclude<ExchangeResult, { ok: true }>;
  constructor(result: Exclude<ExchangeResult, { ok: true }>) {
    super('an exchange was refused');
    this.result = result;
  }
}

const NOT_POSSIBLE = new Refusal(409, 'not-possible', 'Only items that were inspected and not refunded are exchanged');

const PROBLEMS: Readonly<Record<ExchangeProblem, readonly [code: string, message: string]>> = {
  'no-units': ['no-units', 'No unit of this item is credited. Reload the page'],
  'same-variant': ['same-variant', 'This is the variant that was returned. Choose another one'],
  'not-on-sale': ['withdrawn', 'This variant is not on sale. Choose another one'],
};

export class ReturnExchanges {
  readonly #options: ReturnExchangesOptions;
  readonly #db: Db;
  readonly #notices: ReturnNotices;

  constructor(options: ReturnExchangesOptions, notices: ReturnNotices) {
    this.#options = options;
    this.#db = options.db;
    this.#notices = notices;
  }

  /** What the units of a return can be exchanged for; null if it has no such action now. */
  async offer(row: ReturnRow) {
    if (!listActions(toPosition(row), 'staff').includes('exchange')) return null;
    const [lines, plan] = [await listExchangeableLines(this.#db, row.orderId), await this.#plan(this.#db, row)];
    const credited = await this.#options.refunds.previews.computeLines(row.orderId, plan);
    // The shop keeps the whole price for damage.
    if (credited.ok && credited.totalCents === 0n) return null;
    const products = [...new Set(lines.map(({ productId }) => productId))];
    const variants = await this.#options.manualOrders.listVariantsOf(this.#db, products);
    return row.lines.flatMap(({ name, position, values, wantedVariantId }) => {
      const quantity = countCredited(plan, position);
      const ordered = lines.find((line) => line.position === position);
      if (quantity === 0 || ordered === undefined) return [];
      return {
        position,
        name: formatLineName({ name, property_values: values }),
        quantity,
        wanted_variant_id: wantedVariantId,
        variants: variants
          .filter((one) => one.product_id === ordered.productId && one.id !== ordered.variantId)
          .map((one) => ({
            variant_id: one.id,
            name: one.values.map(({ value }) => value).join(', ') || one.sku,
            price_usd: one.price_usd,
            available: one.available,
          })),
      };
    });
  }

  /** The refund of what is credited. */
  async #plan(db: Db, row: ReturnRow) {
    return planRefund(row, await this.#options.refunds.previews.readLines(row.orderId, db));
  }

  /** The lines of the new order, or why they can't be ordered. */
  async #choose(row: ReturnRow, chosen: readonly ChosenVariant[]): Promise<readonly OrderedVariant[] | Refusal> {
    const [lines, plan] = [await listExchangeableLines(this.#db, row.orderId), await this.#plan(this.#db, row)];
    const products = [...new Set(lines.map(({ productId }) => productId))];
    const variants = await this.#options.manualOrders.listVariantsOf(this.#db, products);
    const credited = lines.map((line) => ({ ...line, quantity: countCredited(plan, line.position) }));
    const planned = planExchange(credited, variants, chosen);
    if (planned.ok) return planned.lines;
    const [code, message] = PROBLEMS[planned.reason];
    return new Refusal(409, code, message, { fields: { [`lines.${planned.index}.variant_id`]: message } });
  }

  /** What an exchange costs at the prices of now. */
  async preview(
    id: string,
    chosen: readonly ChosenVariant[],
  ): Promise<Refusal | PricedExchange | Extract<ExchangeResult, { of: 'credit' }>> {
    const [row, order] = [await store.findReturn(this.#db, id), await handling.findOrderOfReturn(this.#db, id)];
    if (row === null || order === null) return createNotFound();
    if (!listActions(toPosition(row), 'staff').includes('exchange')) return NOT_POSSIBLE;
    const lines = await this.#choose(row, chosen);
    if (lines instanceof Refusal) return lines;
    const { manualOrders, refunds } = this.#options;
    const { country, vatNumber = null } = await readBilling(this.#db, row.orderId);
    const cart = { lines, promoCode: null, delivery: { country, vatNumber }, hasFreeDelivery: true };
    const priced = await manualOrders.preview(cart, order.userId);
    if (!priced.ok) return new Refusal(409, ...PROBLEMS['not-on-sale']);
    const plan = await this.#plan(this.#db, row);
    const credit = await refunds.credits.preview(row.orderId, { ...plan, reason: row.reference, restocks: false });
    if (!credit.ok) return { ok: false, of: 'credit', reason: credit.reason };
    const creditCents = credit.cents;
    const totalCents = priced.cart.totalCartValue;
    const { leftCents, paysCents } = computeDifference(creditCents, totalCents);
    return { ok: true, credit_usd: creditCents, total_usd: totalCents, pays_usd: paysCents, left_usd: leftCents };
  }

  /**
   * Credits the units and creates the order that the credit pays, in one transaction that locks the order of the return
   * first. Nothing happens unless all of it does.
   */
  async exchange(id: string, request: ExchangeRequest, by: StaffActor): Promise<ExchangeResult> {
    const { accounts, orders } = this.#options;
    const [seen, order] = [await store.findReturn(this.#db, id), await handling.findOrderOfReturn(this.#db, id)];
    if (seen === null || order === null) return createNotFound();
    const outdated = findRefusal(seen, request.version);
    if (outdated !== null) return outdated;
    const lines = await this.#choose(seen, request.chosen);
    if (lines instanceof Refusal) return lines;
    const isKnown = (await accounts.findContact(order.userId)) !== null;
    try {
      const placed = await orders.createManual({
        by,
        knownBuyerId: order.userId,
        findBuyer: async (tx) => {
          const row = await handling.lockReturn(tx, id);
          const refused = row === null ? createNotFound() : findRefusal(row, request.version);
          if (refused !== null) throw new ExchangeRefusedError(refused);
          return isKnown ? order.userId : null;
        },
        billing: await readBilling(this.#db, seen.orderId),
        lines,
        promoCode: null,
        expectedTotalCents: request.expectedTotalCents,
        window: '3d',
        idempotencyKey: null,
        request: '',
        hasFreeDelivery: true,
        onPlaced: (tx, toOrderId) => this.#complete(tx, { id, toOrderId, isChecked: request.isChecked }, by),
      });
      return placed.ok ? { ok: true } : { ok: false, of: 'order', refused: placed };
    } catch (error) {
      if (error instanceof ExchangeRefusedError) return error.result;
      throw error;
    }
  }

  /** Credits the units to the new order and closes the return, whose row is locked. */
  async #complete(
    tx: Db,
    {
      id,
      isChecked,
      toOrderId,
    }: { readonly id: string; readonly toOrderId: string; readonly isChecked?: boolean | undefined },
    by: StaffActor,
  ): Promise<void> {
    const row = await store.findReturn(tx, id);
    if (row === null) throw new ExchangeRefusedError(createNotFound());
    const plan = await this.#plan(tx, row);
    const restocks = plan.units.some(({ restocked = 0 }) => restocked > 0);
    const lines = { ...plan, reason: describeRefund(row), restocks };
    const credited = await this.#options.refunds.credits.credit(tx, by, {
      orderId: row.orderId,
      lines,
      toOrderId,
      isChecked,
    });
    if (!credited.ok) throw new ExchangeRefusedError({ ok: false, of: 'credit', reason: credited.reason });
    const at = this.#options.clock.now();
    const closed = {
      state: 'closed',
      closed_at: at,
      outcome: 'exchanged',
      refund_id: credited.refundId,
      exchange_order_id: toOrderId,
      warned_at: null,
      is_sent_back_released: isReleasedAfter(row, 'refunded'),
    } as const;
    if (!(await handling.writeStep(tx, row, closed))) throw new ExchangeRefusedError(refuseOutdated('this return'));
    const refused = await releaseUnits(tx, row, 'refunded', this.#options.serialNumbers);
    if (refused !== null) throw new ExchangeRefusedError(refused);
    await this.#notices.report(tx, { ...row, version: row.version + 1 }, 'exchanged', getActorId(by));
    const after = await store.findReturn(tx, id);
    await recordChange(tx, {
      at,
      by,
      action: 'return.exchanged',
      subject: { kind: 'return', id, name: row.reference },
      version: row.version + 1,
      before: toAuditFields(row),
      after: after && toAuditFields(after),
    });
  }
}

/** Why this version of a return can't be exchanged; null if it can. */
function findRefusal(row: ReturnRow, version: number): Refusal | null {
  if (row.version !== version) return refuseOutdated('this return');
  return listActions(toPosition(row), 'staff').includes('exchange') ? null : NOT_POSSIBLE;
}

/** Units of a line whose price is credited. */
const countCredited = ({ units }: ReturnType<typeof planRefund>, position: number): number =>
  units.reduce((sum, one) => (one.position === position ? sum + one.quantity : sum), 0);
