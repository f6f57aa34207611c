-- Numbers of units that arrived with a return. Also those that went back to the buyer and came back with another return.
create table return_serials (
  return_id uuid not null,
  position integer not null,
  number text collate "C" not null check (number ~ '^[0-9A-Z][0-9A-Z./_:+-]{0,39}$'),
  -- By the inspection: the buyer gets the unit back.
  is_sent_back boolean not null default false,
  primary key (return_id, position, number),
  foreign key (return_id, position) references return_lines on delete cascade
);
