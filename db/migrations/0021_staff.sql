-- What may need staff: few of all orders, found without looking at the others.
create index orders_for_staff on orders (id)
  where recorded_state in ('overpaid', 'reorged_out')
    or (payment_status = 'expired' and recorded_state = 'underpaid')
    or (payment_status = 'cancelled' and recorded_received_sats > 0)
    or payment_status = 'refunded';
create index payment_outputs_of_miners on payment_outputs (order_id) where is_coinbase and is_live;

-- Lists of staff: the newest first, all of them or those of one kind.
create index orders_by_time on orders (created_at desc, id desc);
create index orders_by_status on orders (payment_status, created_at desc, id desc);

-- A late payment that the present rate does not accept waits for staff, who are told once of the same amounts.
create unique index order_events_late_waits on order_events (order_id, (details ->> 'due_sats'), (details ->> 'received_sats'))
  where kind = 'late_waits';
