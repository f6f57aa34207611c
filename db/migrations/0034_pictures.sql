-- Pictures that staff have uploaded. The files are in the storage, named by the hash; a row is inserted after them.
create table pictures (
  id uuid primary key,
  -- Of the uploaded bytes: the same file twice is one picture.
  hash text not null unique check (hash ~ '^[0-9a-f]{40}$'),
  -- As in products.images.
  path text not null unique,
  -- Size of the main file in pixels.
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- All files together.
  bytes bigint not null check (bytes > 0),
  alt text not null default '' check (length(alt) <= 300),
  -- Grows with each change, so that nobody overwrites a change that they have not seen.
  version integer not null default 1,
  created_at timestamptz not null,
  created_by uuid not null references users
);
create index pictures_by_time on pictures (created_at desc, id desc);

-- Where a picture is used.
create index products_by_image on products using gin (images);
create index products_by_main_image on products (main_image);
create index product_values_by_image on product_values using gin (images) where images <> '{}';
