-- Dollars that the buyer paid: the share of the total that the accepted amount paid. As `computePaidCents`.
create function paid_cents(total_cents bigint, settled_sats bigint, due_sats bigint) returns bigint
  language sql immutable as $$
  select case when settled_sats < due_sats then round(total_cents::numeric * settled_sats / due_sats)::bigint
    else total_cents end
$$;

-- The revenue of lines without what staff waived.
create or replace function add_sale_lines(sale uuid) returns void language sql as $$
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
      paid_cents(orders.total_after_cents, orders.settled_sats, orders.due_sats)::numeric as cents,
      coalesce(orders.settled_sats, orders.due_sats)::numeric as sats,
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
delete from sale_lines where order_id in (select id from orders where settled_sats < due_sats);
select add_sale_lines(id) from orders where settled_sats < due_sats;
