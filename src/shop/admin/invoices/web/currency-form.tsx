import type { ShownNationalCurrency } from '#src/shop/invoices/currency/contract.ts';
import { isEcbCurrency } from '#src/shop/invoices/currency/ecb-file.ts';
import { isNationalCurrency, nationalCurrencies } from '#src/shop/invoices/currency/national-tax.ts';
import { call } from '#src/storefront/call.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';

interface CurrencyProps {
  readonly found: ShownNationalCurrency;
}

const SOURCES = { table: 'A table of my own', ecb: 'European Central Bank' } as const;

export const CurrencyFacts = ({ found: { currency, rates_from: from, valid_days: days } }: CurrencyProps) => (
  <Facts>
    <Fact label="Currency">{currency === '' ? 'US dollars only' : currency}</Fact>
    {currency !== '' && <Fact label="Source of the rates">{SOURCES[from]}</Fact>}
    {from === 'table' && <Fact label="Days for which a rate counts">{days}</Fact>}
  </Facts>
);

const DAYS = /^\d{1,2}$/;
const toStored = ({
  currency,
  rates_from: source,
  valid_days: days,
  version,
}: Pick<ShownNationalCurrency, 'currency' | 'rates_from' | 'valid_days' | 'version'>) => ({
  version,
  value: { currency, source, days: String(days) },
});
type Value = ReturnType<typeof toStored>['value'];

/** What is saved. Without a currency there are no rates to choose. */
function readValue({ currency, days, source }: Value) {
  if (!DAYS.test(days) || Number(days) > 31)
    return { ok: false, problems: { days: 'Enter a whole number from 0 to 31.' } } as const;
  return {
    ok: true,
    body: {
      currency: isNationalCurrency(currency) ? currency : ('' as const),
      rates_from: isEcbCurrency(currency) ? source : ('table' as const),
      valid_days: Number(days),
    },
  } as const;
}

/** The currency of the seller, and where its rates come from. */
export function CurrencyForm({ found }: CurrencyProps) {
  const { value, set, messageOf, state } = useDocument({
    name: 'national_currency',
    what: 'the currency of invoices',
    names: { source: 'rates_from', days: 'valid_days' },
    stored: toStored(found),
    read: readValue,
    send: async (body, { version }) =>
      toStored(await call('PUT /tax/national-currency', { body: { ...body, version } })),
    saved: 'Invoice currency saved',
  });
  const { currency, days, source } = value;
  const isEcb = source === 'ecb' && isEcbCurrency(currency);
  return (
    <DocumentForm document={state} actions={<DocumentActions document={state} save="Save currency" />}>
      <Columns width={18}>
        <Select
          label="Amount of tax also in"
          value={currency}
          onChange={({ currentTarget }) => set({ currency: currentTarget.value })}
        >
          <option value="">US dollars only</option>
          {nationalCurrencies.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Select>
        {isEcbCurrency(currency) && (
          <Select
            label="Source of the rates"
            value={source}
            message={messageOf('source')}
            hint={isEcb ? 'The shop reads the published rates of each working day after 16:00 CET' : undefined}
            onChange={({ currentTarget }) => set({ source: currentTarget.value === 'ecb' ? 'ecb' : 'table' })}
          >
            <option value="table">{SOURCES.table}</option>
            <option value="ecb">{SOURCES.ecb}</option>
          </Select>
        )}
        {!isEcb && (
          <Field
            label="Days for which a rate counts"
            hint="After its own day, unless a newer one is entered: 4 for daily rates, 31 for monthly ones"
            value={days}
            inputMode="numeric"
            maxLength={2}
            message={messageOf('days')}
            onChange={({ currentTarget }) => set({ days: currentTarget.value })}
          />
        )}
      </Columns>
    </DocumentForm>
  );
}
