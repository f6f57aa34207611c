import type { CatalogueImport, ImportProblem } from '#src/shop/catalogue/imports/contract.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { ChoiceFilter, ListFilters, SearchFilter } from '../../kit/list-filters.tsx';
import { NoMatch } from '../../kit/paged-list.tsx';
import { formatCount } from './describe-import.ts';
import styles from './import-page.module.css';
import { hasFilter, MAX_QUERY, toProblemQuery } from './problem-filter.ts';
import type { ProblemFilter } from './problem-filter.ts';
import { ProblemTable } from './problem-table.tsx';
import { ResultPages } from './result-pages.tsx';

interface ProblemsProps {
  readonly found: CatalogueImport;
  /** Null: not loaded. */
  readonly problems: {
    readonly problems: readonly ImportProblem[];
    readonly total: number;
    readonly page: number;
  } | null;
  readonly filter: ProblemFilter;
}

/** Errors and notices of a checked file, which can be searched. Renders nothing for a file without any. */
export function Problems({ found, problems, filter }: ProblemsProps) {
  const { id, state, errors, notices, missing_pictures: missing } = found;
  const all = errors + notices + missing;
  if (state === 'checking' || all === 0) return null;
  return (
    <Section title="Errors and notices" className={styles.history}>
      <ListFilters filter={{ ...filter }} submit="Filter">
        <SearchFilter label="Line, column, product or text" value={filter.q} maxLength={MAX_QUERY} />
        <ChoiceFilter
          label="Show"
          name="severity"
          value={filter.severity}
          options={[
            ['error', 'Errors: left out'],
            ['notice', 'Notices'],
          ]}
          hasAll
        />
        <input type="hidden" name="show" value="problems" />
      </ListFilters>
      {problems === null && (
        <ErrorState title="The errors and notices could not be loaded." onRetry={() => void reloadPage()} />
      )}
      {problems?.total === 0 && (
        <NoMatch title="Nothing matches this filter." showAll="Show all" to={`/admin/import/${id}`} />
      )}
      {problems !== null && problems.total > 0 && (
        <>
          {!hasFilter(filter) && problems.total < all && (
            <p className="muted small">
              {formatCount(problems.total)} of {formatCount(all)} are listed.
            </p>
          )}
          <ProblemTable problems={problems.problems} />
          <ResultPages
            page={problems.page}
            total={problems.total}
            show="problems"
            label="Pages of problems"
            filter={toProblemQuery(filter)}
          />
        </>
      )}
    </Section>
  );
}
