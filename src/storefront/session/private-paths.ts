export const PRIVATE_PATHS = [
  '/cart',
  '/login',
  '/registration',
  '/lost-password',
  '/cancel-second-factor-change',
  '/confirm-email',
  '/invitation',
  '/first-owner',
  '/confirm-refund-address',
  '/dashboard',
  '/admin',
  '/pay',
  '/withdrawal',
  '/dev',
];

/** Pages that depend on the visitor: never cached by the shop or by proxies. */
export const isPrivatePath = (path: string): boolean =>
  PRIVATE_PATHS.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
