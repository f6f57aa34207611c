-- A fourth text: the accessibility statement.
alter table legal_drafts drop constraint legal_drafts_kind_check;
alter table legal_drafts add constraint legal_drafts_kind_check
  check (kind in ('terms', 'privacy', 'returns', 'accessibility'));
alter table legal_versions drop constraint legal_versions_kind_check;
alter table legal_versions add constraint legal_versions_kind_check
  check (kind in ('terms', 'privacy', 'returns', 'accessibility'));
