-- What a product's page shows in large type: a list of picture, figure, title and sentence; empty: nothing.
alter table products
  add column chapters json not null default '[]'
  check (json_typeof(chapters) = 'array' and octet_length(chapters::text) < 16384);
