-- Whether staff get a mail for each paid order, one an hour about all of them, or none. One row.
create table paid_order_mail_settings (
  is_only boolean primary key default true check (is_only),
  mode text not null default 'each' check (mode in ('each', 'hourly', 'never')),
  version integer not null default 0
);
insert into paid_order_mail_settings default values;

-- Paid orders for the hourly mail. Without a digest: not mailed yet.
create table paid_order_reports (
  order_id uuid primary key references orders on delete cascade,
  digest_id uuid,
  reported_at timestamptz not null
);
create index paid_order_reports_open on paid_order_reports (order_id) where digest_id is null;
create index paid_order_reports_by_digest on paid_order_reports (digest_id);
