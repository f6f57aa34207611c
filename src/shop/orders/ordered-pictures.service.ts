import type { Db } from '#src/platform/database/database.ts';
import { listOrderedPictures } from './ordered-pictures.store.ts';

interface OrdersUse {
  readonly kind: 'orders';
  readonly name: string;
  readonly url: null;
}

/** Those of these pictures that orders show, by path. */
export async function findUsesInOrders(db: Db, paths: readonly string[]): Promise<ReadonlyMap<string, OrdersUse[]>> {
  const ordered = await listOrderedPictures(db, paths);
  return new Map(ordered.map((path) => [path, [{ kind: 'orders', name: 'Past orders', url: null }]]));
}
