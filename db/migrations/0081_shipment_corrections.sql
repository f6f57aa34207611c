-- A parcel that was recorded by mistake. Its number is not used again, so a repeated request records nothing.
alter table shipments
  add column undone_at timestamptz,
  add column undone_by uuid references users;
