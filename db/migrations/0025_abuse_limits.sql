-- Keys that the shop makes for itself, such as the one that signs device cookies.
create table shop_secrets (
  name text primary key,
  value bytea not null check (length(value) >= 32),
  created_at timestamptz not null default now()
);
