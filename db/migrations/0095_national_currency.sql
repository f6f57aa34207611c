-- The currency in which invoices repeat the amount of tax. One row.
create table national_currency_settings (
  is_only boolean primary key default true check (is_only),
  -- Empty: none.
  currency text not null default '' check (currency = '' or currency ~ '^[A-Z]{3}$'),
  -- A rate counts on its day and on so many days after it, unless there is a newer one.
  valid_days integer not null default 4 check (valid_days between 0 and 31),
  version integer not null default 0 check (version >= 0)
);
insert into national_currency_settings default values;

create table national_rates (
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  day date not null,
  -- Hundred-millionths of the currency for one US dollar.
  rate_e8 bigint not null check (rate_e8 > 0),
  source text not null check (length(source) between 1 and 80),
  edited_at timestamptz not null,
  primary key (currency, day)
);

-- The day whose rate a document needs. Null: it needs none that is missing.
alter table invoice_requests add column waits_for_rate date;
create index invoice_requests_waiting on invoice_requests (order_id) where waits_for_rate is not null;
