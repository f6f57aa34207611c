import type { ReactNode } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import actionStyles from '../../kit/actions.module.css';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readPageNumber, requireStaff } from '../../kit/staff-page.ts';
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
import {
  describeImport,
  describeLeftOut,
  describeProgress,
  describeRefusal,
  describeState,
  formatCount,
  formatCounted,
  isChecked,
} from './describe-import.ts';
import styles from './import-page.module.css';
import { readProblemFilter, toProblemQuery } from './problem-filter.ts';
import { Problems } from './problems.tsx';
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
  const filter = readProblemFilter(parameters);
  const page = String(readPageNumber(parameters));
  const found = await read('GET /imports/{id}', { params: { id } }).catch((error: unknown) => {
    if (isApiFailure(error) && error.status === 404) return throwNotFound();
    return null;
  });
  const isShowingProblems = parameters.get('show') === 'problems';
  const ofProblems = { params: { id }, query: { page: isShowingProblems ? page : '1', ...toProblemQuery(filter) } };
  const ofChanges = { params: { id }, query: { page: isShowingProblems ? '1' : page } };
  const [problems, changes] =
    found === null || found.state === 'checking'
      ? [null, null]
      : await Promise.all([
          read('GET /imports/{id}/problems', ofProblems).catch(() => null),
          read('GET /imports/{id}/changes', ofChanges).catch(() => null),
        ]);
  return { found, problems, changes, filter };
}

/** OPS-12: the dry run of a file, and its import. */
export default function ImportCheckPage() {
  const { found, problems, changes, filter } = useLoaderData<typeof loader>();
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
        <h2 id="state-title">{describeState(found)}</h2>
        <Summary found={found} />
      </section>
      <Problems found={found} problems={problems} filter={filter} />
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
      {found.state === 'refused' && <p>{describeRefusal(found)}</p>}
      {isChecked(found) && (
        <dl className={styles.counts}>
          <Count term="Lines" count={found.lines} />
          <Count term="New products" count={found.created_products} />
          <Count term="Changed products" count={found.changed_products} />
          <Count term="Unchanged products" count={found.unchanged_products} />
          <Count term="Products left out" count={found.left_out_products} />
          <Count term="Errors" count={found.errors} />
          <Count term="Notices" count={found.notices} />
        </dl>
      )}
      {found.state === 'checked' && <Choice found={found} changed={changed} />}
    </>
  );
}

/** What the merchant can do with a checked file. */
function Choice({ found, changed }: { readonly found: CatalogueImport; readonly changed: number }) {
  const { left_out_products: leftOut, missing_pictures: missing } = found;
  if (changed === 0) {
    return leftOut === 0 ? (
      <p>The catalogue already has everything in this file.</p>
    ) : (
      <p>
        The catalogue already has the other products of this file. {describeLeftOut(leftOut)}, as listed below. Correct
        the file and upload it again.
      </p>
    );
  }
  return (
    <>
      {leftOut > 0 && (
        <p>
          {describeLeftOut(leftOut)}, as listed below. Import the other products without {leftOut === 1 ? 'it' : 'them'}
          , or correct the file and upload it again.
        </p>
      )}
      <PicturesNote found={found} />
      <div className={actionStyles.row}>
        <ImportAction
          found={found}
          button={missing > 0 ? 'Load the pictures again and import' : describeImport(found)}
          isPrimary
        />
        {missing > 0 && (
          <ImportAction found={found} button={`Import without ${countPictures(missing)}`} isWithoutMissing>
            <p>New products that have no other picture become drafts, which customers do not see.</p>
          </ImportAction>
        )}
        <CancelAction id={found.id} />
      </div>
    </>
  );
}

interface ImportActionProps {
  readonly found: CatalogueImport;
  readonly button: string;
  readonly isPrimary?: boolean;
  readonly isWithoutMissing?: boolean;
  readonly children?: ReactNode;
}

/** Imports the products without errors. The question names how many, and how many are left out. */
function ImportAction({ found, button, isPrimary = false, isWithoutMissing = false, children }: ImportActionProps) {
  const { id, left_out_products: leftOut, created_products: created, changed_products: changed } = found;
  const body = {
    ...(leftOut > 0 ? { leave_out: true } : {}),
    ...(isWithoutMissing ? { without_missing: true } : {}),
  };
  return (
    <ConfirmedAction
      button={button}
      {...(isPrimary ? { variant: 'primary' as const } : {})}
      question={`${describeImport(found)}?`}
      meaning={
        <>
          <p>
            {formatCount(created)} new and {formatCount(changed)} changed, all or none. Customers see the changes at
            once. Products that are not in the file stay as they are.
          </p>
          {leftOut > 0 && (
            <p>
              {formatCounted(leftOut, 'product', 'products')} with errors {leftOut === 1 ? 'is' : 'are'} not imported.
            </p>
          )}
          {children}
        </>
      }
      confirm="Import"
      done="The import has started"
      onConfirm={() => call('POST /imports/{id}/apply', { params: { id }, body })}
    />
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
