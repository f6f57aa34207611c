import type { RouteConfig } from '@react-router/dev/routes';
import { index, route } from '@react-router/dev/routes';

/** Every URL of the shop. */
export default [
  index('shop/catalogue/web/home-page.tsx'),
  route('catalog', 'shop/catalogue/web/catalogue-page.tsx'),
  route('catalog/product/:slug', 'shop/catalogue/web/product-page.tsx'),
  route('product/:slug', 'shop/catalogue/web/moved-product-page.tsx'),
  route('cart', 'shop/orders/web/checkout-page.tsx'),
  route('login', 'shop/accounts/web/login-page.tsx'),
  route('registration', 'shop/accounts/web/registration-page.tsx'),
  route('dashboard', 'shop/orders/web/dashboard-page.tsx'),
  route('dev/wallet', 'shop/developer/web/wallet-page.tsx'),
  route('*', 'web/layout/not-found-page.tsx'),
] satisfies RouteConfig;
