/** Promotions as staff see them, with their uses. */
import { toRowRange } from '#src/shop/list-pages.ts';
import type { z } from 'zod';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { PromotionChanges, StoredPromotion } from './changes.service.ts';
import { getPromotionState } from '../promotion-state.ts';
import type { PromotionState } from '../promotion-state.ts';
import { getDiscountValue } from '../promotion.ts';
import type { staffPromotionsApi } from './contract.ts';
import * as store from './store.ts';

type ResponseOf<Key extends keyof typeof staffPromotionsApi> = z.output<(typeof staffPromotionsApi)[Key]['response']>;
type ShownPromotion = ResponseOf<'GET /support/promotions/{id}'>['promotion'];

export interface PromotionListOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly formatOrderNumber: (number: bigint) => string;
  readonly catalogue: Pick<Catalogue, 'findFormerProducts' | 'findByIds'>;
  readonly promotionChanges: Pick<PromotionChanges, 'find' | 'list'>;
}

export class PromotionList {
  readonly #options: PromotionListOptions;

  constructor(options: PromotionListOptions) {
    this.#options = options;
  }

  async list(
    { q = '', state = null }: { readonly q?: string | undefined; readonly state?: PromotionState | null | undefined },
    page: number,
  ): Promise<ResponseOf<'GET /support/promotions'>> {
    const limits = toRowRange(page);
    const filter = { q: q.trim().toUpperCase(), state };
    const { rows, total } = await this.#options.promotionChanges.list(filter, limits);
    return { promotions: await this.#showAll(rows), total, page };
  }

  async find(id: string): Promise<ShownPromotion | null> {
    const promotion = await this.#options.promotionChanges.find(id);
    return promotion && this.show(promotion);
  }

  async show(promotion: StoredPromotion): Promise<ShownPromotion> {
    const [shown] = await this.#showAll([promotion]);
    if (shown === undefined) throw new Error('a promotion was not shown');
    return shown;
  }

  async #showAll(promotions: readonly StoredPromotion[]): Promise<ShownPromotion[]> {
    const { catalogue, clock, db } = this.#options;
    const giftIds = promotions.flatMap(({ giftProductId }) => giftProductId ?? []);
    const names = await catalogue.findFormerProducts(db, [...new Set(giftIds)]);
    const now = clock.now();
    return promotions.map((one) => ({
      id: one.id,
      code: one.code,
      type: one.type,
      discount_value: getDiscountValue(one),
      gift_product:
        one.giftProductId === null
          ? null
          : {
              id: one.giftProductId,
              name: names.get(one.giftProductId)?.name ?? 'A product',
              is_on_sale: catalogue.findByIds([one.giftProductId]).length > 0,
            },
      starts_at: one.startsAt,
      ends_at: one.endsAt,
      minimum_subtotal_usd: one.minimumSubtotalCents,
      max_uses: one.maxUses,
      max_uses_per_user: one.maxUsesPerUser,
      is_active: one.isActive,
      is_advertised: one.isAdvertised,
      position: one.position,
      version: one.version,
      uses: one.uses,
      state: getPromotionState(one, now),
      can_be_deleted: !one.wasUsed,
      created_at: one.createdAt,
      updated_at: one.updatedAt,
    }));
  }

  /** Null without such a promotion. */
  async listUses(id: string, page: number): Promise<ResponseOf<'GET /support/promotions/{id}/uses'> | null> {
    const { db, promotionChanges } = this.#options;
    if ((await promotionChanges.find(id)) === null) return null;
    const [rows, totals] = await Promise.all([store.listUses(db, id, toRowRange(page)), store.sumUses(db, id)]);
    const uses = rows.map(({ orderId, number, usedAt, username, discount, gift }) => ({
      order_id: orderId,
      number: this.#options.formatOrderNumber(number),
      used_at: usedAt,
      username,
      discount_usd: discount,
      gift,
    }));
    return { uses, total: totals.uses, page, given_usd: totals.given, gifts: totals.gifts };
  }
}
