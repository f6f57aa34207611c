import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
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
      who: 'settings',
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: async () => shipping.currentSettings,
    },
    'PUT /shipping/settings': {
      who: 'settings-changes',
      limit: { points: 30, seconds: 60, by: 'caller' },
      handle: ({ body: { version, ...settings }, caller }) => shipping.change(toStaffActor(caller), version, settings),
    },
  };
}
