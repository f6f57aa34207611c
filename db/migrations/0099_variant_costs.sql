-- What a unit costs the shop. Tables of their own: nothing that buyers see reads them.
create table product_costs (
  product_id uuid primary key references products on delete cascade,
  -- Of the costs of its variants.
  version integer not null check (version > 0),
  edited_at timestamptz not null,
  edited_by uuid references users on delete set null
);

-- A variant without a row has an unknown cost.
create table variant_costs (
  variant_id uuid primary key references product_variants on delete cascade,
  cost_cents bigint not null check (cost_cents between 0 and 999999999)
);

-- The cost of a unit when it was ordered. A line without a row had none.
create table order_line_costs (
  order_id uuid not null,
  position integer not null,
  cost_cents bigint not null check (cost_cents between 0 and 999999999),
  primary key (order_id, position),
  foreign key (order_id, position) references order_lines on delete cascade
);
