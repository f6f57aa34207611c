/** What a promotion would do to a sample cart, for staff. */
import type { z } from 'zod';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { PromotionChanges } from '#src/shop/promotions/editing/changes.service.ts';
import type { PromotionFields } from '#src/shop/promotions/editing/contract.ts';
import type { FieldProblems } from '#src/shop/promotions/editing/promotion-fields.ts';
import { describeRefusedLine } from '../cart-calls.service.ts';
import type { Carts } from '../service.ts';
import type { promotionPreviewApi } from './contract.ts';
import { showPreview, toSamplePromotion } from './show-preview.ts';

type ShownPreview = z.output<(typeof promotionPreviewApi)['POST /support/promotions/preview']['response']>;

export interface PromotionPreviewsOptions {
  readonly clock: Clock;
  readonly catalogue: Pick<Catalogue, 'rate'>;
  readonly carts: Pick<Carts, 'ofStaff'>;
  readonly promotionChanges: Pick<PromotionChanges, 'check'>;
}

export interface SampleRequest {
  readonly promotion: PromotionFields;
  readonly at: string | null;
  readonly lines: readonly { readonly product_id: string; readonly quantity: number }[];
}
export type PreviewResult =
  | { readonly ok: true; readonly preview: ShownPreview }
  | { readonly ok: false; readonly fields: FieldProblems | { readonly lines: string } };

export class PromotionPreviews {
  readonly #options: PromotionPreviewsOptions;

  constructor(options: PromotionPreviewsOptions) {
    this.#options = options;
  }

  /** What a promotion would do to a sample cart. Stores nothing. */
  async preview({ promotion, at, lines }: SampleRequest): Promise<PreviewResult> {
    const { carts, catalogue, clock, promotionChanges } = this.#options;
    // A gift that was withdrawn from sale is shown as unavailable.
    const checked = promotionChanges.check(promotion, promotion.gift_product_id);
    if (!checked.ok) return { ok: false, fields: checked.fields };
    const assessed = await carts.ofStaff.assessSample({
      lines,
      promotion: toSamplePromotion(checked.draft),
      at: at === null ? clock.now() : new Date(at),
    });
    if (!assessed.ok) return { ok: false, fields: { lines: describeRefusedLine(assessed) } };
    return { ok: true, preview: showPreview(assessed.cart, catalogue.rate !== null) };
  }
}
