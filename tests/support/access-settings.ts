/** Rows of the access table for the settings of the shop. */
import { changeOf, ownerOnly, staffOnly } from './access-rows.ts';

export const SETTINGS_ROWS = {
  'PUT /shop/settings': ownerOnly(409, () => ({ body: { time: changeOf('time') } })),
  'PUT /shop/settings/identity': ownerOnly(409, () => ({ body: changeOf('identity') })),
  'PUT /shop/settings/legal': ownerOnly(409, () => ({ body: changeOf('legal') })),
  'PUT /shop/settings/orders': ownerOnly(409, () => ({ body: changeOf('orders') })),
  'PUT /shop/settings/refunds': ownerOnly(409, () => ({ body: changeOf('refunds') })),
  'PUT /shop/settings/time': ownerOnly(409, () => ({ body: changeOf('time') })),
  'PUT /shop/settings/late-payments': ownerOnly(409, () => ({ body: changeOf('late_payments') })),
  'PUT /shop/settings/retention': ownerOnly(409, () => ({ body: changeOf('retention') })),
  'GET /shop/retention': staffOnly(200),
  'PUT /shop/settings/mail': ownerOnly(409, () => ({ body: changeOf('mail') })),
  'PUT /shop/settings/announcement': ownerOnly(409, () => ({ body: changeOf('announcement') })),
  'PUT /shop/settings/consumers': ownerOnly(409, () => ({ body: changeOf('consumers') })),
  'PUT /shop/settings/prices': ownerOnly(409, () => ({ body: changeOf('prices') })),
};
