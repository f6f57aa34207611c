-- What shipping asks of each unit of a product.
alter table products add column serial_kind text not null default 'none' check (serial_kind in ('none', 'serial', 'imei'));

-- Numbers of shipped units. Of an undone parcel there are none.
create table serial_numbers (
  id uuid primary key,
  shipment_id uuid not null,
  order_id uuid not null,
  position integer not null,
  -- In capitals, so that the case does not matter.
  number text collate "C" not null check (number ~ '^[0-9A-Z][0-9A-Z./_:+-]{0,39}$'),
  returned_at timestamptz,
  foreign key (shipment_id, position) references shipment_lines on delete cascade,
  foreign key (order_id, position) references order_lines on delete cascade
);
-- A number is with one buyer at a time; a returned one can be shipped again.
create unique index serial_numbers_shipped_once on serial_numbers (number) where returned_at is null;
-- For the search, also by the first characters.
create index serial_numbers_by_number on serial_numbers (number);
create index serial_numbers_of_order on serial_numbers (order_id, position);
create index serial_numbers_of_shipment on serial_numbers (shipment_id, position);
