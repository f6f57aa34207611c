-- Where the rates of the national currency come from: entered by staff, or published by the European Central Bank.
alter table national_currency_settings add column rates_from text not null default 'table'
  check (rates_from in ('table', 'ecb'));

-- Reference rates of the European Central Bank, as published. Apart from what staff enter.
create table ecb_rates (
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  day date not null,
  -- Hundred-millionths of the currency for one euro.
  rate_e8 bigint not null check (rate_e8 > 0),
  stored_at timestamptz not null,
  primary key (currency, day)
);
create trigger ecb_rates_never_change before update or delete on ecb_rates
  for each row execute function refuse_change();

-- The last fetch of the file, and the next one. One row.
create table ecb_fetches (
  is_only boolean primary key default true check (is_only),
  -- Of the last usable file. Null: none yet.
  checked_at timestamptz,
  -- Failures since then, and the reason of the last one.
  failures integer not null default 0 check (failures >= 0),
  failure text check (length(failure) between 1 and 40),
  -- Null: now.
  next_at timestamptz,
  check ((failures > 0) = (failure is not null))
);
insert into ecb_fetches default values;
