/** The routes of every slice. */
import type { AnyRoute } from '#src/platform/http/call.ts';
import type { Readiness } from '#src/platform/telemetry/health.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { createAccountRoutes } from '#src/shop/accounts/routes.ts';
import { createApiKeyRoutes } from '#src/shop/api-keys/routes.ts';
import { createWebhookRoutes } from '#src/shop/webhooks/endpoints/routes.ts';
import { createAuditRoutes } from '#src/shop/audit-log/list/routes.ts';
import { createAdminSettingsRoutes } from '#src/shop/admin/settings/routes.ts';
import { createSystemRoutes } from '#src/shop/admin/system/routes.ts';
import { createStaffOrderRoutes } from '#src/shop/admin/orders/routes.ts';
import { createStaffTaskRoutes } from '#src/shop/admin/tasks/routes.ts';
import { createCustomerPageRoutes } from '#src/shop/admin/customers/routes.ts';
import { createAccountingExportRoutes } from '#src/shop/accounting-export/routes.ts';
import { createChainRoutes } from '#src/shop/payments/chain-sync/routes.ts';
import { createEnvironmentRoutes } from '#src/shop/shop-settings/environment/routes.ts';
import { createOrderListRoutes } from '#src/shop/orders/list/routes.ts';
import { createPromotionPreviewRoutes } from '#src/shop/cart/promotion-preview/routes.ts';
import { createReservationRoutes } from '#src/shop/orders/reservations/routes.ts';
import { createTransactionRoutes } from '#src/shop/orders/transactions/routes.ts';
import { createCartRoutes } from '#src/shop/cart/routes.ts';
import { createCatalogueRoutes } from '#src/shop/catalogue/routes.ts';
import { createCostRoutes } from '#src/shop/catalogue/costs/routes.ts';
import { createEditingRoutes } from '#src/shop/catalogue/editing/routes.ts';
import { createSalePriceRoutes } from '#src/shop/catalogue/sale-prices/routes.ts';
import { createImportsRoutes } from '#src/shop/catalogue/imports/routes.ts';
import { createContactRoutes } from '#src/shop/support/contact/routes.ts';
import { createFaqRoutes } from '#src/shop/content/faq/routes.ts';
import { createHomeRoutes } from '#src/shop/content/home/routes.ts';
import { createGuideRoutes } from '#src/shop/content/guide/routes.ts';
import { createLegalRoutes } from '#src/shop/content/legal/routes.ts';
import { createFulfilmentRoutes } from '#src/shop/orders/fulfilment/routes.ts';
import { createOrderDeskRoutes } from '#src/shop/orders/desk/routes.ts';
import { createOrderStatusRoutes, describeRefusal } from '#src/shop/orders/status/routes.ts';
import { createOrderTermsRoutes } from '#src/shop/orders/terms/routes.ts';
import { createOrderRoutes } from '#src/shop/orders/routes.ts';
import { createNationalCurrencyRoutes } from '#src/shop/invoices/currency/routes.ts';
import { createInvoiceRoutes } from '#src/shop/invoices/routes.ts';
import { createInventoryRoutes } from '#src/shop/inventory/stock-list/routes.ts';
import { createStockAlertRoutes } from '#src/shop/inventory/alerts/routes.ts';
import { createStaffPromotionRoutes } from '#src/shop/promotions/editing/routes.ts';
import { createManualOrderRoutes } from '#src/shop/orders/manual/routes.ts';
import { createOverviewRoutes } from '#src/shop/admin/overview/routes.ts';
import { createSalesRoutes } from '#src/shop/admin/sales/routes.ts';
import { createTeamRoutes } from '#src/shop/accounts/team/routes.ts';
import { createSecondFactorRoutes } from '#src/shop/accounts/second-factor/routes.ts';
import { createRetentionRoutes } from '#src/shop/personal-data/retention/routes.ts';
import { createPersonalDataRoutes } from '#src/shop/personal-data/routes.ts';
import { createProfileRoutes } from '#src/shop/accounts/profile/routes.ts';
import { createPictureRoutes } from '#src/shop/pictures/routes.ts';
import { createPromotionRoutes } from '#src/shop/promotions/routes.ts';
import { createFirstOwnerRoutes } from '#src/shop/accounts/first-owner/routes.ts';
import { createInvitationRoutes } from '#src/shop/accounts/invitations/routes.ts';
import { createPasswordResetRoutes } from '#src/shop/accounts/password-reset/routes.ts';
import { createReturnRoutes } from '#src/shop/returns/routes.ts';
import { createReturnFileRoutes } from '#src/shop/returns/files/routes.ts';
import { createReturnDeskRoutes } from '#src/shop/returns/desk/routes.ts';
import { createExchangeRoutes } from '#src/shop/returns/exchange/routes.ts';
import { createRefundRoutes, refuseRefund } from '#src/shop/refunds/routes.ts';
import { createWithdrawalRoutes } from '#src/shop/returns/withdrawal/routes.ts';
import { createReviewRoutes } from '#src/shop/reviews/routes.ts';
import { createCustomerRoutes } from '#src/shop/accounts/customers/routes.ts';
import { createCannedAnswerRoutes } from '#src/shop/support/canned-answers/routes.ts';
import { createTicketRoutes } from '#src/shop/support/tickets/routes.ts';
import { createTimelineRoutes } from '#src/shop/orders/timeline/routes.ts';
import { createShippingRoutes } from '#src/shop/shipping/routes.ts';
import { createTaxRoutes } from '#src/shop/tax/routes.ts';
import { createShopSettingsRoutes } from '#src/shop/shop-settings/routes.ts';
import type { Shop } from './compose.ts';

