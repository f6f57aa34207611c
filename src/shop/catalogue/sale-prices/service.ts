/**
 * Sale prices of products, edited by staff. One that has begun keeps its price and its start, so
 * that the prices of the past stay known; only its end can change.
 */
import { v7 } from 'uuid';
import { isExclusionViolation } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import { createInvalid, createNotFound, Refusal, refuseInvalid } from '#src/platform/http/call.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';
import { refusePrices } from '#src/shop/editing/price-refusals.service.ts';
import { changeDocument } from '#src/shop/editing/service.ts';
import type { DocumentChange, EditingOptions } from '#src/shop/editing/service.ts';
import type { Cents } from '#src/shop/money.ts';
import type { PriceGuard } from '#src/shop/price-reduction.ts';
import { lockProducts } from '../editing/products.store.ts';
import { createVariantKey, parseVariantKey } from '../products/variants.ts';
import { findPriorPrice } from './prior-price.ts';
import { recordPrices } from './record-prices.store.ts';
import { computeLargestReduction, getSalePriceState, reducePrices } from './sale-price.ts';
import type { Reduction, SalePriceState } from './sale-price.ts';
import { findReductionProblems, MAX_PRESENT, planTimes } from './sale-price-problems.ts';
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

/** The product whose sale prices were changed. */
type Changed = Promise<{ readonly productId: string } | Refusal>;

type Recorded = Pick<RecordedChange, 'action' | 'before' | 'after'>;

export interface SalePricesOptions extends EditingOptions {
  readonly priceGuard: PriceGuard;
}

const BEGUN = new Refusal(409, 'running', 'The sale price has begun. Only its end can be changed');
const ENDED = new Refusal(409, 'ended', 'The sale price has ended. Schedule another one');
const TOO_MANY = new Refusal(409, 'too-many', `A product can have ${MAX_PRESENT} sale prices that have not ended`);

