-- The order in which refunds and returns took units of an order. Their times do not say it: the clocks of two hosts
-- differ. Both are inserted while the row of the order is locked.
-- rewrites: refunds are of few orders
-- rewrites: returns are of few orders
create sequence taken_order;
alter table refunds add column taken_order bigint not null default nextval('taken_order');
alter table returns add column taken_order bigint not null default nextval('taken_order');

-- Of those from before: by their times. A return of a withdrawal took its units when it was handled.
create temporary table taken_before on commit drop as
  select id, row_number() over (order by at, is_return, id) as taken_order
  from (
    select id, made_at as at, false as is_return from refunds
    union all
    select returns.id, coalesce(handled_at, requested_at), true
    from returns left join withdrawals on withdrawals.return_id = returns.id
  ) taken;
update refunds set taken_order = taken_before.taken_order from taken_before where taken_before.id = refunds.id;
update returns set taken_order = taken_before.taken_order from taken_before where taken_before.id = returns.id;
