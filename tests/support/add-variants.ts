import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** Creates a published variant for each combination of values of all products; SKUs such as A1-1. */
export async function addVariants(db: Db): Promise<void> {
  await sql`
    with recursive offered as (
      select product_id, value_id,
        dense_rank() over (partition by product_id order by properties.position, properties.id) as property
      from product_values
      join property_values on property_values.id = value_id
      join properties on properties.id = property_id
    ),
    combinations as (
      select id as product_id, 0::bigint as properties, '{}'::uuid[] as value_ids from products
      union all
      select combinations.product_id, properties + 1, value_ids || value_id
      from combinations
      join offered on offered.product_id = combinations.product_id and property = properties + 1
    )
    insert into product_variants (id, product_id, property_value_ids, sku)
    select gen_random_uuid(), product_id, array(select id from unnest(value_ids) id order by id),
      article || '-' || row_number() over (partition by product_id order by value_ids)
    from combinations join products on products.id = product_id
    where properties = (
      select coalesce(max(property), 0) from offered where offered.product_id = combinations.product_id
    )
    on conflict (product_id, property_value_ids) do nothing
  `.execute(db);
}

/** Tracks the stock of every variant of a product. */
export async function setProductStock(db: Db, productId: string, available: number): Promise<void> {
  await sql`
    insert into variant_stock (variant_id, available)
    select id, ${available} from product_variants where product_id = ${productId}
    on conflict (variant_id) do update set available = excluded.available
  `.execute(db);
}

/** Stops tracking the stock of a product. */
export async function removeProductStock(db: Db, productId: string): Promise<void> {
  await sql`
    delete from variant_stock using product_variants
    where product_variants.id = variant_id and product_id = ${productId}
  `.execute(db);
}
