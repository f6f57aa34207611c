-- The rate that pages show, before any spread; it follows the present rate in steps. Stored, so that all processes show
-- the same prices. Null in a row of an earlier release.
alter table last_rate
  add column shown_cents bigint check (shown_cents > 0),
  add column shown_at timestamptz;
