import { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import { runningPromotion } from './contract.ts';
import type { RunningPromotion } from './contract.ts';
import { getDiscountValue, isRunning, normaliseCode, findGeneralProblem, findPromotionProblem } from './promotion.ts';
import type { PromotionClaim, Promotion, PromotionProblem } from './promotion.ts';
import * as store from './store.ts';

/** A promotion with the uses of a buyer; null for an unknown buyer. */
export interface PromotionWithUses {
  readonly promotion: Promotion;
  readonly usesByBuyer: number | null;
}

export interface PromotionUse {
  readonly promotionId: string;
  readonly orderId: string;
  readonly userId: string;
  readonly at: Date;
}

/** Promotions, held in memory. Read from the database at startup and on `reload`. */
export class Promotions {
  readonly #db: Db;
  readonly #catalogue: Catalogue;
  #promotions: readonly Promotion[] = [];
  #version = 0;

  private constructor(db: Db, catalogue: Catalogue) {
    this.#db = db;
    this.#catalogue = catalogue;
  }

  static async open(db: Db, catalogue: Catalogue): Promise<Promotions> {
    const promotions = new Promotions(db, catalogue);
    await promotions.reload();
    return promotions;
  }

  async reload(): Promise<void> {
    this.#promotions = await store.loadPromotions(this.#db);
    this.#version += 1;
  }

  /**
   * Changes whenever `listRunning` may: on reload, product changes, and starts or ends of
   * promotions.
   */
  getVersionAt(now: Date): string {
    const running = this.#promotions.filter((promotion) => isRunning(promotion, now)).map(({ code }) => code);
    return `${this.#version} ${this.#catalogue.version} ${running.join(' ')}`;
  }

  /**
   * Advertised promotions running at that time, in wire form; without those whose gift is not on
   * sale.
   */
  listRunning(now: Date): readonly RunningPromotion[] {
    return this.#promotions
      .filter((promotion) => promotion.isAdvertised && isRunning(promotion, now))
      .flatMap((promotion) => {
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
    return this.#promotions.filter((promotion) => promotion.isAdvertised && isRunning(promotion, now));
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
   * redemption requires a running promotion; an order that redeems again does not.
   */
  async redeem(tx: Db, use: PromotionUse, isAgain = false): Promise<PromotionProblem | null> {
    const { promotionId, userId, at } = use;
    const counted = await store.incrementUses(tx, promotionId, isAgain ? null : at);
    if (counted === null) {
      const promotion = await store.findPromotion(tx, { id: promotionId });
      return (promotion && findGeneralProblem(promotion, at)) ?? 'used-up';
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

  /** Refreshes the use counts of limited promotions. Called periodically. */
  async refreshUses(): Promise<void> {
    if (!this.#promotions.some(({ maxUses }) => maxUses !== null)) return;
    const uses = await store.countLimitedUses(this.#db);
    this.#promotions = this.#promotions.map((promotion) => ({
      ...promotion,
      uses: uses.get(promotion.id) ?? promotion.uses,
    }));
  }
}
