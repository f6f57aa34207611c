export interface ProblemFilter {
  /** Empty: errors and notices. */
  readonly severity: '' | 'error' | 'notice';
  readonly q: string;
}

export const MAX_QUERY = 200;

/** The filter in the query of the page. */
export function readProblemFilter(parameters: URLSearchParams): ProblemFilter {
  const severity = parameters.get('severity');
  return {
    severity: severity === 'error' || severity === 'notice' ? severity : '',
    q: (parameters.get('q') ?? '').trim().slice(0, MAX_QUERY).toWellFormed(),
  };
}

export const hasFilter = ({ severity, q }: ProblemFilter): boolean => severity !== '' || q !== '';

/** The filter as a query, without what is empty. */
export const toProblemQuery = ({
  severity,
  q,
}: ProblemFilter): { readonly severity?: 'error' | 'notice'; readonly q?: string } => ({
  ...(severity === '' ? {} : { severity }),
  ...(q === '' ? {} : { q }),
});
