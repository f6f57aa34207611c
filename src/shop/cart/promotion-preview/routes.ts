import { Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { promotionPreviewApi } from './contract.ts';
import type { PromotionPreviews } from './service.ts';

export const createPromotionPreviewRoutes = (previews: PromotionPreviews): RoutesOf<typeof promotionPreviewApi> => ({
  'POST /support/promotions/preview': {
    who: 'catalogue',
    limit: { points: 120, seconds: 60, by: 'caller' },
    handle: async ({ body }) => {
      const result = await previews.preview(body);
      return result.ok
        ? result.preview
        : new Refusal(400, 'invalid', 'The promotion is not complete', { fields: result.fields });
    },
  },
});
