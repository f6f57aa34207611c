-- Backups that an owner downloads in the back office.
alter table backups
  drop constraint backups_source_check,
  add constraint backups_source_check check (source in ('command', 'other', 'download'));
