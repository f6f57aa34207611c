import type { Catalogue } from '../service.ts';
import { FEED_END, renderFeedItems, renderFeedStart } from './feed-item.ts';
import type { FeedShop } from './feed-item.ts';

/** Products whose variants are read and rendered at once: a few milliseconds of CPU time. */
const BATCH = 20;

/** The product feed in parts, so that a large catalogue is never in memory as a whole. */
export async function* generateProductFeed(
  catalogue: Pick<Catalogue, 'snapshot' | 'listFeedVariants'>,
  shop: FeedShop,
): AsyncGenerator<string> {
  yield renderFeedStart(shop);
  const { products } = catalogue.snapshot;
  for (let at = 0; at < products.length; at += BATCH) {
    const batch = products.slice(at, at + BATCH);
    const variants = await catalogue.listFeedVariants(batch.map(({ id }) => id));
    yield batch.map((product) => renderFeedItems(product, variants.get(product.id) ?? [], shop.origin)).join('');
    // Other requests come first.
    await new Promise((resolve) => setImmediate(resolve));
  }
  yield FEED_END;
}
