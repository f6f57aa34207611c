-- One row that the readiness check writes, to learn whether the database takes writes.
create table write_probe (
  only_row boolean primary key default true constraint write_probe_only_row check (only_row),
  written_at timestamptz not null
);
