-- SHA-256 of the deduplication key and the address of a delivered mail, so that a page can say where a receipt was sent
-- without a record of addresses. Null: not delivered, erased, or from before.
alter table mails add column recipient_digest bytea;
