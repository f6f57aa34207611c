-- How many days after its expiry a late payment of an order is accepted automatically; then staff decide.
alter table shop_settings
  add column late_payments_version integer not null default 0,
  add column late_acceptance_days integer not null default 7 check (late_acceptance_days between 0 and 365);
