-- Staff edit the catalogue. Each save increments the version, so that a form of an earlier one is refused.
alter table products
  add column version integer not null default 1,
  -- Null: never published, so it can still be deleted.
  add column first_published_at timestamptz default now(),
  add column edited_at timestamptz not null default now(),
  -- Text for those who can't see a picture, by its path.
  add column picture_alts json not null default '{}';
update products set first_published_at = created_at, edited_at = created_at;
alter table categories add column version integer not null default 1;
alter table brands add column version integer not null default 1;

-- Saved changes of a published product that buyers do not see yet: the content as the API sends it.
create table product_drafts (
  product_id uuid primary key references products on delete cascade,
  content json not null,
  saved_at timestamptz not null
);

-- Who changed which fields in which version: the last hundred versions of each product.
create table product_edits (
  product_id uuid not null references products on delete cascade,
  version integer not null,
  edited_at timestamptz not null,
  edited_by uuid references users on delete set null,
  fields text[] not null,
  primary key (product_id, version)
);
create index product_edits_by_user on product_edits (edited_by);

-- Slugs that products and categories no longer have. Their pages redirect for good, unless another one has the slug.
create table former_product_slugs (
  slug text primary key,
  product_id uuid not null references products on delete cascade
);
create index former_product_slugs_of_product on former_product_slugs (product_id);
create table former_category_slugs (
  slug text primary key,
  category_id uuid not null references categories on delete cascade
);

-- For lists of staff: each order, search by words, and the few products that are not on sale.
create index products_by_lower_name on products (lower(name), id);
create index products_by_price on products (base_price_cents, id);
create index products_by_age on products (created_at, id);
create index products_by_position on products (position, id);
create index products_of_category on products (category_id);
create index products_of_brand on products (brand_id);
create index unpublished_products on products (id) where not is_published;
create index products_by_words on products using gin (
  to_tsvector('simple', regexp_replace(lower(name || ' ' || article || ' ' || slug), '[^[:alnum:]]+', ' ', 'g'))
);
create index former_variants on product_variants (product_id) where not is_published;
create index product_values_by_value on product_values (value_id);
create index product_sales_by_units on product_sales (sold_units, product_id);
