-- Version of the document that a change made, so that the refusal of an outdated change says what changed since the version
-- it is based on. Null: the document has no version, or the entry is older. The hash of an entry leaves it out.
alter table audit_entries add column document_version integer check (document_version > 0);
