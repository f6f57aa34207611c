import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { formatNumber } from '#src/shop/format-number.ts';
import type { ShownNationalCurrency } from '#src/shop/invoices/currency/contract.ts';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';
import { mayUse } from '#src/shop/permissions.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { readRole, requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { CurrencyFacts, CurrencyForm } from './currency-form.tsx';
import { EcbState } from './ecb-state.tsx';
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
          {found.waiting.total > 0 && <Waiting found={found} />}
          <Section title="Currency" surface="outlined">
            {mayChange ? <CurrencyForm found={found} /> : <CurrencyFacts found={found} />}
          </Section>
          {found.ecb !== null && <EcbState ecb={found.ecb} currency={found.currency} />}
          {found.currency !== '' && <NationalRates found={found} mayEdit={mayEdit} />}
        </>
      )}
    </AdminFrame>
  );
}

function Waiting({ found: { ecb, waiting } }: { readonly found: ShownNationalCurrency }) {
  const { days, orders, total } = waiting;
  const isOne = total === 1;
  const number = isOne ? '1 invoice waits' : `${formatNumber(total)} invoices wait`;
  const listed = <strong>{days.join(', ')}</strong>;
  return (
    <Notice tone="bad">
      {ecb === null ? (
        <p>
          {number} for a rate. Enter a rate that counts on {listed}.
        </p>
      ) : (
        <p>
          {number} for the rate of the European Central Bank that counts on {listed}. The shop issues{' '}
          {isOne ? 'it' : 'them'} once it has the rate. If you cannot wait, choose a table of your own and enter the
          rate.
        </p>
      )}
      <p>
        {orders.map(({ id, number: order }) => (
          <span key={id}>
            <Link className="link" to={`/admin/orders/${id}`}>
              Order <OrderNumber number={order} />
            </Link>{' '}
          </span>
        ))}
      </p>
    </Notice>
  );
}
