import type { FastifyInstance } from 'fastify';

/**
 * Styles and pictures of the shop are allowed; scripts, forms and other remote content are not. Links open a new tab.
 * @param shopUrl where mails have their pictures, whatever the address of the page
 */
const createPolicy = (shopUrl: string): string =>
  [
    `default-src 'none'`,
    `style-src 'unsafe-inline'`,
    `img-src 'self' ${new URL(shopUrl).origin}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation`,
  ].join('; ');

interface MailSource {
  find(id: bigint): Promise<{ readonly html: string } | null>;
}

interface MailViewOptions {
  readonly mails: MailSource;
  readonly path: string;
  readonly shopUrl: string;
}

/** Serves the HTML of a mail below a path: `/dev/mail/17`. */
export function registerMailView(fastify: FastifyInstance, { mails, path, shopUrl }: MailViewOptions): void {
  const policy = createPolicy(shopUrl);
  fastify.get<{ Params: { id: string } }>(`${path}/:id(^\\d{1,18}$)`, async (request, reply) => {
    const mail = await mails.find(BigInt(request.params.id));
    if (!mail) return reply.callNotFound();
    return reply
      .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(mail.html);
  });
}
