import { Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/platform/http/call.ts';
import type { shippingApi } from './contract.ts';
import type { Shipping } from './service.ts';

export function createShippingRoutes(shipping: Shipping): RoutesOf<typeof shippingApi> {
  return {
    'GET /shipping': {
      who: 'anyone',
      limit: { points: 600, seconds: 60, by: 'ip' },
      getVersion: () => String(shipping.revision),
      handle: async () => shipping.describe(),
    },
    'GET /shipping/settings': {
      who: 'staff',
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: async () => shipping.currentSettings,
    },
    'PUT /shipping/settings': {
      who: 'owner',
      limit: { points: 30, seconds: 60, by: 'caller' },
      handle: async ({ body, caller }) => {
        const { version, ...settings } = body;
        const changed = await shipping.change(caller.identity.username, version, settings);
        if (changed.ok) return changed.saved;
        const message = 'Someone else changed the shipping settings. Reload the page to see them.';
        return new Refusal(409, changed.reason, message);
      },
    },
  };
}
