import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { BillingFields } from '#src/shop/orders/checkout/web/billing-fields.tsx';
import { VatNumberField } from '#src/shop/orders/checkout/web/vat-number-field.tsx';
import { SideColumns } from '#src/storefront/layout/side-columns.tsx';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { ChooseCustomer } from './choose-customer.tsx';
import { ChooseItems } from './choose-items.tsx';
import { DraftPayment } from './draft-payment.tsx';
import { useOrderDraft } from './use-order-draft.ts';
import type { OrderDraft } from './use-order-draft.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('New order · Back office', matches) },
  { name: 'description', content: 'An order that staff create for a customer.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/orders/new', 'manual-orders');
  const id = new URL(args.request.url).searchParams.get('customer') ?? '';
  const params = UUID.test(id) ? { id } : null;
  const [found, last, { countries }, { country }] = await Promise.all([
    params && call('GET /support/customers/{id}', { params }).catch(rethrowAsNotFound),
    params && call('GET /support/customers/{id}/billing', { params }).catch(rethrowAsNotFound),
    call('GET /shipping'),
    call('GET /support/order-defaults'),
  ]);
  return { customer: found?.customer ?? null, last: last?.billing ?? null, countries, home: country };
}

/** OPS-13: a new order for a customer on the phone. */
export default function NewOrderPage() {
  const { customer, last, countries, home } = useLoaderData<typeof loader>();
  const defaults = { home, delivered: countries, last };
  const order = useOrderDraft(customer === null ? { kind: 'none' } : { kind: 'known', customer }, defaults);
  const { delivery, preview } = order;
  const { cart } = preview;
  return (
    <AdminFrame title="New order" beside={<BackLink to="/admin/orders" text="Orders" />}>
      <NeedsScript />
      <form noValidate onSubmit={order.form.submit}>
        <SideColumns sidebar={<DraftPayment order={order} />}>
          <Stack gap={24}>
            <ChooseCustomer draft={order.customer} onChange={order.changeCustomer} />
            <ChooseItems lines={order.lines} cart={cart} onChange={order.setLines} />
            <Section title="Delivery details" surface="outlined">
              <output className="muted small hide-empty">{describeStart(delivery)}</output>
              <BillingFields
                draft={delivery.draft}
                countries={countries}
                touched={delivery.touched}
                isOwn={false}
                onChange={delivery.change}
              >
                {cart?.delivery?.accepts_vat_number === true && (
                  <VatNumberField
                    delivery={cart.delivery}
                    value={delivery.draft.vatNumber}
                    isChecked={!preview.isStale}
                    onChange={(value) => delivery.change('vatNumber', value)}
                    onLeave={() => {}}
                  />
                )}
              </BillingFields>
            </Section>
          </Stack>
        </SideColumns>
      </form>
    </AdminFrame>
  );
}

/** Where the delivery details come from. */
function describeStart({ hasFailed, hasLastAddress }: OrderDraft['delivery']): string {
  if (hasFailed) return 'The details of the last order could not be loaded. Enter them.';
  return hasLastAddress ? 'Filled in from the last order. Check the details with the customer.' : '';
}