interface RoutesOptions {
  readonly shop: Shop;
  readonly clock: Clock;
  readonly checkReadiness: () => Promise<Readiness>;
}

/** The routes by their key in the contract. */
export function createRoutes(
  { shop, clock, checkReadiness }: RoutesOptions,
  isHttps: boolean,
): Record<string, AnyRoute> {
  return {
    ...createCatalogueRoutes(shop.catalogue, shop.stockWatch),
    ...createImportsRoutes(shop.imports),
    ...createEditingRoutes(shop),
    ...createSalePriceRoutes(shop.salePrices),
    ...createCostRoutes(shop.variantCosts),
    ...createShopSettingsRoutes(shop.shopSettings),
    ...createTaxRoutes(shop.taxes),
    ...createShippingRoutes(shop.shipping),
    ...createHomeRoutes(shop.content, shop.homeEditor),
    ...createFaqRoutes(shop.content, shop.faqEditor),
    ...createGuideRoutes(shop.content, shop.guideEditor),
    ...createLegalRoutes(shop.content, shop.legalEditor),
    ...createContactRoutes(shop.contact, shop.inbox),
    ...createReviewRoutes(shop.reviews),
    ...createPromotionRoutes(shop.promotions, clock),
    ...createAccountRoutes({ accounts: shop.accounts, isHttps }),
    ...createProfileRoutes({ profile: shop.profile, accounts: shop.accounts, isHttps }),
    ...createSecondFactorRoutes({ ...shop, isHttps }),
    ...createInvitationRoutes(shop.invitations),
    ...createFirstOwnerRoutes(shop.firstOwner),
    ...createPasswordResetRoutes({ passwordReset: shop.passwordReset, accounts: shop.accounts, isHttps }),
    ...createPersonalDataRoutes({ personalData: shop.personalData, isHttps }),
    ...createRetentionRoutes(shop.retention),
    ...createCartRoutes(shop.carts, shop.limits),
    ...createOrderRoutes(shop.orders),
    ...createOrderTermsRoutes(shop.orderTerms),
    ...createOrderStatusRoutes(shop),
    ...createFulfilmentRoutes({ ...shop, describeRefusal }),
    ...createOrderDeskRoutes(shop.orderDesk, shop.paidOrderMails),
    ...createRefundRoutes(shop.refunds),
    ...createReturnRoutes(shop.returns),
    ...createReturnFileRoutes(shop),
    ...createReturnDeskRoutes({ ...shop, refuseRefund }),
    ...createExchangeRoutes({ ...shop, refuseRefund }),
    ...createInvoiceRoutes(shop.invoices),
    ...createNationalCurrencyRoutes(shop.nationalCurrencies),
    ...createWithdrawalRoutes(shop),
    ...createTimelineRoutes(shop.timeline),
    ...createTicketRoutes(shop.tickets, shop.ticketDesk),
    ...createCannedAnswerRoutes(shop.cannedAnswers),
    ...createCustomerRoutes(shop.customers, shop.accountBlocks),
    ...createCustomerPageRoutes(shop.customerPages),
    ...createOrderListRoutes(shop.orderList, shop.orderExport),
    ...createStaffOrderRoutes(shop.staffOrders),
    ...createStaffTaskRoutes(shop.staffTasks),
    ...createReservationRoutes(shop.reservations),
    ...createTransactionRoutes(shop.transactions),
    ...createChainRoutes(shop.payments),
    ...createManualOrderRoutes(shop.manualOrders),
    ...createOverviewRoutes(shop.overview),
    ...createSalesRoutes(shop.sales),
    ...createTeamRoutes(shop.roles),
    ...createEnvironmentRoutes(shop.environment),
    ...createAccountingExportRoutes(shop.accountingDownload),
    ...createAuditRoutes(shop.auditList),
    ...createInventoryRoutes(shop.stockList),
    ...createStockAlertRoutes(shop.stockAlerts),
    ...createStaffPromotionRoutes(shop.promotionChanges, shop.promotionList),
    ...createPromotionPreviewRoutes(shop.promotionPreviews),
    ...createAdminSettingsRoutes(shop.setup, checkReadiness),
    ...createSystemRoutes(shop.system),
    ...createPictureRoutes(shop.pictures),
    ...createWebhookRoutes(shop),
    ...createApiKeyRoutes(shop.apiKeys),
    ...shop.demo?.routes,
  };
}
