import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { formatZone } from '#src/shop/format.ts';
import { call } from '#src/storefront/call.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';
import { requireStaff } from '../../kit/staff-page.ts';
import { saveCsv } from './save-csv.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Accounting · Back office', matches) },
  { name: 'description', content: 'Exports for the accounting.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/accounting', 'accounting');
  const settings = await read('GET /shop/settings').catch(() => null);
  return { timeZone: settings?.time.time_zone ?? null };
}

/** OPS-01, OPS-16: exports for the accounting, for owners only. */
export default function AccountingPage() {
  const { timeZone } = useLoaderData<typeof loader>();
  const zone = timeZone === null ? '' : ` (${formatZone(timeZone)})`;
  return (
    <AdminFrame title="Accounting">
      <Section title="Accounting export" surface="outlined">
        <AccountingExport zone={zone} />
      </Section>
      <Section title="Sales and tax" surface="outlined">
        <SalesExport zone={zone} />
      </Section>
    </AdminFrame>
  );
}

interface ExportProps {
  /** Of the days, in brackets; empty if it is not known. */
  readonly zone: string;
}

const readDays = (data: FormData) => {
  const [from, to] = [readText(data, 'from'), readText(data, 'to')];
  return { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) };
};

async function download(data: FormData): Promise<void> {
  const { filename, csv } = await call('GET /exports/books', { query: readDays(data) });
  saveCsv(filename, csv);
}

function AccountingExport({ zone }: ExportProps) {
  return (
    <ConfirmedAction
      button="Download as CSV"
      question="Download the accounting export?"
      meaning={<p>It contains every payment of these days with its order, amount and rate. Keep it safe.</p>}
      confirm="Download"
      done="The export was downloaded"
      onConfirm={download}
    >
      <Columns width={14}>
        <Field label={`From${zone}`} name="from" type="date" hint="Leave empty to start at the first payment" />
        <Field label={`To${zone}`} name="to" type="date" hint="Leave empty to include today" />
      </Columns>
    </ConfirmedAction>
  );
}

async function downloadSales(data: FormData): Promise<void> {
  const days = new URLSearchParams(readDays(data));
  const { downloadFile } = await import('#src/storefront/download-file.ts');
  await downloadFile(`/exports/invoices?${days}`);
}

function SalesExport({ zone }: ExportProps) {
  return (
    <ConfirmedAction
      button="Download sales as CSV"
      question="Download sales and tax?"
      meaning={
        <p>
          It contains a row for each tax rate of every invoice and credit note that was issued on these days, with the
          name of the buyer. Keep it safe.
        </p>
      }
      confirm="Download"
      done="The sales were downloaded"
      onConfirm={downloadSales}
    >
      <Columns width={14}>
        <Field label={`From${zone}`} name="from" type="date" hint="Leave empty to start at the first invoice" />
        <Field label={`To${zone}`} name="to" type="date" hint="Leave empty to include today" />
      </Columns>
    </ConfirmedAction>
  );
}
