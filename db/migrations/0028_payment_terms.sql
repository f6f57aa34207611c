-- By how much an amount may be short of what is due and is accepted as the whole: of the quote, so that another setting
-- changes no order that was quoted before it.
alter table orders
  add column tolerance_sats bigint not null default 0
    check (tolerance_sats = 0 or (tolerance_sats > 0 and tolerance_sats < due_sats));

alter table payment_outputs
  -- The time of arrival is not known where this is set: it is after this, and at first_seen at the latest.
  add column arrived_after timestamptz,
  add constraint payment_outputs_arrival check (arrived_after < first_seen),
  -- Time of the block that held it first, whatever became of that block.
  add column confirmed_at timestamptz,
  -- Sats per 1,000 virtual bytes that the transaction pays, as the chain source last said; null while it is not known.
  add column fee_per_kvb bigint check (fee_per_kvb >= 0);

-- One row: what the chain source last estimated. Pages read it here, they never ask the source.
create table fee_estimates (
  only_row boolean primary key default true check (only_row),
  -- Sats per 1,000 virtual bytes for a confirmation within a day.
  day_per_kvb bigint not null check (day_per_kvb > 0),
  asked_at timestamptz not null
);

-- The estimate while it is recent: an older one says nothing of the fees of now.
create view recent_day_fee as
select day_per_kvb from fee_estimates where asked_at > now() - interval '3 hours';

-- One row: the last rate on which enough exchanges agreed, for a process that has just started.
create table last_rate (
  only_row boolean primary key default true check (only_row),
  median_cents bigint not null check (median_cents > 0),
  evidence jsonb not null,
  -- By the shop's clock, which is written down with quotes.
  at timestamptz not null,
  -- By the machine's clock, which ages are counted by.
  heard_at timestamptz not null
);

-- When a transaction entered the mempool of the demo's chain.
alter table devchain_mempool add column entered_at timestamptz not null default now();
