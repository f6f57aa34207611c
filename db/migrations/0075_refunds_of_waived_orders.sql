-- Refunds of earlier releases, of orders that staff accepted for less than the amount due: 0070 counted what the order
-- cost, and not what the buyer paid. Each refund of lines counts its share of that, one of the whole what is left.
with legacy as (
  select refund.id, refund.order_id, refund.covers, orders.total_after_cents as total,
    paid_cents(orders.total_after_cents, orders.settled_sats, orders.due_sats) as paid, refund.value_cents as value,
    sum(refund.value_cents) over (partition by refund.order_id, refund.covers order by refund.made_at, refund.id) as until
  from refunds refund join orders on orders.id = refund.order_id
  where orders.settled_sats < orders.due_sats and orders.total_after_cents > 0 and refund.method is null
    and refund.covers in ('lines', 'whole') and refund.counted_cents is not null
), lines as (
  select id, order_id, greatest(
      div(least(until, total)::numeric * paid, total) - div(least(until - value, total)::numeric * paid, total), 0
    )::bigint as cents
  from legacy where covers = 'lines'
), worth as (
  select id, cents from lines
  union all
  select id, greatest(paid - coalesce((select sum(cents) from lines where lines.order_id = legacy.order_id), 0), 0)::bigint
  from legacy where covers = 'whole'
)
update refunds set value_cents = worth.cents, counted_cents = worth.cents from worth where refunds.id = worth.id;

update orders set refund_cents = taken.cents, refunded_cents = taken.confirmed_cents
from (
  select order_id, sum(counted_cents)::bigint as cents,
    coalesce(sum(counted_cents) filter (where state = 'confirmed'), 0)::bigint as confirmed_cents
  from refunds where counted_cents is not null group by order_id
) taken
where orders.id = taken.order_id and orders.settled_sats < orders.due_sats
  and taken.cents <= orders.total_after_cents
  and (orders.refund_cents, orders.refunded_cents) is distinct from (taken.cents, taken.confirmed_cents);
