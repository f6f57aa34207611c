import type { RoutesOf } from '#src/shop/access-rules.ts';
import { refuseFields } from '#src/shop/promotions/editing/changes.service.ts';
import type { promotionPreviewApi } from './contract.ts';
import type { PromotionPreviews } from './service.ts';

export const createPromotionPreviewRoutes = (previews: PromotionPreviews): RoutesOf<typeof promotionPreviewApi> => ({
  'POST /support/promotions/preview': {
    who: 'catalogue',
    limit: { points: 120, seconds: 60, by: 'caller' },
    handle: async ({ body }) => {
      const result = await previews.preview(body);
      return result.ok ? result.preview : refuseFields(result.fields);
    },
  },
});
