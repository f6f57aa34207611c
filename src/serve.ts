/** Everything that the shop answers over HTTP. */
import { resolve } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerEsplora } from './platform/bitcoin/devchain/esplora-http.ts';
import type { Clock } from './platform/clock.ts';
import { GUEST_COOKIE, registerApi, sessionCookieName } from './platform/http/api.ts';
import type { InProcessCall } from './platform/http/api.ts';
import type { AnyRoute, Caller } from './platform/http/call.ts';
import type { Contract } from './platform/http/endpoint.ts';
import { registerHealth } from './platform/http/health.ts';
import type { Readiness } from './platform/http/health.ts';
import { registerApiDocs } from './platform/http/openapi.ts';
import { pageCall } from './platform/http/page-call.ts';
import { builtPages, developedPages } from './platform/http/page-source.ts';
import { registerPages } from './platform/http/pages.ts';
import { registerPictures } from './platform/http/pictures.ts';
import { registerSecurityHeaders } from './platform/http/security-headers.ts';
import { openServer } from './platform/http/server.ts';
import type { Log } from './platform/log.ts';
import type { Settings } from './platform/settings.ts';
import { accountRoutes } from './shop/accounts/routes.ts';
import { shopApi } from './shop/api.ts';
import { cartRoutes } from './shop/cart/routes.ts';
import { catalogueRoutes } from './shop/catalogue/routes.ts';
import { contentRoutes } from './shop/content/routes.ts';
import { developerApi } from './shop/developer/contract.ts';
import { developerRoutes } from './shop/developer/routes.ts';
import { orderRoutes } from './shop/orders/routes.ts';
import { errorBody } from './shop/wire.ts';
import { isPrivatePath } from './web/private-paths.ts';
import type { Shop } from './wiring.ts';

const API_INFO = {
  title: 'Crypto Market API',
  version: '1',
  description: 'Everything that the pages of the shop do, and what a program may do in their place.',
  errorBody,
};

export interface ServeOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: Clock;
  readonly shop: Shop;
  readonly isDevelopment: boolean;
  readonly readiness: () => Promise<Readiness>;
}

/** Where customers reach the shop, and from where writes with cookies may come. */
function originsOf({ mode, publicUrl, port }: Settings): { own: string; all: ReadonlySet<string> } {
  const local = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const own = publicUrl === null ? `http://localhost:${port}` : new URL(publicUrl).origin;
  return { own, all: new Set(mode === 'demo' ? [own, ...local] : [own]) };
}

export async function openShopServer(options: ServeOptions): Promise<FastifyInstance> {
  const { settings, log, shop } = options;
  const origins = originsOf(settings);
  const isHttps = origins.own.startsWith('https:');
  const server = await openServer({ log, clock: options.clock, trustedProxies: settings.trustedProxies });
  registerSecurityHeaders(server, { isHttps });
  registerHealth(server, options.readiness);

  const contract: Contract = shop.developer ? { ...shopApi, ...developerApi } : shopApi;
  const routes: Record<string, AnyRoute> = {
    ...catalogueRoutes(shop.catalogue),
    ...contentRoutes(shop.content),
    ...accountRoutes({ accounts: shop.accounts, isHttps }),
    ...cartRoutes(shop.carts),
    ...orderRoutes(shop.orders),
    ...(shop.developer ? developerRoutes(shop.developer) : {}),
  };
  const inProcess = registerApi(server, {
    contract,
    routes,
    identify: (bearer, cookie) => shop.accounts.identify(bearer, cookie),
    limits: shop.limits,
    origins: origins.all,
    isHttps,
  });
  registerApiDocs(server, contract, (key) => routes[key]?.who === 'anyone', API_INFO);
  // What no call answers below /api is no page either.
  server.all('/api/*', (_request, reply) => reply.callNotFound());
  await registerPictures(server, resolve('public'));
  if (shop.developer) registerEsplora(server, shop.devchain, '/dev/esplora');
  await registerPages(server, {
    source: options.isDevelopment ? await developedPages(server) : await builtPages(),
    origin: origins.own,
    formOrigins: [...origins.all],
    isPrivate: isPrivatePath,
    loadContext: (request, { isPrivate }) => pageContextOf(request, isPrivate, { shop, inProcess, isHttps }),
    onFault: (error, request) => log.error({ request_id: request.id, err: error }, 'a page could not be rendered'),
  });
  return server;
}

interface Visited {
  readonly shop: Shop;
  readonly inProcess: InProcessCall;
  readonly isHttps: boolean;
}

/** A public page is rendered for nobody in particular; a private one for whom the session cookie names. */
async function pageContextOf(request: FastifyRequest, isPrivate: boolean, { shop, inProcess, isHttps }: Visited) {
  const cookies = isPrivate ? request.cookies : {};
  const identity = await shop.accounts.identifyPage(cookies[sessionCookieName(isHttps)] ?? null);
  const caller: Caller = {
    identity,
    guestToken: cookies[GUEST_COOKIE] ?? null,
    ip: request.ip,
    isBrowser: true,
    bearer: null,
    idempotencyKey: null,
  };
  const user = identity && { id: identity.userId, username: identity.username, role: identity.role };
  return { call: pageCall(inProcess, caller), visitor: { user }, isDemo: shop.developer !== null };
}
