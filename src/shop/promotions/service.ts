import { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import { runningPromotion } from './contract.ts';
import type { RunningPromotion } from './contract.ts';
import { getDiscountValue, isRunning, normaliseCode, findGeneralProblem, findPromotionProblem } from './promotion.ts';
import type { PromotionClaim, Promotion, PromotionProblem } from './promotion.ts';
import * as store from './store.ts';

/** A promotion and how often its would-be user has used it; null while nobody knows who that is. */
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

/** What the shop gives; held in memory: read from the database once and again on `reload`. */
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

  /** Differs whenever `current` may: after a reload, with other products on sale, when one begins or ends. */
  getVersionAt(now: Date): string {
    const running = this.#promotions.filter((one) => isRunning(one, now)).map(({ code }) => code);
    return `${this.#version} ${this.#catalogue.version} ${running.join(' ')}`;
  }

  /** The advertised promotions that run at that moment, in wire form; none whose gift is no longer on sale. */
  listRunning(now: Date): readonly RunningPromotion[] {
    return this.#promotions
      .filter((one) => one.isAdvertised && isRunning(one, now))
      .flatMap((one) => {
        const gift = one.giftProductId === null ? null : this.#catalogue.snapshot.productsById.get(one.giftProductId);
        if (gift === undefined) return [];
        const wire = z.encode(runningPromotion, {
          code: one.code,
          type: one.type,
          discount_value: getDiscountValue(one),
          ends_at: one.endsAt,
          minimum_subtotal_usd: one.minimumSubtotalCents,
          max_uses_per_user: one.maxUsesPerUser,
          is_limited: one.maxUses !== null,
          gift_product: gift && { id: gift.id, name: gift.name, slug: gift.slug },
        });
        return [wire];
      });
  }

  /** Those that are shown to everybody and run at that moment, as far as memory knows. */
  listAdvertised(now: Date): readonly Promotion[] {
    return this.#promotions.filter((one) => one.isAdvertised && isRunning(one, now));
  }

  // ---- for carts: as the database has it at this moment

  async findByCode(db: Db, written: string, userId: string | null): Promise<PromotionWithUses | null> {
    const promotion = await store.findPromotion(db, { code: normaliseCode(written) });
    return promotion && this.#withUses(db, promotion, userId);
  }

  async findById(db: Db, id: string, userId: string | null): Promise<PromotionWithUses | null> {
    const promotion = await store.findPromotion(db, { id });
    return promotion && this.#withUses(db, promotion, userId);
  }

  async #withUses(db: Db, promotion: Promotion, userId: string | null): Promise<PromotionWithUses> {
    const isLimited = userId !== null && promotion.maxUsesPerUser !== null;
    return { promotion, usesByBuyer: isLimited ? await store.countUses(db, promotion.id, userId) : null };
  }

  /** The first of the promotions that the database says this user may still use. */
  async findFirstUsable(
    db: Db,
    promotions: readonly Promotion[],
    userId: string | null,
    claim: Omit<PromotionClaim, 'usesByBuyer'>,
  ): Promise<Promotion | null> {
    for (const one of promotions) {
      if (one.maxUses === null && one.maxUsesPerUser === null) return one;
      const claimed = await this.findById(db, one.id, userId);
      if (claimed && findPromotionProblem(claimed.promotion, { ...claim, ...claimed }) === null)
        return claimed.promotion;
    }
    return null;
  }

  // ---- for orders: in the transaction of the order, whose stock is locked before

  /**
   * Uses a promotion up for an order: null when that is done, else why not, and nothing is. The first time it must be
   * running as well; an order that takes its use again was promised it before.
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

  /** Gives back what orders used: once, however often it is asked. */
  async restoreUses(tx: Db, orderIds: readonly string[]): Promise<void> {
    await store.deleteUses(tx, orderIds);
  }

  /** Reads anew how often those with an end have been used, by whatever process; to be called now and then. */
  async refreshUses(): Promise<void> {
    if (!this.#promotions.some(({ maxUses }) => maxUses !== null)) return;
    const uses = await store.countLimitedUses(this.#db);
    this.#promotions = this.#promotions.map((one) => ({ ...one, uses: uses.get(one.id) ?? one.uses }));
  }
}
