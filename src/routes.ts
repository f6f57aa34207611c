import type { RouteConfig } from '@react-router/dev/routes';
import { index, route } from '@react-router/dev/routes';

/** A page's id is its slice and file name. Every page carries all ids, so they are short. */
function page(path: string, file: string) {
  const id = file.replace(/^(?:shop\/)?([a-z-]+)\/.*\/([a-z-]+)-page\.tsx$/, '$1/$2');
  return route(path, file, { id });
}

/** Every page URL of the shop. */
export default [
  index('shop/catalogue/web/home-page.tsx', { id: 'catalogue/home' }),
  page('catalog', 'shop/catalogue/web/catalogue-page.tsx'),
  page('catalog/category/:slug', 'shop/catalogue/web/category-page.tsx'),
  page('search-results', 'shop/catalogue/search/web/search-page.tsx'),
  page('catalog/product/:slug', 'shop/catalogue/products/web/product-page.tsx'),
  page('compare', 'shop/catalogue/compare/web/compare-page.tsx'),
  page('product/:slug', 'shop/catalogue/products/web/moved-product-page.tsx'),
  page('cart', 'shop/orders/checkout/web/checkout-page.tsx'),
  page('login', 'shop/accounts/sessions/web/login-page.tsx'),
  page('registration', 'shop/accounts/registration/web/registration-page.tsx'),
  page('lost-password', 'shop/accounts/password-reset/web/lost-password-page.tsx'),
  page('confirm-email/:token', 'shop/accounts/profile/web/confirm-email-page.tsx'),
  page('confirm-refund-address/:token', 'shop/refunds/addresses/web/confirm-refund-address-page.tsx'),
  page('dashboard', 'shop/orders/web/dashboard-page.tsx'),
  page('dashboard/orders', 'shop/orders/web/orders-page.tsx'),
  page('dashboard/orders/:id', 'shop/orders/web/order-page.tsx'),
  page('dashboard/settings', 'shop/accounts/profile/web/settings-page.tsx'),
  page('dashboard/tickets', 'shop/support/tickets/web/tickets-page.tsx'),
  page('dashboard/tickets/create', 'shop/support/tickets/web/create-page.tsx'),
  page('dashboard/tickets/:id', 'shop/support/tickets/web/ticket-page.tsx'),
  page('pay/:token', 'shop/orders/web/pay-page.tsx'),
  page('admin', 'shop/admin/web/admin-home-page.tsx'),
  page('admin/payments', 'shop/admin/web/payments-page.tsx'),
  page('admin/orders', 'shop/admin/web/orders-page.tsx'),
  page('admin/orders/:id', 'shop/admin/web/order-page.tsx'),
  page('admin/reservations', 'shop/admin/reservations/web/reservations-page.tsx'),
  page('admin/owner', 'shop/admin/owner/web/owner-page.tsx'),
  page('admin/chain', 'shop/admin/chain/web/chain-page.tsx'),
  page('promo', 'shop/promotions/web/promo-page.tsx'),
  page('free-shipping', 'shop/content/web/free-shipping-page.tsx'),
  page('contact', 'shop/support/contact/web/contact-page.tsx'),
  page('how-to-buy', 'shop/content/web/how-to-buy-page.tsx'),
  page('terms', 'shop/content/web/terms-page.tsx'),
  page('privacy', 'shop/content/web/privacy-page.tsx'),
  page('returns', 'shop/content/web/returns-page.tsx'),
  page('dev/mail', 'shop/demo/web/mail-page.tsx'),
  page('dev/wallet', 'shop/demo/web/wallet-page.tsx'),
  page('*', 'storefront/layout/not-found-page.tsx'),
] satisfies RouteConfig;
