-- The orders of lists of the back office: a page is read from an index, however many rows match.
create index tickets_by_status on tickets (status, last_message_at desc, id desc);
create index tickets_by_wait on tickets (waiting_since, last_message_at desc, id desc);
create index contact_messages_suspect on contact_messages (created_at desc, id) where is_suspect;
-- Waiting reviews first, the oldest first; then the newest decided ones.
create index reviews_for_moderation on reviews (
  (case when not is_approved and decided_at is null then created_at end), created_at desc, id);
