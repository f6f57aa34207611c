create table tickets (
  id uuid primary key,
  user_id uuid not null references users,
  -- Of the two that a user may have open: what is not closed holds one.
  slot smallint check (slot in (1, 2)),
  title text not null check (length(btrim(title)) between 1 and 120),
  theme text not null check (length(btrim(theme)) between 1 and 80),
  description text not null check (length(btrim(description)) between 1 and 4000),
  status text not null default 'open' check (status in ('open', 'in_progress', 'closed')),
  created_at timestamptz not null,
  closed_at timestamptz,
  -- The newest message: its position, its id, and when it came; at the start 0, none, and the ticket's own moment.
  last_position integer not null default 0,
  last_message_id uuid,
  last_message_at timestamptz not null,
  -- Up to which position each side has read; the description is 0.
  user_read integer not null default 0,
  support_read integer not null default -1,
  -- The key under which the ticket was made: sent again, it makes no other.
  request_key text check (length(request_key) between 1 and 255),
  check ((status = 'closed') = (slot is null)),
  check ((status = 'closed') = (closed_at is not null))
);
create unique index tickets_two_open on tickets (user_id, slot) where status <> 'closed';
create unique index tickets_once on tickets (user_id, request_key);
create index tickets_of_user on tickets (user_id, created_at desc, id desc);
create index tickets_queue on tickets (last_message_at desc, id desc);

create table ticket_messages (
  id uuid primary key,
  ticket_id uuid not null references tickets,
  -- 1, 2, 3 …, given under the lock of the ticket's row: whoever sees one sees all before it. Ids grow likewise.
  position integer not null check (position > 0),
  sender_type text not null check (sender_type in ('user', 'support')),
  sender_id uuid not null references users,
  message text not null check (length(btrim(message)) between 1 and 4000),
  request_key text check (length(request_key) between 1 and 255),
  created_at timestamptz not null,
  unique (ticket_id, position)
);
create unique index ticket_messages_once on ticket_messages (ticket_id, sender_id, request_key);

-- A buyer's review, once a product; those of the demo have no account. What staff have decided is shown, or is not.
alter table reviews add column user_id uuid references users;
alter table reviews add column decided_at timestamptz;
update reviews set decided_at = created_at where is_approved;
create unique index reviews_once on reviews (user_id, product_id);
create index reviews_to_decide on reviews (created_at, id) where not is_approved and decided_at is null;
