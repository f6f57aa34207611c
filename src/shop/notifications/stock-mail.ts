/** Text of the mail about a variant that is back in stock. */
import type { MailContents } from './render-mail.ts';
import { createGreeting } from './user-text.ts';

export interface BackInStockMailData {
  /** Null until the address is confirmed. */
  readonly username: string | null;
  /** Name of the product with the values. */
  readonly name: string;
  readonly slug: string;
}

export function writeBackInStockMail({ username, name, slug }: BackInStockMailData, shopUrl: string): MailContents {
  return {
    subject: `${name} is back in stock`,
    title: `${name} is back in stock`,
    preview: 'You can order it again. Stock is limited.',
    blocks: [
      { kind: 'text', text: `${createGreeting(username)} you can order ${name} again.` },
      {
        kind: 'text',
        text: 'Stock is limited, and everybody who asked gets this mail at the same time. Nothing is reserved for you.',
      },
      { kind: 'link', label: 'View product', url: `${shopUrl}/catalog/product/${slug}` },
    ],
    reason: 'You get this mail once, because you asked for it on the page of the product.',
  };
}
