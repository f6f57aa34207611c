-- One code a cart: what it gives is worked out whenever the cart is read.
alter table carts add column promotion_id uuid references promotions on delete set null;

-- What one piece cost when it was last put in, changed or accepted; null for what was put in before this was kept.
alter table cart_lines add column seen_cents bigint check (seen_cents >= 0);

-- Staff are told once of each reason for which a late payment waits.
drop index order_events_waits_once;
create unique index order_events_waits_once on order_events (order_id, kind)
  where kind in ('late_sold_out', 'late_promo_gone');
