/** All calls of the shop in one table. */
import type { Contract } from '#src/platform/http/endpoint.ts';
import { accountsApi } from './accounts/contract.ts';
import { backofficeApi } from './admin/contract.ts';
import { cartApi } from './cart/contract.ts';
import { catalogueApi } from './catalogue/contract.ts';
import { contactApi } from './support/contact/contract.ts';
import { contentApi } from './content/contract.ts';
import { lifecycleApi } from './orders/status/contract.ts';
import { ownerApi } from './admin/owner/contract.ts';
import { ordersApi } from './orders/contract.ts';
import { privacyApi } from './personal-data/contract.ts';
import { profileApi } from './accounts/profile/contract.ts';
import { promotionsApi } from './promotions/contract.ts';
import { recoveryApi } from './accounts/password-reset/contract.ts';
import { refundsApi } from './refunds/contract.ts';
import { reviewsApi } from './reviews/contract.ts';
import { ticketsApi } from './support/tickets/contract.ts';
import { trackingApi } from './orders/timeline/contract.ts';

export const shopApi = {
  ...catalogueApi,
  ...contentApi,
  ...contactApi,
  ...reviewsApi,
  ...promotionsApi,
  ...accountsApi,
  ...profileApi,
  ...recoveryApi,
  ...cartApi,
  ...ordersApi,
  ...lifecycleApi,
  ...refundsApi,
  ...trackingApi,
  ...ticketsApi,
  ...privacyApi,
  ...backofficeApi,
  ...ownerApi,
} as const satisfies Contract;
export type ShopApi = typeof shopApi;
