/** Security headers of every response. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const YEAR_S = 31_536_000;
const NO_FRAMES = `frame-ancestors 'none'`;

export interface PolicySources {
  /** `'sha256-…'` of the inline scripts and styles of the page. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/**
 * The content security policy of a page: own origin only, no inline code except its own, and no way for a
 * script to turn text into code (Trusted Types without a single policy).
 */
export function buildPagePolicy({ scripts, styles }: PolicySources): string {
  return [
    `default-src 'none'`,
    `script-src 'self' ${scripts.join(' ')}`.trimEnd(),
    `style-src 'self' ${styles.join(' ')}`.trimEnd(),
    `connect-src 'self'`,
    `font-src 'self'`,
    // What may be framed says so itself: `allowOwnFrames`.
    `frame-src 'self'`,
    `img-src 'self' data:`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    NO_FRAMES,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
}

/** The policy of a page that pages of the same shop may show in a frame. */
export const allowOwnFrames = (policy: string): string => policy.replace(NO_FRAMES, `frame-ancestors 'self'`);

/** The policy of a page whose inline scripts and styles carry a nonce. */
export function buildNoncePolicy(nonce: string): string {
  const sources = [`'nonce-${nonce}'`];
  return buildPagePolicy({ scripts: sources, styles: sources });
}

/** Policy of every response that is not a page. */
const OTHER_POLICY = `default-src 'none'; base-uri 'none'; form-action 'none'; ${NO_FRAMES}`;
/** Policy of a file to save: a browser that shows it nevertheless runs nothing of it, and treats it as another origin. */
export const DOWNLOAD_POLICY = `${OTHER_POLICY}; sandbox`;

const INLINE_ELEMENT = /<(script|style)(\s[^>]*)?>([\s\S]*?)<\/\1>/g;

const MAX_CACHED_SOURCES = 64;
const sourceCache = new Map<string, string>();

/** `'sha256-…'` of inline code. Cached, since most pages share the styles and the head script. */
function hashSource(content: string): string {
  const known = sourceCache.get(content);
  if (known !== undefined) return known;
  const source = `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
  if (sourceCache.size >= MAX_CACHED_SOURCES) sourceCache.clear();
  sourceCache.set(content, source);
  return source;
}

/** Hashes the inline scripts and styles of a finished page. Call it last: browsers refuse later changes. */
export function hashInlineSources(html: string): PolicySources {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  for (const [, tag, attributes = '', content = ''] of html.matchAll(INLINE_ELEMENT)) {
    // JSON-LD is never executed, and a script with `src` is not inline.
    if (/\ssrc=|type="application\/ld\+json"/.test(attributes)) continue;
    const source = hashSource(content);
    (tag === 'script' ? scripts : styles).add(source);
  }
  return { scripts: [...scripts], styles: [...styles] };
}

/** Headers of every response, also to malformed requests. */
export const COMMON_HEADERS = {
  'content-security-policy': OTHER_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
} as const;

/** Headers of every response. A page replaces the content security policy. */
export const createSecurityHeaders = ({ isHttps }: { isHttps: boolean }): Readonly<Record<string, string>> => ({
  ...COMMON_HEADERS,
  ...(isHttps ? { 'strict-transport-security': `max-age=${YEAR_S}; includeSubDomains` } : {}),
});

export function registerSecurityHeaders(fastify: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}
