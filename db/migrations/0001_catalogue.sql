create table brands (
  id uuid primary key,
  name text not null unique,
  slug text not null unique,
  position integer not null default 0
);

create table categories (
  id uuid primary key,
  name text not null unique,
  slug text not null unique,
  position integer not null default 0
);

create table properties (
  id uuid primary key,
  category_id uuid not null references categories,
  name text not null,
  position integer not null default 0,
  unique (category_id, name)
);

create table property_values (
  id uuid primary key,
  property_id uuid not null references properties,
  value text not null,
  increase_cents bigint not null default 0 check (increase_cents >= 0),
  position integer not null default 0,
  unique (property_id, value)
);

create table products (
  id uuid primary key,
  name text not null,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  article text not null unique,
  category_id uuid not null references categories,
  brand_id uuid not null references brands,
  base_price_cents bigint not null check (base_price_cents > 0),
  description text not null,
  sub_description text not null,
  -- json, not jsonb: the order of the specifications is the order they are read in.
  specifications json not null,
  images text[] not null,
  main_image text not null,
  position integer not null default 0,
  is_published boolean not null default true,
  created_at timestamptz not null default now()
);

create table product_values (
  product_id uuid not null references products on delete cascade,
  value_id uuid not null references property_values,
  primary key (product_id, value_id)
);

-- Its own narrow table: orders lock these rows, readers of products never wait for them.
create table product_sales (
  product_id uuid primary key references products on delete cascade,
  sold_units integer not null default 0 check (sold_units >= 0)
);
