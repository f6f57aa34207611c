/** Deliberate bugs: the histories of orders with returns must detect each. */
export const returnBugs = [
  'a withdrawn refund leaves its return closed',
  'any serial number is received',
  'stopped and returning units are free',
  'an approval sets no deadline',
  'a deduction is not stored',
  'restocked units are counted twice',
] as const;
export type ReturnBug = (typeof returnBugs)[number];

/** A serial number of no unit. */
export const WRONG_NUMBER = 'SN-OF-NOBODY';

/** Histories that reach a bug which random ones reach rarely. */
export const BUG_HISTORIES: Partial<Readonly<Record<ReturnBug, string>>> = {
  'a withdrawn refund leaves its return closed':
    'hours(7,0,0) requestDefect(5,0,0) approve(0,0,0) sendReturn(0,0,0) refundOpen(0,0,0) withdrawRefund(0,0,0)',
  'any serial number is received': 'hours(7,0,0) withdrawAll(0,0,0) receiveOpen(0,0,4)',
  'an approval sets no deadline': 'hours(7,0,0) requestDefect(5,0,0) approve(0,0,0)',
  'a deduction is not stored': 'hours(7,0,0) withdrawPart(1,0,0) receiveOpen(0,0,0) inspect(0,0,2) refundOpen(0,0,0)',
};

const createTrigger = (table: string, event: 'insert' | 'update', change: string): string => `
  create function inject_bug() returns trigger language plpgsql as $$ begin ${change} return new; end $$;
  create trigger injected_bug before ${event} on ${table} for each row execute function inject_bug()`;

/** Statements that put a bug into the database; other bugs are in services. */
export const BUG_STATEMENTS: Partial<Readonly<Record<ReturnBug, string>>> = {
  'stopped and returning units are free': `
    create or replace function count_unrefunded(taken integer, refunded integer, refunded_before integer)
    returns integer language sql immutable parallel safe return 0`,
  'an approval sets no deadline': createTrigger(
    'returns',
    'update',
    `if new.cause <> 'withdrawal' then new.refund_due_at := null; end if;`,
  ),
  'a deduction is not stored': createTrigger(
    'refund_lines',
    'insert',
    'new.deducted_net_cents := 0; new.deducted_tax_cents := 0;',
  ),
  'restocked units are counted twice': createTrigger(
    'variant_stock',
    'update',
    'if new.available > old.available then new.available := 2 * new.available - old.available; end if;',
  ),
};