function refuseOverlap(other: StoredSalePrice | null): Refusal {
  const end = other?.endsAt?.toISOString() ?? 'without an end';
  const when = other === null ? '' : `: ${other.startsAt.toISOString()} to ${end}`;
  return new Refusal(409, 'overlap', `Another sale price of this product is in force then${when}`, {
    fields: { starts_at: 'Another sale price is in force in this time' },
  });
}

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

  create(productId: string, request: SalePriceRequest, by: StaffActor): Changed {
    return this.#change(productId, by, {
      lock: async (tx) => ((await lockProducts(tx, [productId])) ? {} : null),
      write: (tx, _none, now) => this.#write(tx, { id: v7(), productId, version: 1, request, now, by }, null),
    });
  }

  /** Changes a sale price; of a running one only the end. */
  change(id: string, version: number, request: SalePriceRequest, by: StaffActor): Changed {
    return this.#changeStored(id, version, by, (tx, salePrice, now) => {
      const { productId } = salePrice;
      const state = getSalePriceState(salePrice, now);
      if (state === 'ended') return ENDED;
      if (state === 'scheduled')
        return this.#write(tx, { id, productId, version: version + 1, request, now, by }, salePrice);
      const isStartKept = request.starts_at === null || request.starts_at.getTime() === salePrice.startsAt.getTime();
      if (!isStartKept || !isSameReduction(toReduction(request.reduction), salePrice.reduction)) return BEGUN;
      const endsAt = request.ends_at;
      return endsAt !== null && endsAt <= now
        ? createInvalid({ ends_at: 'The end is in the past. End the sale price instead' })
        : writeEnd(tx, salePrice, { action: 'product.sale_price_edited', endsAt, now, by });
    });
  }

  /** Ends a running sale price at once. */
  end(id: string, version: number, by: StaffActor): Changed {
    return this.#changeStored(id, version, by, (tx, salePrice, now) => {
      const state = getSalePriceState(salePrice, now);
      if (state === 'ended') return ENDED;
      if (state === 'scheduled') return createNotFound();
      // It has begun, so it has lasted at least a millisecond.
      const endsAt = new Date(Math.max(now.getTime(), salePrice.startsAt.getTime() + 1));
      return writeEnd(tx, salePrice, { action: 'product.sale_price_ended', endsAt, now, by });
    });
  }

  /** Deletes a sale price that has not begun. */
  delete(id: string, version: number, by: StaffActor): Changed {
    return this.#changeStored(id, version, by, async (tx, salePrice, now) => {
      if (getSalePriceState(salePrice, now) !== 'scheduled') return BEGUN;
      await store.deleteSalePrice(tx, id);
      return { action: 'product.sale_price_deleted', before: toAuditFields(salePrice), after: null };
    });
  }

  async #changeStored(
    id: string,
    version: number,
    by: StaffActor,
    write: (tx: Db, salePrice: StoredSalePrice, now: Date) => Refusal | Promise<Recorded | Refusal>,
  ): Changed {
    const seen = await store.findSalePrice(this.#options.db, id);
    if (seen === null) return createNotFound();
    return this.#change(seen.productId, by, {
      version,
      // Locks the product first, as all changes of it do.
      lock: async (tx) => ((await lockProducts(tx, [seen.productId])) ? store.findSalePrice(tx, id) : null),
      write: async (tx, salePrice, now) => write(tx, salePrice, now),
      readConflict: async (db) => {
        const stored = await store.findSalePrice(db, id);
        return { by: stored?.editedBy ?? null, at: stored?.editedAt.toISOString() ?? null, fields: [] };
      },
    });
  }

  #change<Stored extends object>(
    productId: string,
    by: StaffActor,
    {
      write,
      ...steps
    }: Omit<DocumentChange<Stored, never>, 'by' | 'what' | 'subject' | 'write'> & {
      readonly write: (tx: Db, stored: Stored, now: Date) => Promise<Recorded | Refusal>;
    },
  ): Changed {
    return changeDocument(this.#options, {
      by,
      what: 'this sale price',
      subject: { kind: 'product', id: productId },
      write: async (tx: Db, stored: Stored, now: Date) => {
        const recorded = await write(tx, stored, now);
        if (recorded instanceof Refusal) return recorded;
        await store.writeRevision(tx, productId, await incrementRevision(tx, 'catalogue'));
        const name = (await store.findProductName(tx, productId)) ?? '';
        // The entry is about the product, whose version does not change.
        return { saved: { productId }, recorded: { ...recorded, name, version: undefined } };
      },
      explain: (error) => (isExclusionViolation(error, 'sale_prices_never_overlap') ? refuseOverlap(null) : null),
      ...steps,
    });
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
  ): Promise<Recorded | Refusal> {
    const { id, productId, request, now, by, version } = written;
    const product = await store.readPrices(tx, productId, now);
    if (product === null) return createNotFound();
    const reduction = toReduction(request.reduction);
    const times = planTimes({ startsAt: request.starts_at, endsAt: request.ends_at }, now);
    const problems = findReductionProblems(product.prices, reduction, listNamed(request.reduction));
    if (!times.ok) return createInvalid({ ...problems, ...times.problems });
    const invalid = refuseInvalid(problems);
    if (invalid !== null) return invalid;
    const change = { isChanged: true, reducedBy: computeLargestReduction(product.prices, reduction) };
    const refused = this.#options.priceGuard(by, change);
    if (refused !== null) return refusePrices(refused);
    const present = await store.listPresentSalePrices(tx, productId, now);
    if (present.filter((other) => other.id !== id).length >= MAX_PRESENT) return TOO_MANY;
    const { startsAt, endsAt } = times;
    const other = await store.findOverlapping(tx, { id, productId, startsAt, endsAt });
    if (other !== null) return refuseOverlap(other);
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
    return {
      action: before === null ? 'product.sale_price_created' : 'product.sale_price_edited',
      before: before && toAuditFields(before),
      after: toAuditFields({ reduction, startsAt, endsAt }),
    };
  }
}

async function writeEnd(
  tx: Db,
  before: StoredSalePrice,
  written: { readonly action: string; readonly endsAt: Date | null; readonly now: Date; readonly by: StaffActor },
): Promise<Recorded | Refusal> {
  const { id, productId, startsAt } = before;
  const { action, endsAt, now, by } = written;
  const other = await store.findOverlapping(tx, { id, productId, startsAt, endsAt });
  if (other !== null) return refuseOverlap(other);
  await store.writeEnd(tx, { id, endsAt, now, by: by.userId });
  return { action, before: toAuditFields(before), after: toAuditFields({ ...before, endsAt }) };
}
