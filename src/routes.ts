import type { RouteConfig } from '@react-router/dev/routes';
import { index, route } from '@react-router/dev/routes';

/** Every URL of the shop. */
export default [
  index('shop/catalogue/web/home-page.tsx'),
  route('catalog', 'shop/catalogue/web/catalogue-page.tsx'),
  route('catalog/category/:slug', 'shop/catalogue/web/category-page.tsx'),
  route('search-results', 'shop/catalogue/web/search-page.tsx'),
  route('catalog/product/:slug', 'shop/catalogue/web/product-page.tsx'),
  route('product/:slug', 'shop/catalogue/web/moved-product-page.tsx'),
  route('cart', 'shop/orders/web/checkout-page.tsx'),
  route('login', 'shop/accounts/web/login-page.tsx'),
  route('registration', 'shop/accounts/web/registration-page.tsx'),
  route('dashboard', 'shop/orders/web/dashboard-page.tsx'),
  route('dashboard/orders', 'shop/orders/web/orders-page.tsx'),
  route('dashboard/orders/:id', 'shop/orders/web/order-page.tsx'),
  route('dashboard/tickets', 'shop/tickets/web/tickets-page.tsx'),
  route('dashboard/tickets/create', 'shop/tickets/web/create-page.tsx'),
  route('dashboard/tickets/:id', 'shop/tickets/web/ticket-page.tsx'),
  route('pay/:token', 'shop/orders/web/pay-page.tsx'),
  route('promo', 'shop/promotions/web/promo-page.tsx'),
  route('free-shipping', 'shop/content/web/free-shipping-page.tsx'),
  route('contact', 'shop/contact/web/contact-page.tsx'),
  route('how-to-buy', 'shop/content/web/how-to-buy-page.tsx'),
  route('terms', 'shop/content/web/terms-page.tsx'),
  route('privacy', 'shop/content/web/privacy-page.tsx'),
  route('returns', 'shop/content/web/returns-page.tsx'),
  route('dev/mail', 'shop/developer/web/mail-page.tsx'),
  route('dev/wallet', 'shop/developer/web/wallet-page.tsx'),
  route('*', 'web/layout/not-found-page.tsx'),
] satisfies RouteConfig;
