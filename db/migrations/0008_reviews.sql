create table reviews (
  id uuid primary key,
  -- Null: of the shop itself.
  product_id uuid references products on delete cascade,
  name text not null check (length(btrim(name)) between 1 and 80),
  text text not null check (length(btrim(text)) between 1 and 4000),
  rating smallint not null check (rating between 1 and 5),
  -- Shown once staff approved it.
  is_approved boolean not null default false,
  created_at timestamptz not null
);
create index reviews_shown on reviews (product_id, created_at desc) where is_approved;
