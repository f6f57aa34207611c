/** All calls of the shop in one table. */
import type { Contract } from '#src/platform/http/endpoint.ts';
import { accountsApi } from './accounts/contract.ts';
import { adminApi } from './admin/contract.ts';
import { cartApi } from './cart/contract.ts';
import { catalogueApi } from './catalogue/contract.ts';
import { contactApi } from './support/contact/contract.ts';
import { contentApi } from './content/contract.ts';
import { orderStatusApi } from './orders/status/contract.ts';
import { ownerApi } from './admin/owner/contract.ts';
import { ordersApi } from './orders/contract.ts';
import { personalDataApi } from './personal-data/contract.ts';
import { profileApi } from './accounts/profile/contract.ts';
import { promotionsApi } from './promotions/contract.ts';
import { passwordResetApi } from './accounts/password-reset/contract.ts';
import { refundsApi } from './refunds/contract.ts';
import { reviewsApi } from './reviews/contract.ts';
import { ticketsApi } from './support/tickets/contract.ts';
import { timelineApi } from './orders/timeline/contract.ts';

export const shopApi = {
  ...catalogueApi,
  ...contentApi,
  ...contactApi,
  ...reviewsApi,
  ...promotionsApi,
  ...accountsApi,
  ...profileApi,
  ...passwordResetApi,
  ...cartApi,
  ...ordersApi,
  ...orderStatusApi,
  ...refundsApi,
  ...timelineApi,
  ...ticketsApi,
  ...personalDataApi,
  ...adminApi,
  ...ownerApi,
} as const satisfies Contract;
export type ShopApi = typeof shopApi;
