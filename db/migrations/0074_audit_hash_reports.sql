-- The newest entry whose hash was logged and mailed to the owners, and on which day.
alter table audit_head
  add column reported_entry_id bigint,
  add column reported_on date;
