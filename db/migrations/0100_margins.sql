-- Lines whose cost is known: what their goods brought, without tax, delivery and what staff waived, and what their
-- units cost. Null if the cost is unknown.
alter table sale_lines
  add column goods_cents bigint check (goods_cents >= 0),
  add column cost_cents bigint check (cost_cents >= 0),
  add constraint sale_lines_margin check ((goods_cents is null) = (cost_cents is null));

drop index sale_lines_by_time;
create index sale_lines_by_time on sale_lines (sold_at)
  include (product_id, quantity, revenue_cents, revenue_sats, goods_cents, cost_cents);

create or replace function add_sale_lines(sale uuid) returns void language sql as $$
  insert into sale_lines (order_id, position, product_id, sold_at, quantity, revenue_cents, revenue_sats, goods_cents,
    cost_cents)
  select order_id, position, product_id, paid_at, quantity,
    case
      when whole > 0 then div(cents * until, whole) - div(cents * (until - weight), whole)
      when is_last then cents else 0
    end,
    case
      when whole > 0 then div(sats * until, whole) - div(sats * (until - weight), whole)
      when is_last then sats else 0
    end,
    case when total > 0 then round(goods * cents / total) else goods end,
    case when goods is not null then cost * quantity end
  from (
    select line.order_id, line.position, line.product_id, line.quantity, orders.paid_at,
      paid_cents(orders.total_after_cents, orders.settled_sats, orders.due_sats)::numeric as cents,
      orders.total_after_cents::numeric as total,
      coalesce(orders.settled_sats, orders.due_sats)::numeric as sats,
      weight.cents as weight, sum(weight.cents) over before as until,
      sum(weight.cents) over (partition by line.order_id) as whole,
      line.position = max(line.position) over (partition by line.order_id) as is_last,
      cost.cost_cents as cost, goods.cents as goods
    from orders
    join order_lines line on line.order_id = orders.id
    cross join lateral (
      select case when line.is_free then 0 else line.price_cents * line.quantity end::numeric as cents
    ) weight
    left join order_line_costs cost on cost.order_id = line.order_id and cost.position = line.position
    -- The order stores the net amount of each line with its tax.
    left join lateral (
      select (taxed ->> 'netCents')::numeric as cents from jsonb_array_elements(orders.tax -> 'lines') taxed
      where (taxed ->> 'position')::integer = line.position
    ) goods on cost.cost_cents is not null
    where orders.payment_status in ('paid', 'refunded') and orders.paid_at is not null
      and (sale is null or orders.id = sale)
    window before as (partition by line.order_id order by line.position)
  ) divided
$$;

delete from sale_lines where order_id in (select order_id from order_line_costs);
select add_sale_lines(order_id) from (select distinct order_id from order_line_costs) costed;
