/** The HTTP server of the shop: API calls, pages, static files and the live channel. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getCallPriority, getPagePriority } from './priority.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { getDeviceCookieName } from '#src/platform/security/devices/devices.ts';
import {
  GUEST_COOKIE,
  registerApi,
  createReply,
  getPendingLoginCookieName,
  getSessionCookieName,
} from '#src/platform/http/api.ts';
import type { InProcessCall } from '#src/platform/http/api.ts';
import type { Caller } from '#src/platform/http/call.ts';
import { toClientKey } from '#src/platform/http/client-key.ts';
import type { Contract } from '#src/platform/http/endpoint.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { computeConnectionBudget } from '#src/platform/http/connection-budget.ts';
import { registerCrawlerFiles } from '#src/platform/http/crawler-files.ts';
import type { SitemapUrl } from '#src/platform/http/crawler-files.ts';
import { createCachedPageHandler } from '#src/platform/pages/cached-page-handler.ts';
import { warnAboutIgnoredForwarding } from '#src/platform/http/forwarded-warning.ts';
import { registerHealth } from '#src/platform/telemetry/health.ts';
import type { Readiness } from '#src/platform/telemetry/health.ts';
import { noShedding, createLoadShedder } from '#src/platform/http/load-shedder.ts';
import type { LoadShedder } from '#src/platform/http/load-shedder.ts';
import { readOpenFileLimit } from '#src/platform/http/open-file-limit.ts';
import { PageCache } from '#src/platform/pages/page-cache.ts';
import { ResponseCache } from '#src/platform/pages/response-cache.ts';
import type { Telemetry } from '#src/platform/telemetry/telemetry.ts';
import { createPageCall, createRepeatCall } from '#src/platform/pages/page-call.ts';
import { openBuiltPages, listStaticPaths } from '#src/platform/pages/page-source.ts';
import type { OpenPages } from '#src/platform/pages/page-source.ts';
import { registerPages } from '#src/platform/pages/pages.ts';
import type { PageVisit } from '#src/platform/pages/pages.ts';
import { registerPictures, registerUploads } from '#src/platform/http/pictures.ts';
import { consumeRenderLimit } from '#src/platform/pages/render-limit.ts';
import { registerSecurityHeaders, createSecurityHeaders } from '#src/platform/http/security-headers.ts';
import { openServer } from '#src/platform/http/server.ts';
import { registerDrawings } from '#src/platform/http/drawings.ts';
import { consumeFeedLimit, registerXmlFeed } from '#src/platform/http/xml-feed.ts';
import { registerWebManifest } from '#src/platform/http/web-manifest.ts';
import { isLivePath } from '#src/platform/live/live-server.ts';
import type { Log } from '#src/platform/process/log.ts';
import { isApiKey } from '#src/platform/security/api-key-token.ts';
import { SecurityLog } from '#src/platform/security/security-log.ts';
import { createCacheMetrics } from './process-metrics.ts';
import { resolveShopUrl } from './settings.ts';
import type { Settings } from './settings.ts';
import { ACCESS_RULES } from '#src/shop/access-rules.ts';
import { shopApi } from '#src/shop/api.ts';
import { FEED_PATH } from '#src/shop/catalogue/feed/feed-path.ts';
import { createQrPath } from '#src/platform/qr-path.ts';
import { drawArrow } from '#src/shop/catalogue/compliance/draw-arrow.ts';
import { drawLabel } from '#src/shop/catalogue/compliance/draw-label.ts';
import { ARROW_PATH, ENERGY_CLASSES, formatEprelUrl, LABEL_PATH } from '#src/shop/catalogue/compliance/energy-label.ts';
import { generateProductFeed } from '#src/shop/catalogue/feed/service.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import { LEGAL_KINDS } from '#src/shop/content/legal/legal-kind.ts';
import { getPageParameters } from '#src/storefront/page/page-parameters.ts';
import { isFramedPage } from '#src/storefront/page/framed-pages.ts';
import { isPrivatePath, PRIVATE_PATHS } from '#src/storefront/session/private-paths.ts';
import type { Shop } from './compose.ts';
import { createRoutes } from './create-routes.ts';
import { registerShopDocs } from './api-docs.ts';
import { describeApp } from './describe-app.ts';
import { openLiveChannel } from './open-live-channel.ts';

/**
 * Open orders need these calls, and they store little. The devchain simulates the Bitcoin network.
 */
