-- Who created an order for its buyer; null for an order that the buyer placed.
alter table orders add column created_by uuid references users;
