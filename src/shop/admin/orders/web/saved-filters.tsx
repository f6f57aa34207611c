import { Link } from 'react-router';
import type { SavedOrderFilter } from '#src/shop/orders/desk/contract.ts';
import { call } from '#src/storefront/call.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { DirectAction } from '../../kit/direct-action.tsx';
import { readText } from '../../kit/form-text.ts';
import styles from './saved-filters.module.css';

interface SavedFiltersProps {
  readonly saved: readonly SavedOrderFilter[];
  /** Query of the present list; empty without a filter. */
  readonly query: string;
}

/** The own saved filters of the list, and saving the present one. */
export function SavedFilters({ saved, query }: SavedFiltersProps) {
  const isSaved = saved.some((one) => one.query === query);
  if (saved.length === 0 && query === '') return null;
  return (
    <details open={saved.length > 0 || undefined}>
      <summary className="link">Saved filters</summary>
      {saved.length > 0 && (
        <Row as="ul" gap={8} className={styles.list}>
          {saved.map((filter) => (
            <Saved key={filter.id} filter={filter} isPresent={filter.query === query} />
          ))}
        </Row>
      )}
      {query !== '' && !isSaved && (
        <DirectAction
          button="Save this filter"
          meaning="It appears above the list, for you only."
          done="Filter saved"
          onSubmit={(data) => call('POST /support/order-filters', { body: { name: readText(data, 'name'), query } })}
        >
          <Field label="Name of the filter" name="name" required maxLength={40} autoComplete="off" />
        </DirectAction>
      )}
    </details>
  );
}

function Saved({ filter, isPresent }: { readonly filter: SavedOrderFilter; readonly isPresent: boolean }) {
  const { isBusy, run } = useCallAction({
    log: 'the filter was not deleted',
    describe: () => showToast('error', 'The filter could not be deleted. Try again.'),
    settle: reloadPage,
  });
  const remove = async () => {
    await call('DELETE /support/order-filters/{id}', { params: { id: filter.id } });
    showToast('success', 'Filter deleted');
  };
  return (
    <Row as="li" gap={0}>
      <Link to={`/admin/orders?${filter.query}`} aria-current={isPresent ? 'page' : undefined}>
        {filter.name}
      </Link>
      <Button
        variant="quaternary"
        isBusy={isBusy}
        aria-label={`Delete the filter ${filter.name}`}
        onClick={() => void run(remove)}
      >
        Delete
      </Button>
    </Row>
  );
}
