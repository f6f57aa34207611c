-- Orders that count as sales, by the time of payment.
create index orders_sold on orders (paid_at) include (total_after_cents, due_sats, settled_sats)
  where payment_status in ('paid', 'refunded') and paid_at is not null;
create index refunds_confirmed on refunds (made_at) where state = 'confirmed' and covers <> 'surplus';

-- Read model: the revenue of each line of a sale. Kept by a trigger, in the transaction that changes the order:
-- dividing the totals of 100,000 orders among their lines takes too long for a page.
create table sale_lines (
  order_id uuid not null references orders on delete cascade,
  position integer not null,
  product_id uuid not null references products,
  sold_at timestamptz not null,
  quantity integer not null,
  -- The parts of the order's total; they add up to it.
  revenue_cents bigint not null check (revenue_cents >= 0),
  revenue_sats bigint not null check (revenue_sats >= 0),
  primary key (order_id, position)
);
create index sale_lines_by_time on sale_lines (sold_at) include (product_id, quantity, revenue_cents, revenue_sats);

create function add_sale_lines(sale uuid) returns void language sql as $$
  insert into sale_lines (order_id, position, product_id, sold_at, quantity, revenue_cents, revenue_sats)
  select order_id, position, product_id, paid_at, quantity,
    case
      when whole > 0 then div(cents * until, whole) - div(cents * (until - weight), whole)
      when is_last then cents else 0
    end,
    case
      when whole > 0 then div(sats * until, whole) - div(sats * (until - weight), whole)
      when is_last then sats else 0
    end
  from (
    select line.order_id, line.position, line.product_id, line.quantity, orders.paid_at,
      orders.total_after_cents::numeric as cents, coalesce(orders.settled_sats, orders.due_sats)::numeric as sats,
      weight.cents as weight, sum(weight.cents) over before as until,
      sum(weight.cents) over (partition by line.order_id) as whole,
      line.position = max(line.position) over (partition by line.order_id) as is_last
    from orders
    join order_lines line on line.order_id = orders.id
    cross join lateral (
      select case when line.is_free then 0 else line.price_cents * line.quantity end::numeric as cents
    ) weight
    where orders.payment_status in ('paid', 'refunded') and orders.paid_at is not null
      and (sale is null or orders.id = sale)
    window before as (partition by line.order_id order by line.position)
  ) divided
$$;

create function refresh_sale_lines() returns trigger language plpgsql as $$
begin
  delete from sale_lines where order_id = new.id;
  perform add_sale_lines(new.id);
  return null;
end $$;
create trigger sales_change after update of payment_status, paid_at, total_after_cents, due_sats, settled_sats on orders
  for each row when (
    (old.payment_status in ('paid', 'refunded') and old.paid_at is not null
      or new.payment_status in ('paid', 'refunded') and new.paid_at is not null)
    and (old.payment_status, old.paid_at, old.total_after_cents, old.due_sats, old.settled_sats)
      is distinct from (new.payment_status, new.paid_at, new.total_after_cents, new.due_sats, new.settled_sats)
  )
  execute function refresh_sale_lines();
select add_sale_lines(null);

-- Each backup that was written, by this shop's command or by another tool.
create table backups (
  at timestamptz primary key,
  source text not null check (source in ('command', 'other'))
);

-- Since when each part of the shop is in its present state. Shared by all processes.
create table part_states (
  part text primary key,
  is_ok boolean not null,
  state text not null,
  since timestamptz not null
);
