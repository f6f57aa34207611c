-- A range of uuids lets a constraint exclude overlaps per product without an extension, which a database may forbid.
create type uuid_range as range (subtype = uuid);

-- Reduced prices of products. One that has begun keeps its price and start, so that past prices stay known.
create table sale_prices (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  -- Inclusive.
  starts_at timestamptz not null,
  -- Exclusive; null: until staff end it.
  ends_at timestamptz,
  -- Hundredths of a percent off the base price, the increases and the prices of variants.
  discount_basis_points integer check (discount_basis_points between 1 and 9999),
  -- Or the reduced base price.
  base_price_cents bigint check (base_price_cents > 0),
  version integer not null default 1 check (version > 0),
  edited_at timestamptz not null,
  edited_by uuid references users on delete set null,
  check (starts_at < ends_at),
  check ((discount_basis_points is null) <> (base_price_cents is null)),
  constraint sale_prices_never_overlap exclude using gist (
    uuid_range(product_id, product_id, '[]') with &&,
    tstzrange(starts_at, ends_at) with &&
  )
);
create index sale_prices_of_product on sale_prices (product_id, starts_at);
create index sale_prices_by_user on sale_prices (edited_by);

-- Reduced prices of variants that have a price of their own.
create table sale_variant_prices (
  sale_price_id uuid not null references sale_prices on delete cascade,
  variant_id uuid not null references product_variants on delete cascade,
  price_cents bigint not null check (price_cents > 0),
  primary key (sale_price_id, variant_id)
);
create index sale_variant_prices_of_variant on sale_variant_prices (variant_id);

-- The normal prices of a product from a moment on: base price, increases by value, own prices of variants by their
-- sorted values, and variants that were not sold; amounts are text. Null: the product was not on sale.
create table price_records (
  product_id uuid not null references products on delete cascade,
  recorded_at timestamptz not null,
  prices jsonb,
  primary key (product_id, recorded_at)
);
-- Earlier prices are not known.
insert into price_records (product_id, recorded_at, prices)
select id, now(), jsonb_build_object(
  'base', base_price_cents::text,
  'increases', (
    select coalesce(jsonb_object_agg(value_id, increase_cents::text), '{}')
    from product_values where product_id = products.id
  ),
  'own', (
    select coalesce(jsonb_object_agg(array_to_string(property_value_ids, ','), own_price_cents::text), '{}')
    from product_variants where product_id = products.id and own_price_cents is not null
  ),
  'unsold', (
    select coalesce(jsonb_agg(array_to_string(property_value_ids, ',') order by property_value_ids), '[]')
    from product_variants where product_id = products.id and not is_published
  )
)
from products where is_published;
