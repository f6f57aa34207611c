-- Refunds of units of lines. The order stays paid until all units and the shipping are refunded.
alter table refunds drop constraint refunds_covers_check;
alter table refunds
  add constraint refunds_covers_check check (covers in ('surplus', 'whole', 'lines')),
  -- Why staff refund the lines.
  add column lines_reason text check (length(lines_reason) between 1 and 500),
  -- What units and shipping cost the buyer, with tax.
  add column lines_cents bigint check (lines_cents >= 0),
  -- The refunded shipping; null: not refunded.
  add column shipping_net_cents bigint check (shipping_net_cents >= 0),
  add column shipping_tax_cents bigint check (shipping_tax_cents >= 0),
  -- The units go on sale again once the refund is confirmed.
  add column restocks boolean not null default false,
  -- The units count as refunded: no other refund can take them.
  add column holds_units boolean not null default false,
  -- When the stock of the units was decided, after the refund was confirmed.
  add column units_settled_at timestamptz,
  add constraint refunds_of_lines check (
    (covers = 'lines') = (lines_reason is not null) and (covers = 'lines') = (lines_cents is not null)
    and num_nulls(shipping_net_cents, shipping_tax_cents) in (0, 2)
    and (covers = 'lines' or shipping_net_cents is null and not restocks and not holds_units and units_settled_at is null)
  );

create table refund_lines (
  refund_id uuid not null references refunds on delete cascade,
  order_id uuid not null,
  position integer not null,
  -- Whether the units had been shipped.
  is_shipped boolean not null,
  quantity integer not null check (quantity > 0),
  net_cents bigint not null check (net_cents >= 0),
  tax_cents bigint not null check (tax_cents >= 0),
  primary key (refund_id, position, is_shipped),
  foreign key (order_id, position) references order_lines on delete cascade
);
create index refund_lines_of_order on refund_lines (order_id, position);
create index refunds_of_lines_unsettled on refunds (order_id) where holds_units and units_settled_at is null;

-- Each unit is shipped or refunded before shipping, and refunded once.
alter table order_lines
  add column refunded_unshipped_quantity integer not null default 0,
  add column refunded_shipped_quantity integer not null default 0,
  -- Those units that were refunded before shipping and are not committed stock any more.
  add column released_quantity integer not null default 0,
  add constraint order_lines_refunded_or_shipped check (
    refunded_unshipped_quantity between 0 and quantity - shipped_quantity
  ),
  add constraint order_lines_refunded_of_shipped check (refunded_shipped_quantity between 0 and shipped_quantity),
  add constraint order_lines_released_of_refunded check (released_quantity between 0 and refunded_unshipped_quantity);

alter table orders
  add column shipping_refunded boolean not null default false,
  -- What the refunds of its units take off the amount due.
  add column line_refund_sats bigint not null default 0 check (line_refund_sats >= 0);

-- Paid units that are still on the shelf. A unit that is being refunded stays there until the refund is confirmed,
-- also when all others of its order are shipped.
create or replace view committed_stock as
select variant_id, sum(quantity)::integer as quantity
from (
  select line.variant_id, line.quantity - line.shipped_quantity - line.released_quantity as quantity
  from orders join order_lines line on line.order_id = orders.id
  where orders.paid_at is not null and orders.fulfilment_status in ('unfulfilled', 'partly_shipped')
    and orders.units_returned_at is null and line.variant_id is not null
  union all
  select line.variant_id, refunded.quantity
  from refunds refund join orders on orders.id = refund.order_id
  join refund_lines refunded on refunded.refund_id = refund.id and not refunded.is_shipped
  join order_lines line on line.order_id = refunded.order_id and line.position = refunded.position
  where refund.holds_units and refund.units_settled_at is null
    and orders.fulfilment_status in ('shipped', 'delivered') and line.variant_id is not null
) committed
group by variant_id;
