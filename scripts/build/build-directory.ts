/** Where `react-router build` writes. Each build gets its own directory from build-when-stale.ts. */
export const BUILD_DIRECTORY = 'CRYPTO_MARKET_BUILD_DIRECTORY';

/** The default is for a build by hand; the shop does not use it. */
export const getBuildDirectory = (): string => process.env[BUILD_DIRECTORY] ?? 'build/manual';

/** The program of the shop within a release. */
export const SHOP_BUNDLE = 'shop/main.js';
