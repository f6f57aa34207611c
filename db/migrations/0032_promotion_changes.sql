alter table promotions
  -- Increments with each change by staff: a form or a checkout that read an earlier version is refused.
  add column version integer not null default 1 check (version > 0),
  add column updated_at timestamptz not null default now(),
  -- Stays when the use is restored: a promotion that an order ever used can't be deleted.
  add column first_used_at timestamptz;

update promotions set first_used_at = used.at
from (
  select id, min(at) as at from (
    select promotion_id as id, used_at as at from promotion_uses
    union all
    select (promo ->> 'id')::uuid, created_at from orders where promo is not null
  ) uses
  group by id
) used
where promotions.id = used.id;

-- The list of uses of a promotion, newest first.
create index promotion_uses_of_promotion on promotion_uses (promotion_id, used_at desc, order_id desc);
