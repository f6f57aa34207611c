/** All calls of the shop in one table. */
import type { Contract } from '#src/platform/http/endpoint.ts';
import { accountsApi } from './accounts/contract.ts';
import { backofficeApi } from './backoffice/contract.ts';
import { cartApi } from './cart/contract.ts';
import { catalogueApi } from './catalogue/contract.ts';
import { contactApi } from './contact/contract.ts';
import { contentApi } from './content/contract.ts';
import { lifecycleApi } from './lifecycle/contract.ts';
import { ownerApi } from './owner/contract.ts';
import { ordersApi } from './orders/contract.ts';
import { privacyApi } from './privacy/contract.ts';
import { profileApi } from './profile/contract.ts';
import { promotionsApi } from './promotions/contract.ts';
import { recoveryApi } from './recovery/contract.ts';
import { refundsApi } from './refunds/contract.ts';
import { reviewsApi } from './reviews/contract.ts';
import { ticketsApi } from './tickets/contract.ts';
import { trackingApi } from './tracking/contract.ts';

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
