-- What the courier calls the parcel, as staff named it when they handed the order over.
alter table orders
  add column tracking_reference text check (length(tracking_reference) between 1 and 100),
  add constraint orders_reference_of_shipped check (tracking_reference is null or fulfilment_status <> 'unfulfilled');
