-- contract: refund_lines.refund_lines_check kept since 0086
-- The release before writes no restocked quantity.
-- What the shop keeps of the price of refunded units, such as of a unit that came back damaged. Net and tax of a refunded line
-- are what is returned for it; together with these they are what the units cost.
alter table refund_lines
  add column deducted_net_cents bigint not null default 0 check (deducted_net_cents >= 0),
  add column deducted_tax_cents bigint not null default 0 check (deducted_tax_cents >= 0),
  -- How many of the units go on sale again once the refund is confirmed. Null: all or none, as the refund says.
  add column restocked_quantity integer check (restocked_quantity between 0 and quantity);
