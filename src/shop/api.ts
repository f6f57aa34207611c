/** All calls of the shop in one table. */
import type { Contract } from '#src/platform/http/endpoint.ts';
import { accountsApi } from './accounts/contract.ts';
import { accountingExportApi } from './accounting-export/contract.ts';
import { customerPageApi } from './admin/customers/contract.ts';
import { staffOrderApi } from './admin/orders/contract.ts';
import { staffTasksApi } from './admin/tasks/contract.ts';
import { promotionPreviewApi } from './cart/promotion-preview/contract.ts';
import { orderListApi } from './orders/list/contract.ts';
import { reservationsApi } from './orders/reservations/contract.ts';
import { transactionsApi } from './orders/transactions/contract.ts';
import { chainApi } from './payments/chain-sync/contract.ts';
import { environmentApi } from './shop-settings/environment/contract.ts';
import { auditApi } from './audit-log/list/contract.ts';
import { customersApi } from './accounts/customers/contract.ts';
import { manualOrdersApi } from './orders/manual/contract.ts';
import { adminSettingsApi } from './admin/settings/contract.ts';
import { systemApi } from './admin/system/contract.ts';
import { cartApi } from './cart/contract.ts';
import { catalogueApi } from './catalogue/contract.ts';
import { editingApi } from './catalogue/editing/contract.ts';
import { costsApi } from './catalogue/costs/contract.ts';
import { salePricesApi } from './catalogue/sale-prices/contract.ts';
import { cannedAnswersApi } from './support/canned-answers/contract.ts';
import { contactApi } from './support/contact/contract.ts';
import { faqApi } from './content/faq/contract.ts';
import { homeApi } from './content/home/contract.ts';
import { guideApi } from './content/guide/contract.ts';
import { legalApi } from './content/legal/contract.ts';
import { apiKeysApi } from './api-keys/contract.ts';
import { webhooksApi } from './webhooks/endpoints/contract.ts';
import { nationalCurrencyApi } from './invoices/currency/contract.ts';
import { invoicesApi } from './invoices/contract.ts';
import { inventoryApi } from './inventory/stock-list/contract.ts';
import { fulfilmentApi } from './orders/fulfilment/contract.ts';
import { orderDeskApi } from './orders/desk/contract.ts';
import { orderStatusApi } from './orders/status/contract.ts';
import { overviewApi } from './admin/overview/contract.ts';
import { salesApi } from './admin/sales/contract.ts';
import { teamApi } from './accounts/team/contract.ts';
import { importsApi } from './catalogue/imports/contract.ts';
import { staffPromotionsApi } from './promotions/editing/contract.ts';
import { ordersApi } from './orders/contract.ts';
import { picturesApi } from './pictures/contract.ts';
import { personalDataApi } from './personal-data/contract.ts';
import { retentionApi } from './personal-data/retention/contract.ts';
import { profileApi } from './accounts/profile/contract.ts';
import { promotionsApi } from './promotions/contract.ts';
import { firstOwnerApi } from './accounts/first-owner/contract.ts';
import { invitationsApi } from './accounts/invitations/contract.ts';
import { passwordResetApi } from './accounts/password-reset/contract.ts';
import { secondFactorApi } from './accounts/second-factor/contract.ts';
import { returnsApi } from './returns/contract.ts';
import { returnDeskApi } from './returns/desk/contract.ts';
import { exchangesApi } from './returns/exchange/contract.ts';
import { returnFilesApi } from './returns/files/contract.ts';
import { refundsApi } from './refunds/contract.ts';
import { reviewsApi } from './reviews/contract.ts';
import { stockAlertsApi } from './inventory/alerts/contract.ts';
import { shippingApi } from './shipping/contract.ts';
import { shopSettingsApi } from './shop-settings/contract.ts';
import { taxApi } from './tax/contract.ts';
import { withdrawalApi } from './returns/withdrawal/contract.ts';
import { ticketsApi } from './support/tickets/contract.ts';
import { orderTermsApi } from './orders/terms/contract.ts';
import { timelineApi } from './orders/timeline/contract.ts';

export const shopApi = {
  ...catalogueApi,
  ...importsApi,
  ...editingApi,
  ...salePricesApi,
  ...costsApi,
  ...shopSettingsApi,
  ...taxApi,
  ...shippingApi,
  ...homeApi,
  ...faqApi,
  ...guideApi,
  ...legalApi,
  ...contactApi,
  ...reviewsApi,
  ...promotionsApi,
  ...accountsApi,
  ...profileApi,
  ...passwordResetApi,
  ...secondFactorApi,
  ...invitationsApi,
  ...firstOwnerApi,
  ...cartApi,
  ...ordersApi,
  ...orderTermsApi,
  ...orderStatusApi,
  ...fulfilmentApi,
  ...orderDeskApi,
  ...refundsApi,
  ...returnsApi,
  ...returnDeskApi,
  ...returnFilesApi,
  ...exchangesApi,
  ...invoicesApi,
  ...nationalCurrencyApi,
  ...retentionApi,
  ...withdrawalApi,
  ...timelineApi,
  ...ticketsApi,
  ...cannedAnswersApi,
  ...customersApi,
  ...customerPageApi,
  ...personalDataApi,
  ...orderListApi,
  ...staffOrderApi,
  ...staffTasksApi,
  ...reservationsApi,
  ...transactionsApi,
  ...chainApi,
  ...manualOrdersApi,
  ...adminSettingsApi,
  ...systemApi,
  ...auditApi,
  ...overviewApi,
  ...salesApi,
  ...teamApi,
  ...environmentApi,
  ...accountingExportApi,
  ...inventoryApi,
  ...stockAlertsApi,
  ...staffPromotionsApi,
  ...promotionPreviewApi,
  ...picturesApi,
  ...webhooksApi,
  ...apiKeysApi,
} as const satisfies Contract;
export type ShopApi = typeof shopApi;
