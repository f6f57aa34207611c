/**
 * Sale prices of products, edited by staff. One that has begun keeps its price and its start, so
 * that the prices of the past stay known; only its end can change.
 */
import { v7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { isExclusionViolation, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import type { RevisionWatcher } from '#src/platform/database/revisions.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';
import type { Cents } from '#src/shop/money.ts';
import type { PriceGuard, PriceRefusal } from '#src/shop/price-reduction.ts';
import { lockProducts } from '../editing/products.store.ts';
import { createVariantKey, parseVariantKey } from '../products/variants.ts';
import { findPriorPrice } from './prior-price.ts';
import { recordPrices } from './record-prices.store.ts';
import { computeLargestReduction, getSalePriceState, reducePrices } from './sale-price.ts';
import type { Reduction, SalePriceState } from './sale-price.ts';
import { findReductionProblems, MAX_PRESENT, planTimes } from './sale-price-problems.ts';
import type { SalePriceProblems } from './sale-price-problems.ts';
import * as store from './store.ts';
import type { StoredPrices, StoredSalePrice } from './store.ts';

type RequestedReduction =
  | { readonly kind: 'percent'; readonly percent: bigint }
  | {
      readonly kind: 'amount';
      readonly price_usd: Cents;
      readonly variant_prices: readonly { readonly value_ids: readonly string[]; readonly price_usd: Cents }[];
    };

export interface SalePriceRequest {
  readonly reduction: RequestedReduction;
  /** Null: now. */
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
}

/** A sale price as staff see it. */
interface ListedSalePrice extends StoredSalePrice {
  readonly state: SalePriceState;
  /** The reduced base price, if it is computed from the present one. */
  readonly reducedCents: Cents;
  /** What the reduced base price is compared with; null: no reduction is announced, or it has ended. */
  readonly priorCents: Cents | null;
  /** Reduced prices of variants; none for a percentage. */
  readonly variantPrices: ProductPrices['ownPrices'];
}

export interface ProductPrices {
  readonly basePriceCents: Cents;
  /** Variants with a price of their own. */
  readonly ownPrices: readonly { readonly valueIds: readonly string[]; readonly priceCents: Cents }[];
  readonly salePrices: readonly ListedSalePrice[];
}

export type SalePriceResult =
  | { readonly ok: true; readonly productId: string }
  | { readonly ok: false; readonly reason: 'not-found' | 'changed-meanwhile' | 'running' | 'ended' | 'too-many' }
  | { readonly ok: false; readonly reason: PriceRefusal }
  | { readonly ok: false; readonly reason: 'overlap'; readonly other: StoredSalePrice | null }
  | { readonly ok: false; readonly reason: 'invalid'; readonly problems: SalePriceProblems };

/** With what the change did, for the audit log. */
type ChangeToRecord =
  | {
      readonly ok: true;
      readonly productId: string;
      readonly recorded: Pick<RecordedChange, 'action' | 'before' | 'after'>;
    }
  | (SalePriceResult & { readonly ok: false });

export interface SalePricesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
  readonly priceGuard: PriceGuard;
}

type Failure = SalePriceResult & { readonly ok: false };
const refuse = (reason: 'not-found' | 'changed-meanwhile' | 'running' | 'ended' | 'too-many'): Failure => ({
  ok: false,
  reason,
});

function toReduction(requested: RequestedReduction): Reduction {
  if (requested.kind === 'percent') return { kind: 'percent', basisPoints: Number(requested.percent) };
  return {
    kind: 'amount',
    basePriceCents: requested.price_usd,
    ownPrices: new Map(
      requested.variant_prices.map(({ value_ids, price_usd }) => [createVariantKey(value_ids), price_usd]),
    ),
  };
}

const listNamed = (requested: RequestedReduction) =>
  requested.kind === 'percent'
    ? []
    : requested.variant_prices.map(({ value_ids }) => ({ key: createVariantKey(value_ids) }));

function listVariantPrices(reduction: Reduction, { variantIds }: StoredPrices): readonly (readonly [string, Cents])[] {
  if (reduction.kind === 'percent') return [];
  return [...reduction.ownPrices].flatMap(([key, price]) => {
    const variantId = variantIds.get(key);
    return variantId === undefined ? [] : [[variantId, price] as const];
  });
}

const listOwnPrices = (prices: ReadonlyMap<string, Cents>): ProductPrices['ownPrices'] =>
  [...prices].map(([key, priceCents]) => ({ valueIds: parseVariantKey(key), priceCents }));

/** A sale price as audit entries show it. */
const toAuditFields = ({
  reduction,
  startsAt,
  endsAt,
}: Pick<StoredSalePrice, 'reduction' | 'startsAt' | 'endsAt'>) => ({
  ...(reduction.kind === 'percent'
    ? { discount_basis_points: reduction.basisPoints }
    : { price_cents: reduction.basePriceCents, variant_price_cents: Object.fromEntries(reduction.ownPrices) }),
  starts_at: startsAt,
  ends_at: endsAt,
});

const isSameReduction = (a: Reduction, b: Reduction): boolean =>
  a.kind === 'percent'
    ? b.kind === 'percent' && a.basisPoints === b.basisPoints
    : b.kind === 'amount' &&
      a.basePriceCents === b.basePriceCents &&
      a.ownPrices.size === b.ownPrices.size &&
      [...a.ownPrices].every(([key, price]) => b.ownPrices.get(key) === price);

export class SalePrices {
  readonly #options: SalePricesOptions;

  constructor(options: SalePricesOptions) {
    this.#options = options;
  }

  /** The newest sale prices of a product with its normal prices; null if it does not exist. */
  async list(productId: string): Promise<ProductPrices | null> {
    const { db, clock } = this.#options;
    const now = clock.now();
    const [product, salePrices] = await Promise.all([
      store.readPrices(db, productId, now),
      store.listSalePrices(db, productId),
    ]);
    if (product === null) return null;
    const { prices, history } = product;
    return {
      basePriceCents: prices.basePriceCents,
      ownPrices: listOwnPrices(prices.ownPrices),
      salePrices: salePrices.map((salePrice) => {
        const state = getSalePriceState(salePrice, now);
        const reducedCents = reducePrices(prices, salePrice.reduction).basePriceCents;
        const at = state === 'running' ? now : salePrice.startsAt;
        return {
          ...salePrice,
          state,
          reducedCents,
          priorCents: state === 'ended' ? null : findPriorPrice(history, at, null, reducedCents),
          variantPrices: salePrice.reduction.kind === 'percent' ? [] : listOwnPrices(salePrice.reduction.ownPrices),
        };
      }),
    };
  }

  create(productId: string, request: SalePriceRequest, by: StaffActor): Promise<SalePriceResult> {
    return this.#run(by, async (tx, now) => {
      if (!(await lockProducts(tx, [productId]))) return refuse('not-found');
      return this.#write(tx, { id: v7(), productId, version: 1, request, now, by }, null);
    });
  }

  /** Changes a sale price; of a running one only the end. */
  change(id: string, version: number, request: SalePriceRequest, by: StaffActor): Promise<SalePriceResult> {
    return this.#run(by, async (tx, now) => {
      const found = await lockSalePrice(tx, id, version);
      if (!found.ok) return found;
      const { salePrice } = found;
      const { productId } = salePrice;
      const state = getSalePriceState(salePrice, now);
      if (state === 'ended') return refuse('ended');
      if (state === 'scheduled')
        return this.#write(tx, { id, productId, version: version + 1, request, now, by }, salePrice);
      const isStartKept = request.starts_at === null || request.starts_at.getTime() === salePrice.startsAt.getTime();
      if (!isStartKept || !isSameReduction(toReduction(request.reduction), salePrice.reduction))
        return refuse('running');
      const endsAt = request.ends_at;
      if (endsAt !== null && endsAt <= now) {
        return {
          ok: false,
          reason: 'invalid',
          problems: { ends_at: 'The end is in the past. End the sale price instead' },
        };
      }
      return this.#writeEnd(tx, salePrice, { action: 'product.sale_price_edited', endsAt, now, by });
    });
  }

  /** Ends a running sale price at once. */
  end(id: string, version: number, by: StaffActor): Promise<SalePriceResult> {
    return this.#run(by, async (tx, now) => {
      const found = await lockSalePrice(tx, id, version);
      if (!found.ok) return found;
      const state = getSalePriceState(found.salePrice, now);
      if (state === 'ended') return refuse('ended');
      if (state === 'scheduled') return refuse('not-found');
      // It has begun, so it has lasted at least a millisecond.
      const began = found.salePrice.startsAt.getTime();
      const endsAt = new Date(Math.max(now.getTime(), began + 1));
      return this.#writeEnd(tx, found.salePrice, { action: 'product.sale_price_ended', endsAt, now, by });
    });
  }

  /** Deletes a sale price that has not begun. */
  delete(id: string, version: number, by: StaffActor): Promise<SalePriceResult> {
    return this.#run(by, async (tx, now) => {
      const found = await lockSalePrice(tx, id, version);
      if (!found.ok) return found;
      const { salePrice } = found;
      if (getSalePriceState(salePrice, now) !== 'scheduled') return refuse('running');
      await store.deleteSalePrice(tx, id);
      const recorded = { action: 'product.sale_price_deleted', before: toAuditFields(salePrice), after: null };
      return { ok: true, productId: salePrice.productId, recorded };
    });
  }

  async #run(by: StaffActor, work: (tx: Db, now: Date) => Promise<ChangeToRecord>): Promise<SalePriceResult> {
    const { db, clock, revisions } = this.#options;
    const result = await transact(db, async (tx): Promise<SalePriceResult> => {
      const at = clock.now();
      const changed = await work(tx, at);
      if (!changed.ok) return changed;
      const { productId, recorded } = changed;
      await store.writeRevision(tx, productId, await incrementRevision(tx, 'catalogue'));
      const name = (await store.findProductName(tx, productId)) ?? '';
      await recordChange(tx, { at, by, subject: { kind: 'product', id: productId, name }, ...recorded });
      return { ok: true, productId };
    }).catch((error: unknown): SalePriceResult => {
      if (isExclusionViolation(error, 'sale_prices_never_overlap'))
        return { ok: false, reason: 'overlap', other: null };
      throw error;
    });
    if (result.ok) await revisions.announce();
    return result;
  }

  async #write(
    tx: Db,
    written: {
      readonly id: string;
      readonly productId: string;
      readonly version: number;
      readonly request: SalePriceRequest;
      readonly now: Date;
      readonly by: StaffActor;
    },
    before: StoredSalePrice | null,
  ): Promise<ChangeToRecord> {
    const { id, productId, request, now, by, version } = written;
    const product = await store.readPrices(tx, productId, now);
    if (product === null) return refuse('not-found');
    const reduction = toReduction(request.reduction);
    const times = planTimes({ startsAt: request.starts_at, endsAt: request.ends_at }, now);
    const problems = {
      ...findReductionProblems(product.prices, reduction, listNamed(request.reduction)),
      ...(times.ok ? {} : times.problems),
    };
    if (!times.ok || Object.keys(problems).length > 0) return { ok: false, reason: 'invalid', problems };
    const change = { isChanged: true, reducedBy: computeLargestReduction(product.prices, reduction) };
    const refused = this.#options.priceGuard(by, change);
    if (refused !== null) return { ok: false, reason: refused };
    const present = await store.listPresentSalePrices(tx, productId, now);
    if (present.filter((other) => other.id !== id).length >= MAX_PRESENT) return refuse('too-many');
    const { startsAt, endsAt } = times;
    const other = await store.findOverlapping(tx, { id, productId, startsAt, endsAt });
    if (other !== null) return { ok: false, reason: 'overlap', other };
    // The price before the first reduction must be known even if nobody edited the product.
    await recordPrices(tx, [productId], now);
    const variantPrices = listVariantPrices(reduction, product);
    await store.writeSalePrice(tx, {
      id,
      productId,
      reduction,
      startsAt,
      endsAt,
      version,
      now,
      by: by.userId,
      variantPrices,
    });
    const recorded = {
      action: before === null ? 'product.sale_price_created' : 'product.sale_price_edited',
      before: before && toAuditFields(before),
      after: toAuditFields({ reduction, startsAt, endsAt }),
    };
    return { ok: true, productId, recorded };
  }

  async #writeEnd(
    tx: Db,
    before: StoredSalePrice,
    {
      action,
      endsAt,
      now,
      by,
    }: {
      readonly action: string;
      readonly endsAt: Date | null;
      readonly now: Date;
      readonly by: StaffActor;
    },
  ): Promise<ChangeToRecord> {
    const { id, productId, startsAt } = before;
    const other = await store.findOverlapping(tx, { id, productId, startsAt, endsAt });
    if (other !== null) return { ok: false, reason: 'overlap', other };
    await store.writeEnd(tx, { id, endsAt, now, by: by.userId });
    const recorded = { action, before: toAuditFields(before), after: toAuditFields({ ...before, endsAt }) };
    return { ok: true, productId, recorded };
  }
}

/** Locks the product first, as all changes of it do. */
async function lockSalePrice(
  tx: Db,
  id: string,
  version: number,
): Promise<{ readonly ok: true; readonly salePrice: StoredSalePrice } | Failure> {
  const seen = await store.findSalePrice(tx, id);
  if (seen === null || !(await lockProducts(tx, [seen.productId]))) return refuse('not-found');
  const salePrice = await store.findSalePrice(tx, id);
  if (salePrice === null) return refuse('not-found');
  return salePrice.version === version ? { ok: true, salePrice } : refuse('changed-meanwhile');
}