const ALLOWED_WHEN_DISK_FULL = new Set([
  'POST /users/login',
  'POST /users/login/second-factor',
  'POST /users/logout',
  'POST /dev/pay',
  'POST /dev/mine',
  'POST /dev/replace',
  'POST /dev/reorg',
  'POST /dev/clock',
]);
const PAGE_CACHE_BYTES = 32 * 1024 * 1024;
/** Pages that the sitemap omits and search engines may not index. */
const UNLISTED = ['/search-results', '/compare'];

export interface ServeOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: Clock;
  readonly shop: Shop;
  /** Absent: the pages of the build. */
  readonly openDevelopmentPages?: OpenPages | undefined;
  readonly checkReadiness: () => Promise<Readiness>;
  /** Absent: refuses calls while the process is late. */
  readonly shedder?: LoadShedder | undefined;
  /** True once the process was asked to stop. */
  readonly isDraining: () => boolean;
  /** True while the remaining disk space is reserved for payments. */
  readonly isDiskFull: () => boolean;
  readonly telemetry: Telemetry;
}

/** `own` is the public origin; writes with a session cookie may come from any origin of `all`. */
function resolveOrigins(settings: Settings): { own: string; all: ReadonlySet<string> } {
  const { mode, port } = settings;
  const local = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const own = new URL(resolveShopUrl(settings)).origin;
  return { own, all: new Set(mode === 'demo' ? [own, ...local] : [own]) };
}

export async function openShopServer(options: ServeOptions): Promise<FastifyInstance> {
  const { settings, log, shop, telemetry } = options;
  const origins = resolveOrigins(settings);
  const isHttps = origins.own.startsWith('https:');
  const headers = createSecurityHeaders({ isHttps });
  const budget = computeConnectionBudget(readOpenFileLimit());
  const contract: Contract = { ...shopApi, ...shop.demo?.contract };
  const routes = shop.liveStaff.publishChangesOf(createRoutes(options, isHttps));
  const cache = new PageCache({ versionOf: (key) => routes[key]?.getVersion ?? null, maxBytes: PAGE_CACHE_BYTES });
  const responseCache = new ResponseCache();
  telemetry.addSource(createCacheMetrics({ pages: cache, api: responseCache }));
  const server = await openServer({
    log,
    clock: options.clock,
    trustedProxies: settings.trustedProxies,
    serveCachedPage: createCachedPageHandler({ commonHeaders: headers, findFresh: (url) => cache.takeFresh(url) }),
    // Vite's development server upgrades its own connections.
    isUpgradeAllowed: ({ url }) => options.openDevelopmentPages !== undefined || isLivePath(url),
    maxConnections: budget.http,
    isDraining: options.isDraining,
    telemetry,
  });
  warnAboutIgnoredForwarding(server, log, settings.trustedProxies);
  registerSecurityHeaders(server, headers);
  const shedder = options.shedder ?? (settings.hasRateLimits ? createLoadShedder(server) : noShedding);
  const describeReadiness = async () => shop.watching.describeReadiness(await options.checkReadiness());
  // In demo mode the developer calls are public too.
  registerHealth(server, describeReadiness, { isDraining: options.isDraining, showsParts: shop.demo !== null });
  const inProcess = registerApi(server, {
    contract,
    routes,
    accessRules: ACCESS_RULES,
    identify: (bearer, cookie) =>
      isApiKey(bearer) ? shop.apiKeys.identify(bearer) : shop.accounts.identify(bearer, cookie),
    limits: shop.limits,
    apiKeyLimit: createApiKeyLimit(settings),
    shedder,
    responseCache,
    getPriority: getCallPriority,
    origins: origins.all,
    isHttps,
    isDiskFull: options.isDiskFull,
    allowedWhenDiskFull: ALLOWED_WHEN_DISK_FULL,
    clock: options.clock,
    securityLog: new SecurityLog(log),
  });
  openLiveChannel(server, options, { origins: origins.all, isHttps, maxConnections: budget.live });
  registerShopDocs(server, contract, routes, () => shop.shopSettings.current.identity.name);
  // Unknown paths below /api get an API error, not a page.
  server.all('/api/*', (_request, reply) => reply.callNotFound());
  registerUploads(server, shop.pictures.storage);
  await registerPictures(server, resolve('public'));
  registerWebManifest(server, () => describeApp(shop, origins.own));
  registerProductFeed(server, options, origins.own);
  registerEnergyLabels(server, shop);
  shop.demo?.register(server);
  await registerShopPages(server, options, { origins, isHttps, cache, shedder, inProcess });
  return server;
}

