-- contract: returns.returns_refund_id_key kept since 0086
-- contract: returns.returns_refund_of_closed kept since 0086
-- The release before has no returns.
-- What buyer and staff do with a return after it was requested.
alter table returns
  -- The buyer sent the units, with this proof, such as a tracking number (Directive 2011/83/EU, article 13(3)).
  add column sent_at timestamptz,
  add column proof text check (length(proof) between 1 and 200),
  -- When the first unit arrived, and when all of them were inspected.
  add column received_at timestamptz,
  add column inspected_at timestamptz,
  -- Page or file of a label that the shop pays for.
  add column label_url text check (length(label_url) between 1 and 500),
  -- Why it was refused, or closed without a refund.
  add column decision text check (length(decision) between 1 and 1000),
  add column refund_id uuid unique references refunds on delete set null,
  -- Units that went back to the buyer can be returned again.
  add column is_sent_back_released boolean not null default false,
  -- When staff were warned of the deadline.
  add column warned_at timestamptz,
  add constraint returns_proof_of_sent check ((sent_at is null) = (proof is null)),
  add constraint returns_refund_of_closed check (refund_id is null or state = 'closed');
create index returns_listed on returns ((closed_at is not null), coalesce(refund_due_at, requested_at), id);

-- Where returns are sent to; empty: the shop's address. How many days after the last parcel the shop also takes back what has no
-- defect and is not withdrawn from; 0: never.
alter table shop_settings
  add column returns_version integer not null default 0,
  add column return_address text not null default '' check (length(return_address) <= 400),
  add column courtesy_days integer not null default 0 check (courtesy_days between 0 and 365);
