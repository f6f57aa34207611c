import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { DownloadButton } from '#src/storefront/forms/download-button.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { SerialImportForm } from './serial-import-form.tsx';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Serial numbers · Back office', matches) },
  { name: 'description', content: 'Import and export of serial numbers and IMEIs of shipped units.' },
];

export function loader(args: LoaderFunctionArgs) {
  requireStaff(args, '/admin/serial-numbers', 'shipping');
  return null;
}

/** OPS-29: import and export of the numbers of shipped units. */
export default function SerialNumbersPage() {
  const mayExport = useMayUse('reports');
  return (
    <AdminFrame title="Serial numbers">
      <p className="muted small measure">
        Products that ask for a serial number or an IMEI get one for each unit when an order is shipped. The search of
        orders finds a unit by its number.
      </p>
      <Section title="Import" surface="outlined">
        <p className="muted measure">
          Adds numbers to units that are shipped already. The CSV has the columns <code translate="no">order</code>,{' '}
          <code translate="no">line</code> (1 for the first line of the order) and <code translate="no">number</code>,
          and may have <code translate="no">parcel</code>. The file is checked first, and nothing is imported while a
          line has a problem.
        </p>
        <SerialImportForm />
      </Section>
      {mayExport && <SerialExport />}
    </AdminFrame>
  );
}

function SerialExport() {
  const [days, setDays] = useState({ from: '', to: '' });
  const query = new URLSearchParams(Object.entries(days).filter(([, day]) => day !== ''));
  return (
    <Section title="Export" surface="outlined">
      <p className="muted measure">
        Numbers by order, line, product and parcel, of units shipped on these days. Without days, all of them. The file
        can be imported again.
      </p>
      <Columns width={12}>
        <Field
          label="From (optional)"
          type="date"
          value={days.from}
          onChange={({ currentTarget }) => setDays({ ...days, from: currentTarget.value })}
        />
        <Field
          label="To (optional)"
          type="date"
          value={days.to}
          onChange={({ currentTarget }) => setDays({ ...days, to: currentTarget.value })}
        />
      </Columns>
      <DownloadButton path={`/exports/serial-numbers?${query}`} text="Download serial numbers as CSV" />
    </Section>
  );
}
