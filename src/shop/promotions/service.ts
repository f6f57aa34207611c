import { z } from 'zod';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { readRevision } from '#src/platform/database/revisions.ts';
import type { RevisionedData } from '#src/platform/database/revisions.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import { runningPromotion } from './contract.ts';
import type { RunningPromotion } from './contract.ts';
import { getDiscountValue, isRunning, normaliseCode, findGeneralProblem, findPromotionProblem } from './promotion.ts';
import type { PromotionClaim, Promotion, PromotionProblem } from './promotion.ts';
import * as store from './store.ts';

/** Topic of the revision of all promotions. */
export const PROMOTIONS_TOPIC = 'promotions';

/** A promotion with the uses of a buyer; null for an unknown buyer. */
export interface PromotionWithUses {
  readonly promotion: Promotion;
  readonly usesByBuyer: number | null;
}

export interface PromotionUse {
  readonly promotionId: string;
  /** Version that the totals of the order were computed with; null for an order that redeems again. */
  readonly version: number | null;
  readonly orderId: string;
  readonly userId: string;
  readonly at: Date;
}

/** Promotions. The advertised ones are in memory, current in every process. */
export class Promotions implements RevisionedData {
  readonly topic = PROMOTIONS_TOPIC;
  readonly #db: Db;
  readonly #catalogue: Catalogue;
  #advertised: readonly Promotion[] = [];
  #revision = 0n;
  #reads = 0;

  private constructor(db: Db, catalogue: Catalogue) {
    this.#db = db;
    this.#catalogue = catalogue;
  }

  static async open(db: Db, catalogue: Catalogue): Promise<Promotions> {
    const promotions = new Promotions(db, catalogue);
    await promotions.refresh();
    return promotions;
  }

  get revision(): bigint {
    return this.#revision;
  }

  async refresh(): Promise<void> {
    const read = async (tx: Db) => ({
      revision: await readRevision(tx, this.topic),
      advertised: await store.loadAdvertised(tx),
    });
    const { revision, advertised } = await transact(this.#db, read, { isolationLevel: 'repeatable read' });
    this.#revision = revision;
    this.#advertised = advertised;
    this.#reads += 1;
  }

  /**
   * Changes whenever `listRunning` may: on refresh, product changes, and starts, ends or last uses
   * of promotions.
   */
  getVersionAt(now: Date): string {
    const running = this.#advertised.filter((promotion) => isRunning(promotion, now)).map(({ code }) => code);
    return `${this.#reads} ${this.#catalogue.version} ${running.join(' ')}`;
  }

  /**
   * Advertised promotions running at that time, in wire form; without those whose gift is not on
   * sale.
   */
  listRunning(now: Date): readonly RunningPromotion[] {
    return this.listAdvertised(now).flatMap((promotion) => {
      const gift =
        promotion.giftProductId === null ? null : this.#catalogue.snapshot.productsById.get(promotion.giftProductId);
      if (gift === undefined) return [];
      const wire = z.encode(runningPromotion, {
        code: promotion.code,
        type: promotion.type,
        discount_value: getDiscountValue(promotion),
        ends_at: promotion.endsAt,
        minimum_subtotal_usd: promotion.minimumSubtotalCents,
        max_uses_per_user: promotion.maxUsesPerUser,
        is_limited: promotion.maxUses !== null,
        gift_product: gift && { id: gift.id, name: gift.name, slug: gift.slug },
      });
      return [wire];
    });
  }

  /** Advertised promotions running at that time, according to memory. */
  listAdvertised(now: Date): readonly Promotion[] {
    return this.#advertised.filter((promotion) => isRunning(promotion, now));
  }

  // ---- for carts: reads the current database state

  async findByCode(db: Db, written: string, userId: string | null): Promise<PromotionWithUses | null> {
    const promotion = await store.findPromotion(db, { code: normaliseCode(written) });
    return promotion && this.#readUses(db, promotion, userId);
  }

  async findById(db: Db, id: string, userId: string | null): Promise<PromotionWithUses | null> {
    const promotion = await store.findPromotion(db, { id });
    return promotion && this.#readUses(db, promotion, userId);
  }

  /** As `findById`, without the use of the order itself. */
  async findForOrder(db: Db, id: string, userId: string | null, orderId: string): Promise<PromotionWithUses | null> {
    const found = await this.findById(db, id, userId);
    if (found === null || !(await store.hasUse(db, id, orderId))) return found;
    const { promotion, usesByBuyer } = found;
    return {
      promotion: { ...promotion, uses: promotion.uses - 1 },
      usesByBuyer: usesByBuyer === null ? null : usesByBuyer - 1,
    };
  }

  async #readUses(db: Db, promotion: Promotion, userId: string | null): Promise<PromotionWithUses> {
    const isLimited = userId !== null && promotion.maxUsesPerUser !== null;
    return { promotion, usesByBuyer: isLimited ? await store.countUses(db, promotion.id, userId) : null };
  }

  /** First of the promotions that this user may still use according to the database. */
  async findFirstUsable(
    db: Db,
    promotions: readonly Promotion[],
    userId: string | null,
    claim: Omit<PromotionClaim, 'usesByBuyer'>,
  ): Promise<Promotion | null> {
    for (const promotion of promotions) {
      if (promotion.maxUses === null && promotion.maxUsesPerUser === null) return promotion;
      const claimed = await this.findById(db, promotion.id, userId);
      if (claimed && findPromotionProblem(claimed.promotion, { ...claim, ...claimed }) === null)
        return claimed.promotion;
    }
    return null;
  }

  // ---- for orders: within the order's transaction, after its stock locks

  /**
   * Redeems a promotion for an order. Returns null on success, otherwise the reason. The first
   * redemption requires a running promotion of the same version; an order that redeems again does not.
   */
  async redeem(tx: Db, use: PromotionUse): Promise<PromotionProblem | null> {
    const { promotionId, userId, at, version } = use;
    const counted = await store.incrementUses(tx, promotionId, at, version);
    if (counted === null) {
      const promotion = await store.findPromotion(tx, { id: promotionId });
      if (promotion === null) return 'withdrawn';
      return findGeneralProblem(promotion, at) ?? (version === null ? 'used-up' : 'changed');
    }
    const { maxUsesPerUser } = counted;
    if (maxUsesPerUser !== null && (await store.countUses(tx, promotionId, userId)) >= maxUsesPerUser) {
      await store.decrementUses(tx, promotionId);
      return 'used-by-you';
    }
    await store.insertUse(tx, use);
    return null;
  }

  /** Restores the uses of orders. Idempotent. */
  async restoreUses(tx: Db, orderIds: readonly string[]): Promise<void> {
    await store.deleteUses(tx, orderIds);
  }

  /** Refreshes the use counts of limited promotions. Called periodically in every process. */
  async refreshUses(): Promise<void> {
    if (!this.#advertised.some(({ maxUses }) => maxUses !== null)) return;
    const uses = await store.countLimitedUses(this.#db);
    this.#advertised = this.#advertised.map((promotion) => ({
      ...promotion,
      uses: uses.get(promotion.id) ?? promotion.uses,
    }));
  }
}
