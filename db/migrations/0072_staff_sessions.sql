alter table users
  -- Whether the password has fewer characters than members of the team need. Null: not known until the next login.
  add column is_password_short boolean,
  -- Part of what a device cookie signs: devices are known again only after a login since the last promotion.
  add column device_generation integer not null default 0 check (device_generation >= 0);

-- The list of customers, by time, and its count.
create index users_customers_by_time on users (created_at desc, id desc) include (username_key)
  where deleted_at is null and role = 'customer';
