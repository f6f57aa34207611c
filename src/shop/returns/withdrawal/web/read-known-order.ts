import type { KnownOrder } from './withdrawal-form.ts';

/** The order that the URL of the page names: by the link of a mail, or by its id for the buyer who is logged in. */
export function readKnownOrder(
  { link }: { readonly link?: string | undefined },
  { url }: { readonly url: string },
): KnownOrder {
  if (link !== undefined) return { link: link.slice(0, 100) };
  const orderId = new URL(url).searchParams.get('order');
  return orderId === null ? null : { order_id: orderId };
}
