-- Products whose units sold changed, for processes that show them: read by transaction id, deleted after a day.
create table sale_changes (
  product_id uuid not null,
  changed_by xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default now()
);
create index sale_changes_by_transaction on sale_changes (changed_by);
create index sale_changes_by_age on sale_changes (changed_at);
