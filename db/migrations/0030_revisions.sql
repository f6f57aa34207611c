-- The revision of each set of data that processes hold in memory. A change increments it in its own transaction; the
-- row lock lets changes of one topic commit in the order of their revisions.
create table revisions (
  topic text primary key,
  revision bigint not null check (revision > 0)
);
