import type { RouteConfig } from '@react-router/dev/routes';
import { index, route } from '@react-router/dev/routes';

/** Every URL of the shop. */
export default [
  index('shop/catalogue/web/home-page.tsx'),
  route('*', 'web/layout/not-found-page.tsx'),
] satisfies RouteConfig;