/** Counted across processes, for all calls of a key. */
const createApiKeyLimit = ({ integrations }: Settings): Limit => ({
  points: integrations.apiKeyCallsPerMinute,
  seconds: 60,
  by: 'caller',
  isShared: true,
});

/** What merchants give to Google Merchant Center and other comparison sites. */
function registerProductFeed(server: FastifyInstance, { shop, log }: ServeOptions, origin: string): void {
  const { catalogue, content, shopSettings, stockWatch } = shop;
  // The count of stock changes is that of this process.
  const process = randomUUID();
  registerXmlFeed(server, {
    path: FEED_PATH,
    getVersion: () => {
      const revisions = `${catalogue.revision}-${shopSettings.revision}-${content.revision}`;
      return `${revisions}-${catalogue.pricesSince}-${process}-${stockWatch.version}`;
    },
    generate: () => {
      const { name } = shopSettings.current.identity;
      return generateProductFeed(catalogue, { name, description: content.description, origin });
    },
    checkLimit: (ip) => consumeFeedLimit(shop.limits, ip),
    onError: (error) => log.warn({ err: error }, 'the product feed was not sent completely'),
  });
}

/** Energy labels, and the arrows that open them. */
function registerEnergyLabels(server: FastifyInstance, { catalogue, limits, demo }: Shop): void {
  const isDemo = demo !== null;
  registerDrawings(server, {
    path: ARROW_PATH,
    limits,
    draw: (name) => {
      const energyClass = ENERGY_CLASSES.find((one) => one === name);
      return energyClass === undefined ? null : drawArrow(energyClass, isDemo);
    },
  });
  registerDrawings(server, {
    path: LABEL_PATH,
    limits,
    draw: (slug) => {
      const product = catalogue.snapshot.productsBySlug.get(slug);
      if (!product?.energy_label) return null;
      const { energy_label: label, brand, name } = product;
      return drawLabel({
        label,
        supplier: label.supplier || brand.name,
        model: label.model || name,
        qr: label.eprel_number === '' ? null : createQrPath(formatEprelUrl(label.eprel_number)),
        isDemo,
      });
    },
  });
}

interface PageOptions {
  readonly origins: { readonly own: string; readonly all: ReadonlySet<string> };
  readonly isHttps: boolean;
  readonly cache: PageCache;
  readonly shedder: LoadShedder;
  readonly inProcess: InProcessCall;
}

