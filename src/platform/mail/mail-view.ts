import type { FastifyInstance } from 'fastify';
import type { Mails } from './mails.ts';

/** Like a mail program: inline styles only, no scripts, forms or remote content; links open in a new tab. */
const POLICY = [
  `default-src 'none'`,
  `style-src 'unsafe-inline'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
  `sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation`,
].join('; ');

/** Serves the HTML of demo mails below a path, such as `/dev/mail/17`. */
export function registerMailView(fastify: FastifyInstance, mails: Pick<Mails, 'find'>, path: string): void {
  fastify.get<{ Params: { id: string } }>(`${path}/:id(^\\d{1,18}$)`, async (request, reply) => {
    const mail = await mails.find(BigInt(request.params.id));
    if (!mail) return reply.callNotFound();
    return reply
      .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(mail.html);
  });
}
