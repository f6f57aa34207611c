-- What the unguessable link to an order's payment ends in: 244 random bits. It shows what is to be paid and nobody's name.
alter table orders
  add column link_token text not null default translate(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
create unique index orders_by_link on orders (link_token);
