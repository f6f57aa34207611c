import { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import type { Catalogue } from '../catalogue/service.ts';
import { runningPromotion } from './contract.ts';
import type { RunningPromotion } from './contract.ts';
import { discountValue, isRunning } from './promotion.ts';
import type { Promotion } from './promotion.ts';
import { loadPromotions } from './store.ts';

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
    this.#promotions = await loadPromotions(this.#db);
    this.#version += 1;
  }

  /** Differs whenever `current` may: after a reload, with other products on sale, when one begins or ends. */
  versionAt(now: Date): string {
    const running = this.#promotions.filter((one) => isRunning(one, now)).map(({ code }) => code);
    return `${this.#version} ${this.#catalogue.version} ${running.join(' ')}`;
  }

  /** The advertised promotions that run at that moment, in wire form; none whose gift is no longer on sale. */
  current(now: Date): readonly RunningPromotion[] {
    return this.#promotions
      .filter((one) => one.isAdvertised && isRunning(one, now))
      .flatMap((one) => {
        const gift = one.giftProductId === null ? null : this.#catalogue.snapshot.productsById.get(one.giftProductId);
        if (gift === undefined) return [];
        const wire = z.encode(runningPromotion, {
          code: one.code,
          type: one.type,
          discount_value: discountValue(one),
          ends_at: one.endsAt,
          minimum_subtotal_usd: one.minimumSubtotalCents,
          max_uses_per_user: one.maxUsesPerUser,
          is_limited: one.maxUses !== null,
          gift_product: gift && { id: gift.id, name: gift.name, slug: gift.slug },
        });
        return [wire];
      });
  }
}
