-- Parcels of orders. An order is partly shipped while units of it are left, and shipped with the last one.
alter table orders drop constraint orders_fulfilment_status_check;
alter table orders add constraint orders_fulfilment_status_check
  check (fulfilment_status in ('unfulfilled', 'partly_shipped', 'shipped', 'delivered'));

-- A restock returns the units that are left.
alter table orders drop constraint orders_units_returned_unsent;
alter table orders add constraint orders_units_returned_unsent check (
  units_returned_at is null or (fulfilment_status in ('unfulfilled', 'partly_shipped') and paid_at is not null)
);

-- Companies that carry parcels. Shipments keep name and link, so a carrier can be changed and deleted.
create table carriers (
  id uuid primary key,
  name text not null check (length(name) between 1 and 60),
  -- Address of the tracking page; {number} is replaced. Empty: none.
  url_pattern text not null default ''
    check (url_pattern = '' or (url_pattern ~ '^https://[^/]' and url_pattern like '%{number}%' and length(url_pattern) <= 300)),
  created_at timestamptz not null default now()
);
create unique index carriers_by_name on carriers (lower(name));
insert into carriers (id, name, url_pattern) values
  ('019a0000-0000-7000-9000-000000000001', 'DHL', 'https://www.dhl.com/global-en/home/tracking.html?tracking-id={number}'),
  ('019a0000-0000-7000-9000-000000000002', 'DPD', 'https://tracking.dpd.de/status/en_US/parcel/{number}'),
  ('019a0000-0000-7000-9000-000000000003', 'FedEx', 'https://www.fedex.com/fedextrack/?trknbr={number}'),
  ('019a0000-0000-7000-9000-000000000004', 'GLS', 'https://gls-group.com/GROUP/en/parcel-tracking?match={number}'),
  ('019a0000-0000-7000-9000-000000000005', 'Royal Mail', 'https://www.royalmail.com/track-your-item#/tracking-results/{number}'),
  ('019a0000-0000-7000-9000-000000000006', 'UPS', 'https://www.ups.com/track?tracknum={number}'),
  ('019a0000-0000-7000-9000-000000000007', 'USPS', 'https://tools.usps.com/go/TrackConfirmAction?tLabels={number}');

create table shipments (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  -- 1, 2, 3 … within the order.
  number integer not null check (number > 0),
  shipped_at timestamptz not null,
  -- Null: recorded by an earlier version of the shop.
  shipped_by uuid references users,
  carrier_name text check (length(carrier_name) between 1 and 60),
  tracking_number text check (length(tracking_number) between 1 and 100),
  tracking_url text check (tracking_url ~ '^https://' and length(tracking_url) <= 1000),
  unique (order_id, number)
);

create table shipment_lines (
  shipment_id uuid not null references shipments on delete cascade,
  order_id uuid not null,
  position integer not null,
  quantity integer not null check (quantity > 0),
  primary key (shipment_id, position),
  foreign key (order_id, position) references order_lines on delete cascade
);

alter table order_lines
  add column shipped_quantity integer not null default 0,
  add constraint order_lines_shipped_at_most_ordered check (shipped_quantity between 0 and quantity);

-- Orders that were shipped before: one shipment with all lines.
insert into shipments (id, order_id, number, shipped_at, tracking_number)
select gen_random_uuid(), orders.id, 1,
  coalesce((select max(at) from order_events event where event.order_id = orders.id and event.kind = 'shipped'), orders.created_at),
  tracking_reference
from orders where fulfilment_status in ('shipped', 'delivered');
insert into shipment_lines (shipment_id, order_id, position, quantity)
select shipment.id, line.order_id, line.position, line.quantity
from shipments shipment join order_lines line on line.order_id = shipment.order_id;
update order_lines line set shipped_quantity = quantity from shipments where shipments.order_id = line.order_id;

-- Paid units that are still on the shelf: those of partly shipped orders count too.
drop index orders_to_ship;
create index orders_to_ship on orders (id)
  where paid_at is not null and fulfilment_status in ('unfulfilled', 'partly_shipped') and units_returned_at is null;
create or replace view committed_stock as
select line.variant_id, sum(line.quantity - line.shipped_quantity)::integer as quantity
from orders join order_lines line on line.order_id = orders.id
where orders.paid_at is not null and orders.fulfilment_status in ('unfulfilled', 'partly_shipped')
  and orders.units_returned_at is null and line.variant_id is not null
group by line.variant_id;
