-- Imports of the catalogue from CSV files. A file is checked (dry run), then applied as a whole.
create table catalogue_imports (
  id uuid primary key,
  filename text not null check (length(filename) between 1 and 200),
  -- Null once the import has ended.
  content bytea,
  bytes integer not null,
  created_by uuid references users on delete set null,
  -- Who started to apply it.
  applied_by uuid references users on delete set null,
  created_at timestamptz not null,
  state text not null check (
    state in ('checking', 'checked', 'refused', 'applying', 'applied', 'outdated', 'cancelled', 'failed')
  ),
  ended_at timestamptz,
  -- Progress of the present step.
  phase text not null default 'reading',
  done integer not null default 0,
  total integer not null default 0,
  attempts integer not null default 0,
  lines integer not null default 0,
  created_products integer not null default 0,
  changed_products integer not null default 0,
  unchanged_products integer not null default 0,
  errors integer not null default 0,
  notices integer not null default 0,
  -- Pictures of other sites, and those that could not be loaded.
  pictures integer not null default 0,
  missing_pictures integer not null default 0,
  -- Whether it is applied without the pictures that can't be loaded.
  is_without_missing boolean not null default false,
  -- Revision of brands, categories, properties and values when the file was checked.
  structure_revision bigint not null default 0,
  -- What is created: lists of brands, categories, properties and values.
  structure json,
  message text
);
-- The bytes are read in pieces, which compression would prevent.
alter table catalogue_imports alter column content set storage external;
create index catalogue_imports_by_time on catalogue_imports (created_at);
-- One import at a time.
create unique index catalogue_imports_running on catalogue_imports ((true)) where state in ('checking', 'applying');

create table catalogue_import_problems (
  import_id uuid not null references catalogue_imports on delete cascade,
  position integer not null,
  severity text not null check (severity in ('error', 'notice')),
  line integer not null,
  column_name text,
  message text not null,
  primary key (import_id, position)
);

-- Products that an import creates or changes.
create table catalogue_import_products (
  import_id uuid not null references catalogue_imports on delete cascade,
  position integer not null,
  line integer not null,
  product_id uuid not null,
  slug text not null,
  name text not null,
  is_new boolean not null,
  -- Of the product when the file was checked; 0 for a new one.
  revision bigint not null,
  version integer not null,
  -- The product afterwards. json, not jsonb: specifications keep their order.
  target json not null,
  changes json not null,
  primary key (import_id, position)
);

-- Pictures of other sites in an import, with the first line and column that name them.
create table catalogue_import_pictures (
  import_id uuid not null references catalogue_imports on delete cascade,
  position integer not null,
  url text not null,
  line integer not null,
  column_name text not null,
  -- Why it could not be loaded. Null: not tried yet, or loaded.
  problem text,
  primary key (import_id, position)
);

-- Which uploaded picture the picture at an address became, so that each is loaded once.
create table imported_pictures (
  url text primary key check (length(url) <= 2000),
  path text not null,
  loaded_at timestamptz not null
);
