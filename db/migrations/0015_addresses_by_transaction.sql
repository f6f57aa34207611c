-- Which transaction issued an address: the watcher asks for those of transactions that it may not have seen yet. Indexes
-- are no order to go by: who took the lower one may commit later.
alter table order_addresses add column issued_in xid8 not null default pg_current_xact_id();
create index order_addresses_by_transaction on order_addresses (issued_in);
