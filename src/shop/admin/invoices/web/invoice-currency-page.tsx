import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { formatNumber } from '#src/shop/format-number.ts';
import type { ShownNationalCurrency } from '#src/shop/invoices/currency/contract.ts';
import { isNationalCurrency, nationalCurrencies } from '#src/shop/invoices/currency/national-tax.ts';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';
import { mayUse } from '#src/shop/permissions.ts';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Columns } from '#src/ui/columns.ts';
import { Fact, Facts } from '#src/ui/facts.tsx';
import { Field, Select } from '#src/ui/field.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { Section } from '#src/ui/section.tsx';
import { ErrorState } from '#src/ui/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';
import { readRole, requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { NationalRates } from './national-rates.tsx';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Invoice currency · Back office', matches) },
  { name: 'description', content: 'The currency in which invoices repeat the amount of tax, and its rates by day.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/invoice-currency', 'settings');
  const mayChange = mayUse(readRole(args), 'settings-changes');
  return { found: await read('GET /tax/national-currency').catch(() => null), mayChange };
}

/** OPS-16: the national currency of the seller on invoices. */
export default function InvoiceCurrencyPage() {
  const { found, mayChange } = useLiveLoaderData<typeof loader>(['settings', 'invoices']);
  const mayEdit = useMayUse('money');
  return (
    <AdminFrame title="Invoice currency">
      <p className="muted small measure">
        Prices are in US dollars. A seller in the European Union or the United Kingdom has to show the amount of tax in
        the national currency, too. Issued invoices never change; credit notes use the rate of their invoice.
      </p>
      {found === null ? (
        <ErrorState title="The invoice currency could not be loaded." onRetry={() => void reloadPage()} />
      ) : (
        <>
          {found.waiting.total > 0 && <Waiting waiting={found.waiting} />}
          <Section title="Currency" surface="outlined">
            {mayChange ? <CurrencyForm found={found} /> : <CurrencyFacts found={found} />}
          </Section>
          {found.currency !== '' && <NationalRates found={found} mayEdit={mayEdit} />}
        </>
      )}
    </AdminFrame>
  );
}

const Waiting = ({ waiting: { days, orders, total } }: Pick<ShownNationalCurrency, 'waiting'>) => (
  <Notice tone="bad">
    <p>
      {total === 1 ? '1 invoice waits' : `${formatNumber(total)} invoices wait`} for a rate. Enter a rate that counts on{' '}
      <strong>{days.join(', ')}</strong>.
    </p>
    <p>
      {orders.map(({ id, number }) => (
        <span key={id}>
          <Link className="link" to={`/admin/orders/${id}`}>
            Order <OrderNumber number={number} />
          </Link>{' '}
        </span>
      ))}
    </p>
  </Notice>
);

const CurrencyFacts = ({ found: { currency, valid_days: days } }: { readonly found: ShownNationalCurrency }) => (
  <Facts>
    <Fact label="Currency">{currency === '' ? 'US dollars only' : currency}</Fact>
    <Fact label="Days for which a rate counts">{days}</Fact>
  </Facts>
);

const DAYS = /^\d{1,2}$/;
const toStored = ({ currency, valid_days: days, version }: Omit<ShownNationalCurrency, 'rates' | 'waiting'>) => ({
  version,
  value: { currency, days: String(days) },
});

function CurrencyForm({ found }: { readonly found: ShownNationalCurrency }) {
  const { value, set, messageOf, state } = useDocument({
    name: 'national_currency',
    what: 'the currency of invoices',
    stored: toStored(found),
    read: ({ currency, days }) =>
      DAYS.test(days) && Number(days) <= 31
        ? {
            ok: true,
            body: { currency: isNationalCurrency(currency) ? currency : ('' as const), valid_days: Number(days) },
          }
        : { ok: false, problems: { days: 'Enter a whole number from 0 to 31.' } },
    send: async (body, { version }) =>
      toStored(await call('PUT /tax/national-currency', { body: { ...body, version } })),
    saved: 'Invoice currency saved',
  });
  return (
    <DocumentForm document={state} actions={<DocumentActions document={state} save="Save currency" />}>
      <Columns width={18}>
        <Select
          label="Amount of tax also in"
          value={value.currency}
          onChange={({ currentTarget }) => set({ currency: currentTarget.value })}
        >
          <option value="">US dollars only</option>
          {nationalCurrencies.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Select>
        <Field
          label="Days for which a rate counts"
          hint="After its own day, unless a newer one is entered: 4 for daily rates, 31 for monthly ones"
          value={value.days}
          inputMode="numeric"
          maxLength={2}
          message={messageOf('days')}
          onChange={({ currentTarget }) => set({ days: currentTarget.value })}
        />
      </Columns>
    </DocumentForm>
  );
}
