import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData } from 'react-router';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import actionStyles from '../../kit/actions.module.css';
import { ListPages } from '../../kit/list-pages.tsx';
import { readPageNumber, requireStaff } from '../../kit/staff-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { EmptyState, ErrorState } from '#src/ui/states.tsx';
import { describeCounts, describeState, isChecked, formatBytes, formatCounted } from './describe-import.ts';
import { DownloadButton } from '../../kit/download-button.tsx';
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
      <section className={actionStyles.actions} aria-labelledby="import-title">
        <h2 id="import-title">Import</h2>
        <p className={actionStyles.muted}>
          Upload a product CSV, such as an export of this shop or of Shopify. The file is checked first: you see every
          change before anything is imported, and every error. Products with errors can be left out.
        </p>
        <UploadForm />
      </section>
      <section className={actionStyles.actions} aria-labelledby="export-title">
        <h2 id="export-title">Export</h2>
        <p className={actionStyles.muted}>
          All products with variants, prices, stock and pictures, in the columns of Shopify. Edit the file and import it
          again to change many products at once.
        </p>
        <DownloadButton path="/exports/products" text="Download products as CSV" />
      </section>
      <section className={styles.history} aria-labelledby="history-title">
        <h2 id="history-title">Imports of the last 30 days</h2>
        {found === null && <ErrorState title="The imports could not be loaded." onRetry={() => void reloadPage()} />}
        {found?.total === 0 && <EmptyState title="No file was imported yet." />}
        {found !== null && found.imports.length > 0 && (
          <ul className={styles.list}>
            {found.imports.map((one) => (
              <li key={one.id} className={styles.item}>
                <div className={styles.file}>
                  <p className={styles.name}>
                    <Link to={`/admin/import/${one.id}`}>{one.filename}</Link>
                  </p>
                  <p className={styles.muted}>
                    {formatBytes(one.bytes)}, {one.created_by ?? 'deleted account'}
                  </p>
                </div>
                <p className={styles.muted}>
                  <Moment at={one.created_at} shows="moment" />
                </p>
                <div>
                  <p>{describeState(one)}</p>
                  {isChecked(one) && (
                    <p className={styles.muted}>
                      {one.state === 'refused' ? formatCounted(one.errors, 'error', 'errors') : describeCounts(one)}
                    </p>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
        {found !== null && <ListPages page={page} total={found.total} />}
      </section>
    </AdminFrame>
  );
}
