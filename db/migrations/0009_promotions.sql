create table promotions (
  id uuid primary key,
  -- Kept in capitals: a code is the same whatever its case.
  code text not null unique check (code ~ '^[A-Z0-9][A-Z0-9_-]{1,39}$'),
  type text not null
    check (type in ('free_item', 'discount_percent', 'extra_discount', 'fixed_percent', 'fixed_amount')),
  -- Hundredths of a percent: 10 % is 1000.
  discount_basis_points integer check (discount_basis_points between 1 and 10000),
  discount_cents bigint check (discount_cents > 0),
  gift_product_id uuid references products,
  -- Valid from the first moment on and before the last; null: from ever, for ever.
  starts_at timestamptz,
  ends_at timestamptz,
  minimum_subtotal_cents bigint check (minimum_subtotal_cents > 0),
  max_uses integer check (max_uses > 0),
  max_uses_per_user integer check (max_uses_per_user > 0),
  -- Counted up and down by conditional updates, with promotion_uses, in the transaction of the order.
  uses integer not null default 0 check (uses >= 0),
  is_active boolean not null default true,
  -- Shown to everybody; a code for one customer is not.
  is_advertised boolean not null default false,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  check (starts_at < ends_at),
  check (uses <= max_uses),
  -- Each type has its own kind of value, and no other.
  check ((type = 'free_item') = (gift_product_id is not null)),
  check ((type = 'fixed_amount') = (discount_cents is not null)),
  check ((type in ('discount_percent', 'extra_discount', 'fixed_percent')) = (discount_basis_points is not null))
);

-- Who used which code for which order: one code an order. What is given back is removed, so it is given back once.
create table promotion_uses (
  order_id uuid primary key references orders,
  promotion_id uuid not null references promotions,
  user_id uuid not null references users,
  used_at timestamptz not null
);
create index promotion_uses_of_user on promotion_uses (promotion_id, user_id);
