import type { Clock } from '#src/platform/process/clock.ts';
import { Encoded } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { promotionsApi } from './contract.ts';
import type { Promotions } from './service.ts';

export function createPromotionRoutes(promotions: Promotions, clock: Clock): RoutesOf<typeof promotionsApi> {
  return {
    'GET /promotions': {
      who: 'anyone',
      limit: { points: 600, seconds: 60, by: 'ip' },
      getVersion: () => promotions.getVersionAt(clock.now()),
      handle: async () => new Encoded([...promotions.listRunning(clock.now())]),
    },
  };
}
