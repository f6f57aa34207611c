-- Files of returns: pictures of a defect from the buyer, and the label that staff upload. The bytes are private files in
-- the storage of uploaded pictures. A row is added after its files; its deletion enqueues the deletion of them.
create table return_files (
  -- Random, and part of the names of the files.
  id uuid primary key,
  return_id uuid not null references returns on delete cascade,
  kind text not null check (kind in ('picture', 'label')),
  -- A return has five pictures and one label at most, whoever uploads at the same time.
  place smallint not null check (place between 1 and case kind when 'picture' then 5 else 1 end),
  -- Decided by the shop from the content.
  type text not null check (type in ('image/jpeg', 'application/pdf')),
  -- In pixels; null for a document.
  width integer check (width > 0),
  height integer check (height > 0),
  -- All files of the row together.
  bytes integer not null check (bytes > 0),
  created_at timestamptz not null,
  unique (return_id, kind, place),
  check ((type = 'image/jpeg') = (width is not null and height is not null)),
  check (kind = 'label' or type = 'image/jpeg')
);
