alter table sessions
  -- Wrong passwords in a row that were entered in this session. The tenth ends it.
  add column wrong_passwords smallint not null default 0 check (wrong_passwords >= 0);
