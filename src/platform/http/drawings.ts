/** Serves SVG drawings that the shop makes. */
import type { FastifyInstance } from 'fastify';
import { sendErrorPage } from '#src/platform/pages/error-page.ts';
import { Refusal } from './call.ts';
import { toClientKey } from './client-key.ts';
import type { Limit, RateLimits } from './rate-limits.ts';

/** A page shows one drawing per class, and a visitor opens few; each takes a few milliseconds. */
const LIMIT: Limit = { points: 600, seconds: 60, by: 'ip' };
/** A drawing loads nothing and runs nothing, also when it is opened by itself. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export interface Drawings {
  /** With one parameter, `name`, which ends in `.svg`. */
  readonly path: string;
  /** Null: there is no such drawing. */
  readonly draw: (name: string) => string | null;
  readonly limits: RateLimits;
}

/** Browsers keep a drawing for a minute, so that a corrected label is shown soon. */
export function registerDrawings(server: FastifyInstance, { path, draw, limits }: Drawings): void {
  server.get<{ Params: { name: string } }>(path, async (request, reply) => {
    const consumed = await limits.consume('drawings', LIMIT, toClientKey(request.ip));
    if (!consumed.ok) {
      return sendErrorPage(reply, new Refusal(429, 'too-often', 'You opened this drawing too often.', consumed));
    }
    const name = /^([\w-]{1,120})\.svg$/.exec(request.params.name)?.[1];
    const drawing = name === undefined ? null : draw(name);
    if (drawing === null) return reply.status(404).type('text/plain; charset=utf-8').send('Not found');
    return reply
      .headers({ 'cache-control': 'public, max-age=60', 'content-security-policy': POLICY })
      .type('image/svg+xml; charset=utf-8')
      .send(drawing);
  });
}
