import type { ShownNationalCurrency } from '#src/shop/invoices/currency/contract.ts';
import type { EcbFailure } from '#src/shop/invoices/currency/ecb-file.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Section } from '#src/ui/layout/section.tsx';

type ShownEcb = NonNullable<ShownNationalCurrency['ecb']>;

interface EcbStateProps {
  readonly ecb: ShownEcb;
  readonly currency: string;
}

/** What happened, and what to do if there is something to do. */
const FAILURES: Readonly<Record<EcbFailure, string>> = {
  unreachable:
    'The server could not reach the European Central Bank. Check that it may open connections to www.ecb.europa.eu, or to the address of ECB_RATES_URL.',
  timeout: 'The European Central Bank did not respond in time.',
  status: 'The European Central Bank returned an error instead of its file.',
  'too-long': 'The file is too long to be the one with the rates.',
  format: 'The file does not have the form that the shop can read.',
  'future-day': 'The file has a day in the future. Check the clock of the server.',
  outdated:
    'The newest day of the file is too old. Check that the address of ECB_RATES_URL has the newest file, and the clock of the server.',
  'implausible-rate': 'The file has a rate that cannot be right.',
  'currency-missing': 'The file lacks a rate of the dollar or of the currency.',
};

/** How it went to fetch the rates of the European Central Bank. */
export function EcbState({ ecb, currency }: EcbStateProps) {
  const { checked_at: checkedAt, newest_day: newestDay } = ecb;
  return (
    <Section title="European Central Bank" surface="outlined">
      {ecb.failure !== null && <Failure ecb={ecb} failure={ecb.failure} />}
      <Facts layout="columns">
        <Fact label={`Newest rate of ${currency}`}>{newestDay ?? 'None yet'}</Fact>
        <Fact label="Last read">{checkedAt === null ? 'Not yet' : <Moment at={checkedAt} shows="moment" />}</Fact>
        <Fact label="Next reading">
          <NextReading at={ecb.next_at} />
        </Fact>
      </Facts>
      <p className="muted small measure">
        An invoice has the latest rate that was published when it was paid, at most 7 days old. A dollar is converted by
        what a euro costs in both currencies, rounded to eight decimals.
      </p>
    </Section>
  );
}

const NextReading = ({ at }: { readonly at: string | null }) =>
  at === null ? 'Now' : <Moment at={at} shows="moment" />;

const Failure = ({ ecb, failure }: { readonly ecb: ShownEcb; readonly failure: EcbFailure }) => (
  <Notice tone="bad">
    <p>
      {FAILURES[failure]} No rate was changed. The shop tries again: <NextReading at={ecb.next_at} />.
    </p>
    <p>
      {ecb.failures > 1 && <span>{ecb.failures} attempts in a row failed. </span>}
      <span>If this goes on, choose a table of your own and enter the rates.</span>
    </p>
  </Notice>
);
