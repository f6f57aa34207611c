import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { AdminFrame } from '../../web/admin-frame.tsx';
import actionStyles from '../../web/actions.module.css';
import { ConfirmedAction } from '../../web/confirmed-action.tsx';
import { readPageNumber, requireStaff } from '../../web/staff-page.ts';
import type { CatalogueImport } from '#src/shop/catalogue/imports/contract.ts';
import { isRunning } from '#src/shop/catalogue/imports/import-state.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { throwNotFound } from '#src/storefront/page/page-responses.ts';
import { reloadPage, useReloadEvery } from '#src/storefront/reload-page.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { ErrorState } from '#src/ui/states.tsx';
import { ChangeList } from './change-list.tsx';
import { describeProgress, describeState, isChecked, formatCount, formatCounted } from './describe-import.ts';
import styles from './import-page.module.css';
import { ProblemTable } from './problem-table.tsx';
import { ResultPages } from './result-pages.tsx';

const POLL_MS = 1_000;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Import · Back office', matches) },
  { name: 'description', content: 'Check and progress of an import of the catalogue.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params['id'] ?? '';
  const read = requireStaff(args, `/admin/import/${encodeURIComponent(id)}`, 'catalogue');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const listed = { params: { id }, query: { page: String(page) } };
  const found = await read('GET /imports/{id}', { params: { id } }).catch((error: unknown) => {
    if (isApiFailure(error) && error.status === 404) return throwNotFound();
    return null;
  });
  const first = { params: { id }, query: { page: '1' } };
  const isShowingProblems = parameters.get('show') === 'problems';
  const [problems, changes] =
    found === null || found.state === 'checking'
      ? [null, null]
      : await Promise.all([
          read('GET /imports/{id}/problems', isShowingProblems ? listed : first).catch(() => null),
          read('GET /imports/{id}/changes', isShowingProblems ? first : listed).catch(() => null),
        ]);
  return { found, problems, changes };
}

/** OPS-12: the dry run of a file, and its import. */
export default function ImportCheckPage() {
  const { found, problems, changes } = useLoaderData<typeof loader>();
  useReloadEvery(found !== null && isRunning(found.state) ? POLL_MS : null);
  if (found === null) {
    return (
      <AdminFrame title="Import">
        <ErrorState title="The import could not be loaded." onRetry={() => void reloadPage()} />
      </AdminFrame>
    );
  }
  return (
    <AdminFrame title={<span className={styles.filename}>{found.filename}</span>}>
      <BackLink to="/admin/import" text="All imports" />
      <section className={actionStyles.actions} aria-labelledby="state-title">
        <h2 id="state-title">{describeState(found.state)}</h2>
        <Summary found={found} />
      </section>
      {problems !== null && problems.total > 0 && (
        <section className={styles.history} aria-labelledby="problems-title">
          <h2 id="problems-title">Errors and notices</h2>
          {problems.total < found.errors + found.notices && (
            <p className={styles.muted}>
              {formatCount(problems.total)} of {formatCount(found.errors + found.notices)} are listed.
            </p>
          )}
          <ProblemTable problems={problems.problems} />
          <ResultPages page={problems.page} total={problems.total} show="problems" label="Pages of problems" />
        </section>
      )}
      {changes !== null && changes.total > 0 && (
        <section className={styles.history} aria-labelledby="changes-title">
          <h2 id="changes-title">{found.state === 'applied' ? 'Imported changes' : 'Changes'}</h2>
          <ChangeList products={changes.products} />
          <ResultPages page={changes.page} total={changes.total} show="changes" label="Pages of changes" />
        </section>
      )}
    </AdminFrame>
  );
}

function Summary({ found }: { readonly found: CatalogueImport }) {
  const params = { id: found.id };
  if (isRunning(found.state)) {
    return (
      <>
        <output>{describeProgress(found)}</output>
        {found.total > 0 && (
          <progress className={styles.progress} value={found.done} max={found.total} aria-label="Progress" />
        )}
        <p className={styles.muted}>You can leave this page. The work continues, also after a restart of the shop.</p>
        <CancelAction id={found.id} />
      </>
    );
  }
  const changed = found.created_products + found.changed_products;
  return (
    <>
      {found.message !== null && <p className={styles.failure}>{found.message}.</p>}
      {found.state === 'refused' && <p>Nothing can be imported. Correct the errors in the file and upload it again.</p>}
      {isChecked(found) && (
        <dl className={styles.counts}>
          <Count term="Lines" count={found.lines} />
          <Count term="New products" count={found.created_products} />
          <Count term="Changed products" count={found.changed_products} />
          <Count term="Unchanged products" count={found.unchanged_products} />
          <Count term="Errors" count={found.errors} />
          <Count term="Notices" count={found.notices} />
        </dl>
      )}
      {found.state === 'checked' && changed === 0 && <p>The catalogue already has everything in this file.</p>}
      {found.state === 'checked' && changed > 0 && (
        <>
          <PicturesNote found={found} />
          <div className={actionStyles.row}>
            <ConfirmedAction
              button={
                found.missing_pictures > 0
                  ? 'Load the pictures again and import'
                  : `Import ${formatCounted(changed, 'product', 'products')}`
              }
              variant="primary"
              question={`Import ${formatCounted(changed, 'product', 'products')}?`}
              meaning={
                <p>
                  {formatCount(found.created_products)} are created and {formatCount(found.changed_products)} changed,
                  all or none. Customers see the changes at once. Products that the file leaves out stay as they are.
                </p>
              }
              confirm="Import"
              done="The import has started"
              onConfirm={() => call('POST /imports/{id}/apply', { params, body: {} })}
            />
            {found.missing_pictures > 0 && <WithoutPicturesAction found={found} />}
            <CancelAction id={found.id} />
          </div>
        </>
      )}
    </>
  );
}

const countPictures = (count: number): string => formatCounted(count, 'picture', 'pictures');

/** Pictures of other sites, which are loaded after the merchant agrees to import. */
function PicturesNote({ found: { pictures, missing_pictures: missing } }: { readonly found: CatalogueImport }) {
  if (missing > 0) {
    return (
      <p className={styles.failure}>
        {countPictures(missing)} of other sites could not be loaded. Nothing was imported. The list below names them.
      </p>
    );
  }
  return pictures === 0 ? null : (
    <p>{countPictures(pictures)} of other sites will be loaded first. This can take some time.</p>
  );
}

function WithoutPicturesAction({ found: { id, missing_pictures: missing } }: { readonly found: CatalogueImport }) {
  return (
    <ConfirmedAction
      button={`Import without ${countPictures(missing)}`}
      question={`Import without ${countPictures(missing)}?`}
      meaning={<p>New products that have no other picture become drafts, which customers do not see.</p>}
      confirm="Import"
      done="The import has started"
      onConfirm={() => call('POST /imports/{id}/apply', { params: { id }, body: { without_missing: true } })}
    />
  );
}

const Count = ({ term, count }: { readonly term: string; readonly count: number }) => (
  <div>
    <dt>{term}</dt>
    <dd>{formatCount(count)}</dd>
  </div>
);

const CancelAction = ({ id }: { readonly id: string }) => (
  <ConfirmedAction
    button="Cancel import"
    question="Cancel this import?"
    meaning={<p>The catalogue stays as it is. To import the file later, upload it again.</p>}
    confirm="Cancel import"
    done="The import was cancelled"
    onConfirm={() => call('POST /imports/{id}/cancel', { params: { id } })}
  />
);
