-- What the buyer of a product finds in its box, one thing a line; empty: the product page says nothing about it.
alter table products add column in_the_box text not null default '' check (length(in_the_box) <= 2000);
