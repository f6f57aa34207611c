-- Four roles of the team instead of two. Staff keep what they could do: they become managers.
alter table users drop constraint users_role_check;
update users set role = 'manager' where role = 'staff';
alter table users add constraint users_role_check
  check (role in ('customer', 'shipping', 'support', 'manager', 'owner'));