/** The pages, with the sitemap and robots.txt that list them. */
async function registerShopPages(
  server: FastifyInstance,
  { shop, log, settings, openDevelopmentPages, telemetry }: ServeOptions,
  { origins, isHttps, cache, shedder, inProcess }: PageOptions,
): Promise<void> {
  const source = openDevelopmentPages
    ? await openDevelopmentPages(server)
    : await openBuiltPages({ isStock: settings.pages === 'stock', assetsRoot: settings.assetsDir });
  const ownPaths = (await listStaticPaths(source)).filter((path) => !isPrivatePath(path) && !UNLISTED.includes(path));
  const isPublished = (path: string): boolean => {
    const kind = LEGAL_KINDS.find((one) => path === `/${one}`);
    return kind === undefined || shop.content.findLegalNumber(kind) !== null;
  };
  registerCrawlerFiles(server, {
    origin: origins.own,
    allowed: ['/api/images/'],
    disallowed: [...PRIVATE_PATHS, '/api/', ...UNLISTED, '/*.data$'],
    checkLimit: (ip) => consumeRenderLimit(shop.limits, ip, false),
    listPages: () => listSitemapUrls(shop.catalogue, ownPaths.filter(isPublished), source.builtAt),
  });
  await registerPages(server, {
    source,
    origin: origins.own,
    formOrigins: [...origins.all],
    isFramed: isFramedPage,
    isPrivate: isPrivatePath,
    listParameters: getPageParameters,
    cache,
    limits: shop.limits,
    shedder,
    getPriority: getPagePriority,
    loadContext: (request, visit) => createPageContext(request, visit, { shop, inProcess, isHttps }),
    repeatCall: createRepeatCall(inProcess),
    telemetry,
    onError: (error, request) => log.error({ request_id: request.id, err: error }, 'a page could not be rendered'),
  });
}

/** Every public page: static pages, categories and products. */
function listSitemapUrls({ snapshot }: Catalogue, ownPaths: readonly string[], builtAt: Date): SitemapUrl[] {
  const newest = new Map(snapshot.categories.map(({ slug }) => [slug, builtAt]));
  for (const { category, createdAt } of snapshot.products) {
    if (createdAt > (newest.get(category.slug) ?? builtAt)) newest.set(category.slug, createdAt);
  }
  return [
    ...ownPaths.map((path) => ({ path, changedAt: builtAt })),
    ...snapshot.categories.map(({ slug }) => ({
      path: `/catalog/category/${slug}`,
      changedAt: newest.get(slug) ?? builtAt,
    })),
    ...snapshot.products.map(({ slug, createdAt }) => ({ path: `/catalog/product/${slug}`, changedAt: createdAt })),
  ];
}

interface PageContextOptions {
  readonly shop: Shop;
  readonly inProcess: InProcessCall;
  readonly isHttps: boolean;
}

/** Private pages get the user of the session cookie; public pages are the same for every visitor. */
async function createPageContext(
  request: FastifyRequest,
  { isPrivate, dependencies, reply }: PageVisit,
  { shop, inProcess, isHttps }: PageContextOptions,
) {
  const cookies = isPrivate ? request.cookies : {};
  const sessionCookie = cookies[getSessionCookieName(isHttps)] ?? null;
  const identity = await shop.accounts.identifyByCookie(sessionCookie);
  const caller: Caller = {
    identity,
    guestToken: cookies[GUEST_COOKIE] ?? null,
    deviceCookie: cookies[getDeviceCookieName(isHttps)] ?? null,
    pendingLogin: cookies[getPendingLoginCookieName(isHttps)] ?? null,
    ip: toClientKey(request.ip),
    isBrowser: true,
    userAgent: isPrivate ? (request.headers['user-agent'] ?? null) : null,
    bearer: null,
    idempotencyKey: null,
    requestId: request.id,
  };
  const user = identity && {
    id: identity.userId,
    username: identity.username,
    role: identity.role,
    lacksSecondFactor: identity.lacksSecondFactor ?? false,
    lacksLongPassword: identity.lacksLongPassword ?? false,
  };
  const page = { dependencies, reply: reply && createReply(reply, isHttps) };
  return {
    call: createPageCall(inProcess, caller, page),
    visitor: { user },
    findSessionEnd: () => shop.accounts.findSessionEnd(sessionCookie),
    isDemo: shop.demo !== null,
    hasDevchain: shop.devchain !== null,
  };
}
