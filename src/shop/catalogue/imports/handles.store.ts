/** Which products the handles of files became. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { KnownHandles } from './assign-slugs.ts';
import type { StagedRange } from './apply.store.ts';

const BATCH = 1_000;

async function* listBatches(texts: readonly string[]): AsyncGenerator<readonly string[]> {
  for (let at = 0; at < texts.length; at += BATCH) yield texts.slice(at, at + BATCH);
}

export const createKnownHandles = (db: Db): KnownHandles => ({
  findSlugs: async (handles) => {
    const slugs = new Map<string, string>();
    for await (const batch of listBatches(handles)) {
      const { rows } = await sql<{ handle: string; slug: string }>`
        select known.handle, products.slug from imported_handles known
        join products on products.id = known.product_id
        where known.handle = any(${batch}::text[])
      `.execute(db);
      for (const { handle, slug } of rows) slugs.set(handle, slug);
    }
    return slugs;
  },
  findProducts: async (slugs) => {
    const found = new Map<string, { readonly hasHandle: boolean }>();
    for await (const batch of listBatches(slugs)) {
      const { rows } = await sql<{ slug: string; hasHandle: boolean }>`
        select slug, exists (select from imported_handles where product_id = products.id) as "hasHandle"
        from products where slug = any(${batch}::text[])
      `.execute(db);
      for (const { slug, hasHandle } of rows) found.set(slug, { hasHandle });
    }
    return found;
  },
});

/** Records the handles of written products. A handle that was another product's before is now this one's. */
export async function recordHandles(tx: Db, { importId, from, to }: StagedRange): Promise<void> {
  await sql`
    insert into imported_handles (handle, product_id)
    select handle, product_id from catalogue_import_products
    where import_id = ${importId} and position between ${from} and ${to} and handle is not null
    on conflict (handle) do update set product_id = excluded.product_id
      where imported_handles.product_id <> excluded.product_id
  `.execute(tx);
}
