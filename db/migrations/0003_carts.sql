create table carts (
  id uuid primary key,
  user_id uuid unique references users on delete cascade,
  -- SHA-256 of the cookie guest_user_id.
  guest_hash bytea unique,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (num_nonnulls(user_id, guest_hash) = 1)
);

create table cart_lines (
  cart_id uuid not null references carts on delete cascade,
  product_id uuid not null references products,
  -- One value of each property the product is offered with, sorted: with the product it is the line's identity.
  property_value_ids uuid[] not null,
  quantity integer not null check (quantity between 1 and 99),
  primary key (cart_id, product_id, property_value_ids)
);
