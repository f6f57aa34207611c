import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ListPages } from '../../kit/list-pages.tsx';
import { readPageNumber, requireStaff } from '../../kit/staff-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { ListRow, RowLink, RowList } from '../../kit/row-list.tsx';
import { describeCounts, describeState, isChecked, formatBytes, formatCounted } from './describe-import.ts';
import { DownloadButton } from '#src/storefront/forms/download-button.tsx';
import styles from './import-page.module.css';
import { UploadForm } from './upload-form.tsx';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Import products · Back office', matches) },
  { name: 'description', content: 'Import and export of the catalogue as CSV.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/import', 'catalogue');
  const page = readPageNumber(new URL(args.request.url).searchParams);
  return { found: await call('GET /imports', { query: { page: String(page) } }).catch(() => null), page };
}

/** OPS-12: import and export of the catalogue. */
export default function ImportPage() {
  const { found, page } = useLoaderData<typeof loader>();
  return (
    <AdminFrame title="Import products">
      <Section title="Import" surface="outlined">
        <p className="muted measure">
          Upload a product CSV, such as an export of this shop or of Shopify. The file is checked first: you see every
          change before anything is imported, and every error. Products with errors can be left out.
        </p>
        <UploadForm />
      </Section>
      <Section title="Export" surface="outlined">
        <p className="muted measure">
          All products with variants, prices, stock and pictures, in the columns of Shopify. Edit the file and import it
          again to change many products at once.
        </p>
        <DownloadButton path="/exports/products" text="Download products as CSV" />
      </Section>
      <Section title="Imports of the last 30 days" className={styles.history}>
        {found === null && <ErrorState title="The imports could not be loaded." onRetry={() => void reloadPage()} />}
        {found?.total === 0 && <EmptyState title="No file was imported yet." />}
        {found !== null && found.imports.length > 0 && (
          <RowList>
            {found.imports.map((one) => (
              <ListRow key={one.id} className={styles.item}>
                <div>
                  <RowLink to={`/admin/import/${one.id}`}>{one.filename}</RowLink>
                  <p className="muted small">
                    {formatBytes(one.bytes)}, {one.created_by ?? 'deleted account'}
                  </p>
                </div>
                <p className="muted small">
                  <Moment at={one.created_at} shows="moment" />
                </p>
                <div>
                  <p>{describeState(one)}</p>
                  {isChecked(one) && (
                    <p className="muted small">
                      {one.state === 'refused' ? formatCounted(one.errors, 'error', 'errors') : describeCounts(one)}
                    </p>
                  )}
                </div>
              </ListRow>
            ))}
          </RowList>
        )}
        {found !== null && <ListPages page={page} total={found.total} />}
      </Section>
    </AdminFrame>
  );
}
