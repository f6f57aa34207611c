import type { ReactNode } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readPageNumber, requireStaff } from '../../kit/staff-page.ts';
import type { CatalogueImport } from '#src/shop/catalogue/imports/contract.ts';
import { isRunning } from '#src/shop/catalogue/imports/import-state.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { throwNotFound } from '#src/storefront/page/page-responses.ts';
import { reloadPage, useReloadEvery } from '#src/storefront/reload-page.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { ErrorState } from '#src/ui/feedback/states.tsx';
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
    <AdminFrame title={<span className="wrap-anywhere">{found.filename}</span>}>
      <BackLink to="/admin/import" text="All imports" />
      <Section title={describeState(found)} surface="outlined">
        <Summary found={found} />
      </Section>
      <Problems found={found} problems={problems} filter={filter} />
      {changes !== null && changes.total > 0 && (
        <Section title={found.state === 'applied' ? 'Imported changes' : 'Changes'} className={styles.history}>
          <ChangeList products={changes.products} />
          <ResultPages page={changes.page} total={changes.total} show="changes" label="Pages of changes" />
        </Section>
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
        <p className="muted small">You can leave this page. The work continues, also after a restart of the shop.</p>
        <CancelAction id={found.id} />
      </>
    );
  }
  const changed = found.created_products + found.changed_products;
  return (
    <>
      {found.message !== null && <p className="danger measure">{found.message}.</p>}
      {found.state === 'refused' && <p>{describeRefusal(found)}</p>}
      {isChecked(found) && (
        <Facts layout="columns">
          <Count label="Lines" count={found.lines} />
          <Count label="New products" count={found.created_products} />
          <Count label="Changed products" count={found.changed_products} />
          <Count label="Unchanged products" count={found.unchanged_products} />
          <Count label="Products left out" count={found.left_out_products} />
          <Count label="Errors" count={found.errors} />
          <Count label="Notices" count={found.notices} />
        </Facts>
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
      <Row align="start">
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
      </Row>
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
      <p className="danger measure">
        {countPictures(missing)} of other sites could not be loaded. Nothing was imported. The list below names them.
      </p>
    );
  }
  return pictures === 0 ? null : (
    <p>{countPictures(pictures)} of other sites will be loaded first. This can take some time.</p>
  );
}

const Count = ({ label, count }: { readonly label: string; readonly count: number }) => (
  <Fact label={label} className="strong">
    {formatCount(count)}
  </Fact>
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
