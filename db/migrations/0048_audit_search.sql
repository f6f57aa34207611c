-- Search by the beginnings of words, without an extension: a merchant's server may have none.
create function to_audit_words(details text) returns tsvector language sql immutable parallel safe as $$
  select to_tsvector('simple', regexp_replace(lower(left(details, 100000)), '[^[:alnum:]]+', ' ', 'g'))
$$;
create index audit_details_by_word on audit_details using gin (to_audit_words(details));
create index audit_entries_by_subject_prefix on audit_entries (lower(subject_id) text_pattern_ops);
