-- When all the money of a paid order that was never sent had gone back, its units went on sale again at this moment. Null
-- while the order has its units, or never had any of its own. Set and cleared under the order's row lock.
alter table orders
  add column units_returned_at timestamptz,
  -- What is for sale again can't be sent.
  add constraint orders_units_returned_unsent check (
    units_returned_at is null or (fulfilment_status = 'unfulfilled' and paid_at is not null)
  );

-- What was refunded until now was put back by hand.
update orders set units_returned_at = now()
where refund_state = 'refunded' and paid_at is not null and fulfilment_status = 'unfulfilled';

-- Orders that are not refunded after all and lack their units: they wait for staff.
create index orders_without_units on orders (id) where units_returned_at is not null and refund_state is null;
