-- contract: payment_outputs.payment_outputs_credit kept since 0099
-- contract: payment_outputs.payment_outputs_credit_refund_id_key kept since 0099
-- contract: refunds.refunds_credited kept since 0099
-- contract: refunds.refunds_credited_order_id_key kept since 0099
-- contract: returns.returns_exchange_of_closed kept since 0099
-- contract: returns.returns_exchange_order_id_key kept since 0099
-- Exchanges: what the returned units of an order cost is credited to another order of the same buyer, for other variants.
alter table refunds
  -- The order that it pays instead of an address of the buyer. No bitcoin moves.
  add column credited_order_id uuid unique references orders,
  add constraint refunds_credited check (
    credited_order_id is null
    or (is_elsewhere and covers = 'lines' and state = 'confirmed' and vout is null and credited_order_id <> order_id)
  );

alter table payment_outputs
  -- The credit that it is: no coin, and in no block. Its transaction id is derived from this one.
  add column credit_refund_id uuid unique references refunds,
  add constraint payment_outputs_credit check (
    credit_refund_id is null or (order_id is not null and is_live and height = 0 and not is_coinbase)
  );

alter table returns
  -- The order that the credit of its units pays.
  add column exchange_order_id uuid unique references orders,
  add constraint returns_exchange_of_closed check (
    (exchange_order_id is not null) = (outcome is not distinct from 'exchanged')
  );

alter table return_lines
  -- Which variant the buyer wants instead; null: none, or it was deleted.
  add column wanted_variant_id uuid references product_variants on delete set null;
create index return_lines_of_wanted_variant on return_lines (wanted_variant_id) where wanted_variant_id is not null;
